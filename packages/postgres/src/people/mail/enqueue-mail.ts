import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type NewMail = {
  readonly organization_id: string;
  readonly id: string;
  readonly template: string;
  /** Recipient and values, sealed. */
  readonly sealed: Buffer;
  readonly recipient_key: string;
  readonly sender_key: string;
  readonly per_hour_max: number;
  readonly now: Date;
  readonly expires_at: Date;
};

/** Enqueues a mail in the caller's transaction (transactional outbox). Returns false if too many mails of this sender wait. */
export const enqueueMail = async (tx: TenantTransaction, { now, ...mail }: NewMail): Promise<boolean> => {
  const { rows } = await sql`
    insert into mails (organization_id, id, template, sealed, recipient_key, sender_key, per_hour_max, created_at, due_at, expires_at)
    select ${mail.organization_id}, ${mail.id}, ${mail.template}, ${mail.sealed}, ${mail.recipient_key}, ${mail.sender_key},
           ${mail.per_hour_max}, ${now}, ${now}, ${mail.expires_at}
     where (select count(*) from mails where organization_id = ${mail.organization_id} and sender_key = ${mail.sender_key} and state = 'WAITING')
           < ${LIMITS.mail.waitingPerSenderMax}
    returning 1`.execute(tx);
  return rows.length > 0;
};
