import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** A subscription for which more waits than may. */
export type Crowded = {
  readonly organization_id: string;
  readonly id: string;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
};

/** Finds subscriptions of all organizations with more than so many waiting deliveries. */
export const findCrowded = async (reader: Database, waitingMax: number): Promise<Crowded[]> => {
  const { rows } = await sql<Crowded>`
    select s.organization_id, s.id, s.workspace_id, s.environment_id from webhook_subscriptions s
     where exists (select from webhook_deliveries d where d.subscription_id = s.id and d.state = 'WAITING' offset ${waitingMax})
     order by s.id`.execute(reader);
  return rows;
};

/** Fails the longest due deliveries beyond a number, none in progress, and at most `limit` of them; returns the number. */
export const giveUpCrowd = async (
  tx: TenantTransaction,
  { organization_id, id }: Pick<Crowded, 'organization_id' | 'id'>,
  { waitingMax, limit, reason }: { readonly waitingMax: number; readonly limit: number; readonly reason: string },
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    with waiting as (
      select count(*)::integer as n from (
        select from webhook_deliveries
         where subscription_id = ${id} and state = 'WAITING' limit ${waitingMax + limit}) w)
    update webhook_deliveries d set state = 'FAILED', ended_at = statement_timestamp(), leased_until = null, reason = ${reason}
     where d.organization_id = ${organization_id} and d.id in (
       select id from webhook_deliveries
        where subscription_id = ${id} and state = 'WAITING' and (leased_until is null or leased_until < statement_timestamp())
        order by due_at, position limit (select greatest(0, n - ${waitingMax}::integer) from waiting) for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
};
