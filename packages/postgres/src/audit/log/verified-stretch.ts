import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asAuditEvent, EVENT_NAMES } from '../as-audit-event.ts';
import { hasValidMac } from '../row-mac.ts';

export type SealedLeaf = { readonly leaf_index: number; readonly event_id: string; readonly leaf_hash: Buffer };

type ReadStretch = {
  readonly leaves: readonly SealedLeaf[];
  readonly events: ReadonlyMap<string, AuditEvent>;
  /** Events whose time is finer than what they state, and their leaves cover: the service writes milliseconds. */
  readonly redated: ReadonlySet<string>;
};

/** Returns the leaves of a range, in order, with their events if these exist. */
export const readStretch = async (
  tx: TenantTransaction,
  organizationId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadStretch> => {
  const leaves = await tx
    .selectFrom('audit_leaves')
    .select(['leaf_index', sql<string>`coalesce(event_id, '')`.as('event_id'), sql<Buffer>`coalesce(leaf_hash, '')`.as('leaf_hash')])
    .where('organization_id', '=', organizationId)
    .where('leaf_index', '>=', from)
    .where('leaf_index', '<', to)
    .orderBy('leaf_index')
    .execute();
  if (leaves.length === 0) return { leaves, events: new Map(), redated: new Set() };
  const rows = await tx
    .selectFrom('audit_events')
    .select([...EVENT_NAMES, sql<boolean>`occurred_at <> date_trunc('milliseconds', occurred_at)`.as('is_redated')])
    .where('organization_id', '=', organizationId)
    .where(
      'id',
      'in',
      leaves.map(({ event_id }) => event_id),
    )
    .execute();
  return {
    leaves,
    events: new Map(rows.map((row) => [row.id, asAuditEvent(row)])),
    redated: new Set(rows.filter(({ is_redated }) => is_redated).map(({ id }) => id)),
  };
};

/** Finds leaves outside the stored tree, in one snapshot of both: a sealed event is in the tree from the moment it is a leaf. */
export const findLeavesOutside = async (
  tx: TenantTransaction,
  organizationId: string,
  limit: number,
): Promise<readonly Pick<SealedLeaf, 'leaf_index' | 'event_id'>[]> => {
  const { rows } = await sql<Pick<SealedLeaf, 'leaf_index' | 'event_id'>>`
    select leaf_index, event_id from audit_leaves where organization_id = ${organizationId} and leaf_index < 0
     union all
    (select leaf_index, event_id from audit_leaves
      where organization_id = ${organizationId}
        and leaf_index >= coalesce((select size from audit_trees where organization_id = ${organizationId}), 0)
      order by leaf_index limit ${limit})
     limit ${limit}`.execute(tx);
  return rows;
};

/** A tile, and how many hashes it has to hold. */
export type UnevenTile = { readonly level: number; readonly tile: number; readonly expected: number };

/**
 * Finds tiles with more or fewer bytes than a tree of this size has in them; of the stored one if no size is given, in one snapshot of
 * both.
 */
export const findUnevenTiles = async (
  tx: TenantTransaction,
  organizationId: string,
  { size, limit }: { readonly size: number | undefined; readonly limit: number },
): Promise<readonly UnevenTile[]> => {
  const { rows } = await sql<UnevenTile>`
    select t.level, t.tile, h.expected::float8 as expected
      from audit_tiles t
      left join audit_trees r on r.organization_id = t.organization_id
     cross join lateral (select coalesce(${size ?? null}::bigint, r.size, 0) as size) s
     cross join lateral (select greatest(0, least(256, case when t.level between 1 and 7 and t.tile between 0 and 2 ^ 48
                                  then div(s.size::numeric, 256::numeric ^ t.level) - t.tile::numeric * 256 else 0 end)) as expected) h
     where t.organization_id = ${organizationId} and octet_length(coalesce(t.hashes, '')) <> h.expected * 32
     order by t.level, t.tile limit ${limit}`.execute(tx);
  return rows;
};

/**
 * Results for a range of ids: events without a leaf, those of them without a valid MAC, and the checked range, which is everything if
 * `isWhole`.
 */
export type InsertedEvents = {
  readonly ids: readonly string[];
  readonly rejected: ReadonlySet<string>;
  readonly upTo: string;
  readonly isWhole: boolean;
};

/** Events whose MACs are checked by one statement: they are read whole. */
const CHECKED_AT_ONCE = 256;

/** Finds unsealed events that the service did not write. */
const findUnauthentic = async (tx: TenantTransaction, organizationId: string, waiting: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (let at = 0; at < waiting.length; at += CHECKED_AT_ONCE) {
    const rows = await tx
      .selectFrom('audit_events')
      .select([...EVENT_NAMES, sql<string | null>`encode(mac, 'hex')`.as('mac')])
      .where('organization_id', '=', organizationId)
      .where('id', 'in', waiting.slice(at, at + CHECKED_AT_ONCE))
      .execute();
    found.push(...rows.flatMap(({ mac, ...row }) => (hasValidMac(tx, row, mac) ? [] : [row.id])));
  }
  return found;
};

/**
 * Finds events between two ids without a leaf although the sealer has passed them, or will never reach them since no transaction has had
 * their
 * number, or that wait without a valid MAC: only the database's owner can have inserted them. A wrong clock may have created a range of ids
 * with most of the
 * record in it, so no more than `scanned` events are checked.
 */
export const findInsertedEvents = async (
  tx: TenantTransaction,
  organizationId: string,
  range: { readonly after: string; readonly upTo: string | undefined; readonly limit: number; readonly scanned: number },
): Promise<InsertedEvents> => {
  const { after, upTo, limit, scanned } = range;
  type Row = { count: number; last: string | null; ids: string[]; rejected: string[]; waiting: string[] };
  const { rows } = await sql<Row>`
    with looked as materialized (
      select id, transaction_id from audit_events
       where organization_id = ${organizationId} and id > ${after} and ${upTo === undefined ? sql`true` : sql`id <= ${upTo}`}
       order by id limit ${scanned}),
    unsealed as (
      select e.id, coalesce(e.transaction_id < p.transaction_id or (e.transaction_id = p.transaction_id and e.id <= p.id)
                            or e.transaction_id >= pg_snapshot_xmax(pg_current_snapshot()), false) as is_passed
        from looked e left join feed_positions p on p.consumer = 'seal-events'
       where not exists (select from audit_leaves l where l.organization_id = ${organizationId} and l.event_id = e.id)),
    slipped as (select id from unsealed where is_passed order by id limit ${limit})
    select (select count(*)::int from looked) as count, (select id from looked order by id desc limit 1) as last,
           array(select id from slipped order by id) as ids,
           array(select event_id from audit_rejected_events r join slipped s on s.id = r.event_id where r.organization_id = ${organizationId}) as rejected,
           array(select id from unsealed where not is_passed order by id) as waiting`.execute(tx);
  const { count, last, ids, rejected, waiting } = rows[0] ?? { count: 0, last: null, ids: [], rejected: [], waiting: [] };
  const unauthentic = await findUnauthentic(tx, organizationId, waiting);
  const isWhole = count < scanned;
  return {
    ids: [...ids, ...unauthentic].sort().slice(0, limit),
    rejected: new Set([...rejected, ...unauthentic]),
    upTo: (isWhole ? upTo : last) ?? last ?? after,
    isWhole,
  };
};
