import type { BodyFormat } from '@svc/contract/events/webhooks.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import { asAuditEvent, EVENT_NAMES, type StoredEventRow } from '../../audit/as-audit-event.ts';
import type { Database } from '../../connection/connect.ts';
import { covers } from './covers.ts';
import { MAY_BE_SENT } from './lease-receivers.ts';

/** A started attempt, with everything it sends. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly organization_id: string;
  readonly subscription_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  readonly is_test: boolean;
  /** True if the subscription covers it now: it may have been narrowed since; always for a test. */
  readonly is_covered: boolean;
  readonly created_at: string;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Failures since the last redelivery. */
  readonly failures: number;
  readonly url: string;
  readonly body_format: BodyFormat;
  readonly sealed_secret: Buffer;
  /** While a rotation goes on. */
  readonly sealed_previous_secret: Buffer | null;
  readonly failing_since: string | null;
  readonly vouched_by: string;
  /** Scope of the subscription. */
  readonly place: { readonly workspace_id: string | null; readonly environment_id: string | null };
  /** Undefined of a test, and of an event that the record does not hold any more. */
  readonly event: ReturnType<typeof asAuditEvent> | undefined;
};

/** Checked per free slot: of several for one subject only the first goes. */
const LOOKED_AT = 4;

const lease = sql`statement_timestamp() + make_interval(secs => ${LIMITS.webhooks.deliveryLeaseMs / 1000}::double precision)`;
const TOLD = 'told_';
const ofEvent: RawBuilder<unknown> = sql.join(EVENT_NAMES.map((name) => sql`${sql.ref(`e.${name}`)} as ${sql.ref(TOLD + name)}`));

type Row = Omit<ClaimedDelivery, 'event' | 'place'> & {
  readonly place_workspace_id: string | null;
  readonly place_environment_id: string | null;
} & Readonly<Record<`${typeof TOLD}${keyof StoredEventRow}`, unknown>>;

const getEvent = (row: Row): ClaimedDelivery['event'] =>
  row.told_id === null
    ? undefined
    : asAuditEvent(Object.fromEntries(EVENT_NAMES.map((name) => [name, row[`${TOLD}${name}`]])) as unknown as StoredEventRow);

/**
 * Starts a number of attempts for each receiver, in the order of the feed. Deliveries about one subject go one at a time: the next waits
 * until it has arrived, or has failed and waits for its retry. The number of the attempt is stored before anything is sent.
 */
export const claimDeliveries = async (
  reader: Database,
  worker: string,
  rooms: ReadonlyMap<string, { readonly room: number; readonly inFlight: number }>,
): Promise<ClaimedDelivery[]> => {
  const wanted = [...rooms.values()];
  const { rows } = await sql<Row>`
    with asked as (
      select q.id, q.room, q.looked_at from unnest(${[...rooms.keys()]}::text[], ${wanted.map(({ room }) => room)}::integer[],
        ${wanted.map(({ room, inFlight }) => room * LOOKED_AT + inFlight)}::integer[]) as q (id, room, looked_at)
        join webhook_subscriptions s on s.id = q.id and s.leased_by = ${worker} and s.status = 'ACTIVE' and ${MAY_BE_SENT}),
    next as materialized (
      select n.id from asked q cross join lateral (
        select f.id from (
          select distinct on (d.subject_id) d.id, d.due_at, d.position, d.leased_until from (
            select w.id, w.subject_id, w.due_at, w.position, w.leased_until from webhook_deliveries w
             where w.subscription_id = q.id and w.state = 'WAITING' and w.due_at <= statement_timestamp()
             order by w.due_at, w.position limit q.looked_at) d
           order by d.subject_id, d.due_at, d.position) f
         where f.leased_until is null or f.leased_until < statement_timestamp()
         order by f.due_at, f.position limit q.room) n),
    begun as (
      update webhook_deliveries d set attempts = d.attempts + 1, leased_until = ${lease}
        from next n where d.id = n.id and d.state = 'WAITING'
      returning d.*)
    select d.id, d.organization_id, d.subscription_id, d.event_id, d.event_type, d.workspace_id, d.environment_id, d.is_test, d.is_test or ${covers('d')} as is_covered, d.created_at,
           d.attempts as attempt, d.failures, s.url, s.body_format, s.sealed_secret, s.failing_since, s.vouched_by,
           s.workspace_id as place_workspace_id, s.environment_id as place_environment_id,
           case when s.previous_secret_ends_at > statement_timestamp() then s.sealed_previous_secret end as sealed_previous_secret,
           ${ofEvent}
      from begun d join webhook_subscriptions s on s.id = d.subscription_id
      left join audit_events e on e.organization_id = d.organization_id and e.id = d.event_id
     order by d.due_at, d.position`.execute(reader);
  return rows.map((row) => ({
    ...row,
    place: { workspace_id: row.place_workspace_id, environment_id: row.place_environment_id },
    event: getEvent(row),
  }));
};
