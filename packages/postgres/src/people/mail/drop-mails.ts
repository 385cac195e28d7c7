import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Which = { readonly organization_id: string; readonly recipient_key: string; readonly template: string };

/**
 * Drops waiting mails of one template to one recipient of an organization, in the transaction that makes them useless. One that is with
 * the mail server now may still arrive.
 */
export const dropMails = async (tx: TenantTransaction, { organization_id, recipient_key, template }: Which, now: Date): Promise<void> => {
  await sql`
    update mails set state = 'GIVEN_UP', ended_at = ${now}, failure = 'taken back', sealed = null
     where organization_id = ${organization_id} and recipient_key = ${recipient_key} and template = ${template} and state = 'WAITING'
       and (attempts = 0 or failure is not null)`.execute(tx);
};
