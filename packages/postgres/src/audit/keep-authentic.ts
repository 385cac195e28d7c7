import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { getEventAuthenticator } from '../connection/event-authenticator.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { FeedEvent } from './read-feed.ts';
import { computeLeafHash } from './row-mac.ts';

type Row = { readonly place: number; readonly mac: string | null; readonly is_sealed: boolean };

/**
 * Keeps events that the service wrote: those with a valid MAC, and sealed ones, which the sealer has verified. Consumers that handle events
 * before they are sealed read through this, so that an event inserted into the database is ignored.
 */
export const keepAuthentic = async (
  connection: Database | TenantTransaction,
  events: readonly FeedEvent[],
): Promise<readonly FeedEvent[]> => {
  if (events.length === 0) return events;
  const authenticator = getEventAuthenticator(connection);
  const { rows } = await sql<Row>`
    select asked.place::int, encode(e.mac, 'hex') as mac,
           exists (select from audit_leaves l join audit_trees t using (organization_id)
                    where l.organization_id = asked.organization_id and l.event_id = asked.id and l.leaf_index >= 0 and l.leaf_index < t.size) as is_sealed
      from unnest(${events.map(({ organization_id }) => organization_id)}::text[], ${events.map(({ position }) => position.id)}::text[])
             with ordinality as asked (organization_id, id, place)
     cross join lateral (select mac from audit_events e where e.organization_id = asked.organization_id and e.id = asked.id limit 1) as e`.execute(
    connection,
  );
  const kept = new Set<number>();
  for (const { place, mac, is_sealed } of rows) {
    const given = events[place - 1];
    const isAuthentic =
      is_sealed ||
      (given !== undefined &&
        mac !== null &&
        authenticator.isAuthentic(given.organization_id, given.position.id, computeLeafHash(authenticator, given.event), mac));
    if (isAuthentic) kept.add(place - 1);
  }
  return events.filter((_, n) => kept.has(n));
};
