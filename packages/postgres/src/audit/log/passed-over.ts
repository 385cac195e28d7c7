import { sql } from 'kysely';
import { isAfter } from '../feed-horizon.ts';
import type { FeedTransaction } from '../feed-positions.ts';
import { FEED_START, type FeedPosition } from '../read-feed.ts';

/** Events checked per statement. */
const LOOKED_AT_MAX = 20_000;

/** Returns the position of the newest event in the feed that is the last leaf of a log; before every event if nothing is sealed. */
export const findNewestSealed = async (tx: FeedTransaction): Promise<FeedPosition> => {
  const { rows } = await sql<FeedPosition>`
    select e.transaction_id, e.id from audit_trees t
      join audit_leaves l on l.organization_id = t.organization_id and l.leaf_index = t.size - 1
      join audit_events e on e.organization_id = t.organization_id and e.id = l.event_id
     order by e.transaction_id desc, e.id desc limit 1`.execute(tx);
  return rows[0] ?? FEED_START;
};

type Looked = { readonly count: number; readonly last: string | null; readonly last_id: string | null; readonly passed: string | null };

/**
 * Returns the transaction of the first event after a position, and up to another one, that is settled, no leaf and not rejected; undefined
 * if there
 * is none. A held log is skipped, and one whose last leaf is gone: the sealer processes none of their events, or could not recognize them.
 */
export const findPassedOver = async (tx: FeedTransaction, after: FeedPosition, upTo: FeedPosition): Promise<string | undefined> => {
  for (let from = after; isAfter(upTo, from); ) {
    const { rows } = await sql<Looked>`
      with looked as materialized (
        select organization_id, transaction_id, id from audit_events
         where transaction_id > '0' and transaction_id >= ${from.transaction_id}::xid8 and (transaction_id > ${from.transaction_id}::xid8 or id > ${from.id})
           and transaction_id < pg_snapshot_xmin(pg_current_snapshot()) and transaction_id <= ${upTo.transaction_id}::xid8
           and (transaction_id < ${upTo.transaction_id}::xid8 or id <= ${upTo.id})
         order by transaction_id, id limit ${sql.lit(LOOKED_AT_MAX)}),
      last as (select transaction_id, id from looked order by transaction_id desc, id desc limit 1)
      select (select count(*)::int from looked) as count, (select transaction_id from last) as last, (select id from last) as last_id,
             (select e.transaction_id from looked e left join audit_trees t on t.organization_id = e.organization_id
               where not exists (select from audit_leaves l where l.organization_id = e.organization_id and l.event_id = e.id)
                 and not exists (select from audit_rejected_events r where r.organization_id = e.organization_id and r.event_id = e.id)
                 and (t.organization_id is null or (t.held_since is null and exists (
                       select from audit_leaves l where l.organization_id = t.organization_id and l.leaf_index = t.size - 1)))
               order by e.transaction_id limit 1) as passed`.execute(tx);
    const { count = 0, last, last_id, passed } = rows[0] ?? {};
    if (passed) return passed;
    if (count < LOOKED_AT_MAX || !last || !last_id) return undefined;
    from = { transaction_id: last, id: last_id };
  }
  return undefined;
};
