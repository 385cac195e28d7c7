import type { DeliveryAttempt } from '@svc/contract/events/deliveries.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { type RefusedRow, writeInHalves } from '../../connection/write-in-halves.ts';

/** The result of an attempt that is not the final failure of its delivery. */
export type Settled = {
  readonly id: string;
  readonly attempt: DeliveryAttempt;
  /** Wait before the next one; null if it arrived. */
  readonly retryMs: number | null;
  /** True if a failure counts: one that says nothing about the receiver does not. */
  readonly counts: boolean;
};

const withTry = (tries: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when jsonb_array_length(d.tries) >= ${LIMITS.webhooks.triesShownMax} then d.tries - 0 else d.tries end || ${tries}`;

/** The same attempt without the receiver's response, if that could not be stored. */
export const removeExcerpt = (attempt: DeliveryAttempt): DeliveryAttempt => ({ ...attempt, excerpt: null });

const settleTogether = async (reader: Database, settled: readonly Settled[]): Promise<void> => {
  await sql`
    update webhook_deliveries d set
           state = case when r.retry_ms is null then 'DELIVERED' else 'WAITING' end,
           failures = d.failures + case when r.retry_ms is null or not r.counts then 0 else 1 end,
           due_at = case when r.retry_ms is null then d.due_at else statement_timestamp() + make_interval(secs => r.retry_ms / 1000) end,
           ended_at = case when r.retry_ms is null then statement_timestamp() end,
           leased_until = null, reason = r.attempt ->> 'reason', tries = ${withTry(sql`r.attempt`)}
      from unnest(${settled.map(({ id }) => id)}::text[], ${settled.map(({ attempt }) => JSON.stringify(attempt))}::jsonb[],
                  ${settled.map(({ retryMs }) => retryMs)}::double precision[], ${settled.map(({ counts }) => counts)}::boolean[])
           as r (id, attempt, retry_ms, counts)
     where d.id = r.id and d.state = 'WAITING' and (r.retry_ms is null or d.attempts = (r.attempt ->> 'attempt')::integer)`.execute(reader);
};

/**
 * Records the results of attempts. A delivery that arrived counts, regardless of other attempts; a failure counts only for the
 * attempt
 * in progress. A row that the database rejects does not affect others: it is recorded without the receiver's response. Returns those that
 * are rejected even so.
 */
export const settleDeliveries = async (reader: Database, settled: readonly Settled[]): Promise<readonly RefusedRow<Settled>[]> => {
  const write = (rows: readonly Settled[]) => settleTogether(reader, rows);
  const refused = await writeInHalves(settled, write);
  return writeInHalves(
    refused.map(({ row }) => ({ ...row, attempt: removeExcerpt(row.attempt) })),
    write,
  );
};

export type GivenUp = {
  readonly organization_id: string;
  readonly id: string;
  readonly attempts: number;
  readonly reason: string;
  /** Null if nothing was attempted: then the started attempt does not count. */
  readonly attempt: DeliveryAttempt | null;
};

/** Fails a delivery; returns false if this attempt is no longer in progress. */
export const giveUpDelivery = async (
  tx: TenantTransaction,
  { organization_id, id, attempts, reason, attempt }: GivenUp,
): Promise<boolean> => {
  const tries = attempt === null ? sql`d.tries` : withTry(sql`${JSON.stringify(attempt)}::jsonb`);
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries d set state = 'FAILED', ended_at = statement_timestamp(), leased_until = null, reason = ${reason}, tries = ${tries},
           attempts = d.attempts - ${attempt === null ? 1 : 0}, failures = d.failures + ${attempt === null ? 0 : 1}
     where d.organization_id = ${organization_id} and d.id = ${id} and d.state = 'WAITING' and d.attempts = ${attempts}`.execute(tx);
  return numAffectedRows > 0n;
};

/** Started attempts without a request do not count, and are due again. */
export const putBack = async (
  reader: Database,
  deliveries: readonly { readonly id: string; readonly attempt: number }[],
): Promise<void> => {
  if (deliveries.length === 0) return;
  await sql`
    update webhook_deliveries d set attempts = d.attempts - 1, leased_until = null
      from unnest(${deliveries.map(({ id }) => id)}::text[], ${deliveries.map(({ attempt }) => attempt)}::integer[]) as r (id, attempt)
     where d.id = r.id and d.state = 'WAITING' and d.attempts = r.attempt`.execute(reader);
};

/** Notes of receivers whether the last delivery arrived: since when they fail is the first that did not. */
export const noteReceivers = async (reader: Database, arrived: readonly string[], failed: readonly string[]): Promise<void> => {
  await sql`
    update webhook_subscriptions set failing_since = case when id = any (${failed}::text[]) then statement_timestamp() end
     where (id = any (${arrived}::text[]) and failing_since is not null) or (id = any (${failed}::text[]) and failing_since is null)`.execute(
    reader,
  );
};

/** Records requests of receivers: to stop, or to wait for milliseconds, of which the longest counts. */
export const recordReceiverRequests = async (
  reader: Database,
  asked: readonly { readonly id: string; readonly pauseMs: number | null }[],
): Promise<void> => {
  if (asked.length === 0) return;
  await sql`
    update webhook_subscriptions s set
           gone_since = case when q.is_gone then coalesce(s.gone_since, statement_timestamp()) else s.gone_since end,
           paused_until = case when q.pause_ms is null then s.paused_until
                               else greatest(s.paused_until, statement_timestamp() + make_interval(secs => q.pause_ms / 1000)) end
      from (select id, bool_or(pause_ms is null) as is_gone, max(pause_ms) as pause_ms
              from unnest(${asked.map(({ id }) => id)}::text[], ${asked.map(({ pauseMs }) => pauseMs)}::double precision[]) as a (id, pause_ms)
             group by id order by id) q
     where s.id = q.id`.execute(reader);
};
