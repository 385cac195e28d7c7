import type { CliFlow } from '@svc/contract/tables/vocabulary.ts';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { withLockTurn } from '../../connection/connection-shares.ts';
import type { Tables } from '../../connection/tables.ts';

export type NewCliRequest = {
  readonly id: string;
  readonly flow: CliFlow;
  readonly code_challenge: string;
  readonly redirect_port: number | null;
  readonly hostname: string | null;
  readonly platform: string | null;
  readonly version: string | null;
  readonly user_code_hash: Buffer;
  readonly source_ip: string;
  readonly address_group: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly poll_after: Date;
  readonly poll_seconds: number;
};

type Bounds = { readonly ofAddress: number; readonly inAll: number };

/** Retention after its end, so that a late client gets "expired" instead of "not found". */
const KEPT_SECONDS = 3_600;
const SWEPT_MAX = 20;

const waitsAt = (now: Date) => sql`r.expires_at > ${now} and not exists (select from cli_decisions d where d.request_id = r.id)`;

/** The address with the most waiting requests loses its oldest; one that is being decided is skipped. */
const makeRoom = (tx: Transaction<Tables>, now: Date) =>
  sql`
    with waiting as (
      select r.id, r.created_at, count(*) over (partition by r.address_group) as held from cli_requests r where ${waitsAt(now)}),
    most as materialized (select id from waiting order by held desc, created_at, id limit 1),
    free as (select r.id from cli_requests r join most m on m.id = r.id for update of r skip locked)
    delete from cli_requests r using free where r.id = free.id`.execute(tx);

const keepRequest = async (tx: Transaction<Tables>, row: NewCliRequest, bounds: Bounds): Promise<'kept' | 'full' | 'taken'> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc cli requests', 0))`.execute(tx);
  await sql`
    delete from cli_requests where id in (
      select id from cli_requests where expires_at < ${row.created_at}::timestamptz - make_interval(secs => ${KEPT_SECONDS})
       order by expires_at limit ${SWEPT_MAX})`.execute(tx);
  const { rows } = await sql<{ own: number; total: number }>`
    select count(*) filter (where address_group = ${row.address_group})::int as own, count(*)::int as total
      from cli_requests r where ${waitsAt(row.created_at)}`.execute(tx);
  const { own = 0, total = 0 } = rows[0] ?? {};
  if (own >= bounds.ofAddress) return 'full';
  if (total >= bounds.inAll) await makeRoom(tx, row.created_at);
  const kept = await tx
    .insertInto('cli_requests')
    .values(row)
    .onConflict((conflict) => conflict.column('user_code_hash').doNothing())
    .executeTakeFirst();
  return kept.numInsertedOrUpdatedRows === 1n ? 'kept' : 'taken';
};

/**
 * Stores an unauthenticated request, unless too many of its address wait. Serialized, so that concurrent ones do not exceed
 * the limit; each also deletes some that ended long ago. `taken` if its code belongs to another.
 */
export const insertCliRequest = (identity: Database, row: NewCliRequest, bounds: Bounds): Promise<'kept' | 'full' | 'taken'> =>
  withLockTurn(identity, row.address_group, () => identity.transaction().execute((tx) => keepRequest(tx, row, bounds)));

export type CliRequestRow = {
  readonly id: string;
  readonly flow: CliFlow;
  readonly code_challenge: string;
  readonly redirect_port: number | null;
  readonly hostname: string | null;
  readonly platform: string | null;
  readonly version: string | null;
  readonly user_code_hash: Buffer;
  readonly source_ip: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** The organization of the decision; null before. */
  readonly decided_in: string | null;
};

const readRequest = async (
  identity: Database,
  by: { readonly id: string } | { readonly userCodeHash: Buffer },
): Promise<CliRequestRow | undefined> => {
  const which = 'id' in by ? sql`r.id = ${by.id}` : sql`r.user_code_hash = ${by.userCodeHash}`;
  const { rows } = await sql<CliRequestRow>`
    select r.id, r.flow, r.code_challenge, r.redirect_port, r.hostname, r.platform, r.version, r.user_code_hash, r.source_ip, r.created_at,
           r.expires_at, d.organization_id as decided_in
      from cli_requests r left join cli_decisions d on d.request_id = r.id where ${which}`.execute(identity);
  return rows[0];
};

export const findCliRequest = (identity: Database, id: string): Promise<CliRequestRow | undefined> => readRequest(identity, { id });

export const findByUserCode = (identity: Database, userCodeHash: Buffer): Promise<CliRequestRow | undefined> =>
  readRequest(identity, { userCodeHash });

type Pace = { readonly now: Date; readonly slowerSeconds: number; readonly secondsMax: number };

/** Records a poll of a terminal. Returns if it was too early, and the new interval: longer each time it is too early. */
export const notePoll = async (
  identity: Database,
  id: string,
  { now, slowerSeconds, secondsMax }: Pace,
): Promise<{ readonly too_soon: boolean; readonly poll_seconds: number } | undefined> => {
  const { rows } = await sql<{ too_soon: boolean; poll_seconds: number }>`
    with before as (select id, poll_after > ${now} as too_soon, poll_seconds from cli_requests where id = ${id} for update),
    slower as (select id, too_soon,
                      case when too_soon then least(poll_seconds + ${slowerSeconds}::int, ${secondsMax}::int) else poll_seconds end as seconds
                 from before)
    update cli_requests r set poll_seconds = s.seconds, poll_after = ${now}::timestamptz + make_interval(secs => s.seconds)
      from slower s where r.id = s.id
    returning s.too_soon, r.poll_seconds`.execute(identity);
  return rows[0];
};
