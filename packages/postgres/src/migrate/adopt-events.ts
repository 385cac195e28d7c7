import type pg from 'pg';
import { EVENT_NAMES, type StoredEventRow } from '../audit/as-audit-event.ts';
import { macOfRow } from '../audit/row-mac.ts';
import type { EventAuthenticator } from '../connection/event-authenticator.ts';
import { readTime } from '../connection/read-time.ts';

/** The migration from which on the sealer rejects events without a MAC. */
export const AUTHENTICATES_EVENTS = '0145_events_are_authenticated_by_their_writer.sql';

/** Rows held in memory at once. */
const GROUP_ROWS = 500;

const NAMED = EVENT_NAMES.map((name) => (name === 'occurred_at' ? 'e.occurred_at::text' : `e.${name}`)).join(', ');

/** Computes the MACs of the events that a query of `audit_events e` finds; how many there are of each organization. */
export const authenticateRows = async (
  client: pg.ClientBase,
  authenticator: EventAuthenticator,
  where: string,
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  await client.query("set local timezone to 'UTC'; set local datestyle to iso");
  await client.query(`declare unauthenticated no scroll cursor for select ${NAMED} from audit_events e where e.mac is null and ${where}`);
  for (;;) {
    const { rows: found } = await client.query<StoredEventRow>(`fetch ${GROUP_ROWS} from unauthenticated`);
    if (found.length === 0) break;
    const rows = found.map((row) => ({ ...row, occurred_at: readTime(row.occurred_at) }));
    for (const { organization_id } of rows) counts.set(organization_id, (counts.get(organization_id) ?? 0) + 1);
    await client.query(
      `update audit_events e set mac = decode(made.mac, 'hex') from unnest($1::text[], $2::text[], $3::text[]) as made (organization_id, id, mac)
        where e.organization_id = made.organization_id and e.id = made.id`,
      [rows.map((row) => row.organization_id), rows.map((row) => row.id), rows.map((row) => macOfRow(authenticator, row))],
    );
  }
  await client.query('close unauthenticated');
  return counts;
};

/**
 * Authenticates the events of earlier versions that are not sealed yet, within the transaction of the migration from which on events need a MAC:
 * this happens once, and the record of each organization reports how many there were.
 */
export const adoptEvents = async (client: pg.ClientBase, authenticator: EventAuthenticator): Promise<void> => {
  const tables = ['audit_events', 'audit_rejections'];
  for (const table of tables) await client.query(`alter table ${table} no force row level security`);
  const counts = await authenticateRows(
    client,
    authenticator,
    `e.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
       and not exists (select from audit_leaves l where l.organization_id = e.organization_id and l.event_id = e.id)`,
  );
  await client.query(
    `insert into audit_rejections (organization_id, adopted, adopted_reported)
     select organization_id, adopted, false from unnest($1::text[], $2::bigint[]) as counted (organization_id, adopted)
     on conflict (organization_id) do update set adopted = excluded.adopted, adopted_reported = false`,
    [[...counts.keys()], [...counts.values()]],
  );
  for (const table of tables) await client.query(`alter table ${table} force row level security`);
};
