import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { FeedPosition } from '@svc/postgres/audit/read-feed.ts';
import { findPosition } from '@svc/postgres/audit/read-feed-stretch.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { EventHub } from './open-event-hub.ts';
import type { PositionIds, StreamPosition } from './position-ids.ts';

/** Dependencies of the event stream. */
export type EventStream = { readonly hub: EventHub; readonly ids: PositionIds };

/** Members of a streaming call that resuming reads; the same for every stream. */
type Streaming = Pick<Call<Endpoints['streamEvents']>, 'scope' | 'database' | 'lastEventId' | 'now' | 'refuse' | 'fault'> & {
  readonly query: { readonly after?: string };
};

const SEARCH = 'read what happened since with GET /v1/audit-events, then open the stream with the id of the newest event of that';

/** Returns the position of the id of an event that the caller may see, or of a stream. An id of another tenant is treated as unknown. */
const readPlace = async (call: Streaming, ids: PositionIds, id: string): Promise<StreamPosition | undefined> => {
  if (!isId('audit_event', id)) return ids.read(id);
  const { organization_id } = call.scope;
  const found = await readInTenant(call.database, call.scope, (tx) => findPosition(tx, organization_id, id));
  return found && { position: found.position, atMs: Date.parse(found.occurred_at) };
};

/** Returns the position after which the stream begins: now, or where the caller was before. */
export const findResumePosition = async (
  call: Streaming,
  { hub, ids }: EventStream,
): Promise<FeedPosition | Refusal<'INVALID_REQUEST' | 'VALIDATION_FAILED'>> => {
  const { settled, next_transaction_id } = await hub.horizon();
  const { lastEventId = '' } = call;
  const asked = lastEventId || call.query.after;
  if (asked === undefined) return settled;
  const refuse = (message: string): Refusal<'INVALID_REQUEST' | 'VALIDATION_FAILED'> =>
    lastEventId ? call.refuse('INVALID_REQUEST', `The header Last-Event-ID ${message}`) : call.fault('/after', `This ${message}`);
  const told = await readPlace(call, ids, asked);
  // A position ahead of the database comes from a database that this one was restored from.
  if (told === undefined || BigInt(told.position.transaction_id) >= BigInt(next_transaction_id))
    return refuse(`is not the id of an event that you can read: ${SEARCH}.`);
  const { resumeSeconds } = LIMITS.streams;
  if (call.now.getTime() - told.atMs > resumeSeconds * 1_000) {
    const since = new Date(told.atMs).toISOString();
    return refuse(`is of ${since}, and a stream is taken up again within ${resumeSeconds / 60} minutes: ${SEARCH} (from=${since}).`);
  }
  return told.position;
};
