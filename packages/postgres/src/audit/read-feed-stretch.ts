import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { EVENT_NAMES, type StoredEventRow } from './as-audit-event.ts';
import { isAfter } from './feed-horizon.ts';
import { type FeedEvent, type FeedInterest, type FeedPosition, ofRow } from './read-feed.ts';

export type FeedStretch = {
  readonly events: readonly FeedEvent[];
  /** Nothing more will appear up to here. */
  readonly reached: FeedPosition;
};

/** Returns the position and time of an event, as far as the transaction sees it. */
export const findPosition = async (tx: TenantTransaction, organizationId: string, id: string) => {
  const found = await tx
    .selectFrom('audit_events')
    .select(['transaction_id', 'occurred_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found && { position: { transaction_id: found.transaction_id, id }, occurred_at: found.occurred_at };
};

const stepEnd = ({ transaction_id }: FeedPosition, upTo: FeedPosition): FeedPosition => {
  const end = { transaction_id: String(BigInt(transaction_id) + BigInt(LIMITS.streams.stepTransactionsMax)), id: '' };
  return isAfter(end, upTo) ? upTo : end;
};

/**
 * Reads one bounded step between two settled positions, in the order of the feed: a maximum number of events,
 * and of transactions of any writer. Uninteresting events are skipped.
 */
export const readFeedStretch = async (
  tx: TenantTransaction,
  organizationId: string,
  after: FeedPosition,
  upTo: FeedPosition,
  { most = LIMITS.streams.stepEventsMax, interest = sql<boolean>`true` }: { readonly most?: number; readonly interest?: FeedInterest } = {},
): Promise<FeedStretch> => {
  const end = stepEnd(after, upTo);
  const names = sql.join(['transaction_id', ...EVENT_NAMES].map((name) => sql.ref(name)));
  const { rows } = await sql<StoredEventRow & { transaction_id: string }>`
    select ${names} from audit_events e
     where organization_id = ${organizationId} and ${interest}
       and transaction_id >= ${after.transaction_id}::xid8 and (transaction_id > ${after.transaction_id}::xid8 or id > ${after.id})
       and transaction_id <= ${end.transaction_id}::xid8 and (transaction_id < ${end.transaction_id}::xid8 or id <= ${end.id})
     order by transaction_id, id limit ${most}`.execute(tx);
  const events = rows.map(ofRow);
  return { events, reached: events.length < most ? end : (events.at(-1)?.position ?? end) };
};
