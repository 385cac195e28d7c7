import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { EVENT_NAMES, type StoredEventRow } from './as-audit-event.ts';
import { type FeedEvent, type FeedRow, ofRow, SIZE } from './read-feed.ts';

type Row = StoredEventRow & { readonly transaction_id: string; readonly place: number; readonly last_place: number };

const named = sql.join(['transaction_id', ...EVENT_NAMES].map((name) => sql.ref(`e.${name}`)));

/**
 * Returns the events of a feed page, in order, as many from the first on as fit into `LIMITS.audit.feedBytesMax` together, or one; and
 * their number. Events removed meanwhile are omitted.
 */
export const readWhole = async (
  connection: Database | TenantTransaction,
  fed: readonly FeedRow[],
): Promise<{ readonly events: readonly FeedEvent[]; readonly count: number }> => {
  if (fed.length === 0) return { events: [], count: 0 };
  const { rows } = await sql<Row>`
    with found as materialized (
      select asked.*, sum(${SIZE}) over (order by asked.place rows unbounded preceding) - ${SIZE} as before
        from unnest(${fed.map(({ organization_id }) => organization_id)}::text[], ${fed.map(({ position }) => position.id)}::text[])
               with ordinality as asked (organization_id, id, place)
       cross join lateral (select e.data from audit_events e where e.organization_id = asked.organization_id and e.id = asked.id limit 1) as e)
    select found.place::int, (select max(place)::int from found) as last_place, ${named}
      from found cross join lateral (select * from audit_events e where e.organization_id = found.organization_id and e.id = found.id limit 1) as e
     where before < ${LIMITS.audit.feedBytesMax} order by place`.execute(connection);
  const last = rows.at(-1);
  return { events: rows.map(ofRow), count: last === undefined || last.place === last.last_place ? fed.length : last.place };
};
