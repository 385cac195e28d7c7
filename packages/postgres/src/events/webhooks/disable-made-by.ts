import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { SubscriptionRow } from './webhooks.ts';

export type DisabledWebhook = Pick<SubscriptionRow, 'id' | 'workspace_id' | 'environment_id'>;

/** Disables the subscriptions that a person created or is responsible for, directly or through API keys. */
export const disableCreatorWebhooks = async (
  tx: TenantTransaction,
  { organization_id, userId }: { readonly organization_id: string; readonly userId: string },
  { reason, now }: { readonly reason: NonNullable<SubscriptionRow['disabled_reason']>; readonly now: Date },
): Promise<DisabledWebhook[]> => {
  const { rows } = await sql<DisabledWebhook>`
    with recursive made as (
      select ${userId}::text as id
       union
      select k.id from made m join api_keys k on k.organization_id = ${organization_id} and k.created_by = m.id
    ), ended as (
      update webhook_subscriptions s set status = 'DISABLED', disabled_reason = ${reason}, updated_at = ${now}
       where s.organization_id = ${organization_id} and s.status = 'ACTIVE'
         and (s.created_by in (select id from made) or s.vouched_by in (select id from made))
      returning s.id, s.workspace_id, s.environment_id)
    select id, workspace_id, environment_id from ended order by id`.execute(tx);
  return rows;
};
