import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { asAuditEvent, EVENT_NAMES, type EventRow } from './as-audit-event.ts';

/** The last event that a reader has had: kept by the reader, with what it made of that event. */
export type FeedPosition = { readonly transaction_id: string; readonly id: string };

/** Before every event. */
export const FEED_START: FeedPosition = { transaction_id: '0', id: '' };

export type FeedEvent = { readonly position: FeedPosition; readonly event: AuditEvent };

export type FeedQuestion = {
  readonly after: FeedPosition;
  /** Of one organization; without it of every one that the connection may see. */
  readonly organizationId?: string;
  /** At most `LIMITS.audit.feedEventsMax` are read at once, whatever this says. */
  readonly limit: number;
};

type Row = EventRow & { readonly transaction_id: string };

const SIZE = sql.raw('octet_length(data::text)');
const KEY = sql.raw('transaction_id, organization_id, id');

/** Events that were there before transactions were counted: in the order of their ids. */
const ofBefore = (after: FeedPosition, mine: RawBuilder<boolean>, limit: number) => sql`
  (select ${KEY}, ${SIZE} as size from audit_events
    where transaction_id = '0' and ${after.transaction_id}::xid8 = '0' and id > ${after.id} and ${mine}
    order by id limit ${limit})`;

/** Transactions below the horizon are over, whatever they wrote is there, and none comes to be below it again. */
const settled = ({ transaction_id, id }: FeedPosition, mine: RawBuilder<boolean>, limit: number) => sql`
  (select ${KEY}, ${SIZE} as size from audit_events
    where transaction_id > '0' and transaction_id >= ${transaction_id}::xid8 and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
      and (transaction_id > ${transaction_id}::xid8 or id > ${id}) and ${mine}
    order by transaction_id, id limit ${limit})`;

/** The columns of an event beside its key, of the row that the key names. */
const names = sql.join(EVENT_NAMES.map((name) => sql.ref(`e.${name}`)));

/**
 * The events that follow a position, in the one order of the feed: every committed event once, and no gap. A transaction that goes on holds
 * back what began after it, and never makes anything be missed. What they tell is `LIMITS.audit.feedBytesMax` together at most, or one event.
 */
export const readFeed = async (
  database: Database | TenantTransaction,
  { after, organizationId, limit }: FeedQuestion,
): Promise<readonly FeedEvent[]> => {
  const most = Math.min(limit, LIMITS.audit.feedEventsMax);
  const mine = organizationId === undefined ? sql<boolean>`true` : sql<boolean>`organization_id = ${organizationId}`;
  const { rows } = await sql<Row>`
    with feed as materialized (
      select * from (${ofBefore(after, mine, most)} union all ${settled(after, mine, most)}) as found order by transaction_id, id limit ${most}
    ), sized as materialized (
      select ${KEY}, sum(size) over (order by transaction_id, id) - size as before from feed
    )
    select f.transaction_id, ${names} from sized f join audit_events e on e.organization_id = f.organization_id and e.id = f.id
     where f.before < ${LIMITS.audit.feedBytesMax} order by f.transaction_id, f.id`.execute(database);
  return rows.map(({ transaction_id, ...row }) => ({ position: { transaction_id, id: row.id }, event: asAuditEvent(row) }));
};
