import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** A receiver that a worker serves for as long as its lease. */
export type LeasedReceiver = {
  readonly id: string;
  readonly organization_id: string;
  /** True if its previous worker did not report until its lease expired. */
  readonly was_left: boolean;
};

const lease = sql`statement_timestamp() + make_interval(secs => ${LIMITS.webhooks.receiverLeaseMs / 1000}::double precision)`;

/** True if the receiver of `s` has not requested to stop or to wait. */
export const MAY_BE_SENT = sql.raw('s.gone_since is null and (s.paused_until is null or s.paused_until <= statement_timestamp())');

const isFree = sql`s.status = 'ACTIVE' and ${MAY_BE_SENT} and (s.leased_until is null or s.leased_until < statement_timestamp())`;

/**
 * Leases receivers with due deliveries and no worker, round-robin by organization, including those already
 * leased: otherwise an organization with many hanging ones would occupy all slots. Deliveries in progress of an
 * abandoned one are due again at once, so that nothing waits longer than the lease of the receiver.
 */
export const takeReceivers = async (reader: Database, worker: string, limit: number): Promise<LeasedReceiver[]> => {
  const { rows } = await sql<LeasedReceiver>`
    with held as (
      select organization_id, count(*) as served from webhook_subscriptions
       where status = 'ACTIVE' and leased_until >= statement_timestamp() group by organization_id),
    ready as (
      select s.id, coalesce(h.served, 0) + row_number() over (partition by s.organization_id order by s.leased_until nulls first, s.id) as place
        from webhook_subscriptions s left join held h on h.organization_id = s.organization_id
       where ${isFree}
         and exists (select from webhook_deliveries d where d.subscription_id = s.id and d.state = 'WAITING' and d.due_at <= statement_timestamp())),
    next as materialized (select id from ready order by place, id limit ${limit}),
    free as materialized (
      select s.id, s.leased_by is not null as was_left from webhook_subscriptions s join next n on n.id = s.id
       where ${isFree} for update of s skip locked)
    update webhook_subscriptions s set leased_by = ${worker}, leased_until = ${lease}
      from free where s.id = free.id
    returning s.id, s.organization_id, free.was_left`.execute(reader);
  const left = rows.filter(({ was_left }) => was_left).map(({ id }) => id);
  if (left.length > 0)
    await sql`
      update webhook_deliveries set leased_until = null
       where subscription_id = any (${left}::text[]) and state = 'WAITING' and due_at <= statement_timestamp() and leased_until is not null`.execute(
      reader,
    );
  return rows;
};

/** Which of them it still has, for as long as another lease. */
export const keepReceivers = async (reader: Database, worker: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    update webhook_subscriptions set leased_until = ${lease}
     where id = any (${ids}::text[]) and leased_by = ${worker} and status = 'ACTIVE' returning id`.execute(reader);
  return new Set(rows.map(({ id }) => id));
};

/** Gives them back. */
export const leaveReceivers = async (reader: Database, worker: string, ids: readonly string[]): Promise<void> => {
  await sql`
    update webhook_subscriptions set leased_by = null, leased_until = null
     where id = any (${ids}::text[]) and leased_by = ${worker}`.execute(reader);
};
