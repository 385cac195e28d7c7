import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** Deletes deliveries created before an identifier, a bounded number; returns true while there are more. */
export const sweepDeliveries = async (reader: Database, before: string): Promise<boolean> => {
  const { sweepBatchMax } = LIMITS.webhooks;
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where id < ${before} order by id limit ${sweepBatchMax} for update skip locked)`.execute(reader);
  return numAffectedRows >= BigInt(sweepBatchMax);
};

/**
 * Deletes arrived or failed deliveries beyond a number per subscription, the oldest first, and the rest of deleted
 * subscriptions: a bounded number; returns true while there may be more. Subscriptions are visited by their index, one step for each.
 */
export const sweepBeyond = async (reader: Database, keptMax: number): Promise<boolean> => {
  const { sweepBatchMax } = LIMITS.webhooks;
  const { numAffectedRows = 0n } = await sql`
    with recursive had as (
      (select subscription_id as id from webhook_deliveries order by subscription_id limit 1)
       union all
      select (select d.subscription_id from webhook_deliveries d where d.subscription_id > h.id order by d.subscription_id limit 1)
        from had h where h.id is not null),
    states (state) as (values ('DELIVERED'), ('FAILED'), ('WAITING')),
    beyond as materialized (
      select h.id as subscription_id, t.state, b.id as last from had h cross join states t
        left join webhook_subscriptions s on s.id = h.id
       cross join lateral (select d.id from webhook_deliveries d where d.subscription_id = h.id and d.state = t.state
                            order by d.id desc offset case when s.id is null then 0 else ${keptMax}::integer end limit 1) b
       where h.id is not null and (s.id is null or t.state <> 'WAITING'))
    delete from webhook_deliveries where id in (
      select x.id from beyond y cross join lateral (
        select d.id from webhook_deliveries d where d.subscription_id = y.subscription_id and d.state = y.state and d.id <= y.last
         order by d.id limit ${sweepBatchMax}) x limit ${sweepBatchMax})`.execute(reader);
  return numAffectedRows >= BigInt(sweepBatchMax);
};
