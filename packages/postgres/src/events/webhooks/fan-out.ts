import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { sql } from 'kysely';
import type { FeedInterest } from '../../audit/read-feed.ts';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { covers } from './covers.ts';

/** Events that any subscription is for: nothing is read of those of an organization that has none. */
export const isSubscribedTo: FeedInterest = sql<boolean>`exists (
  select from webhook_subscriptions s where s.organization_id = e.organization_id and s.status = 'ACTIVE' and e.type = any (s.event_types))`;

type Pair = { readonly n: number; readonly subscription_id: string };

/** Which subscriptions of which organizations each event is for, in the order of the events: the n-th of them, from 1. */
const readPairs = async (tx: Database | TenantTransaction, events: readonly AuditEvent[]): Promise<Pair[]> => {
  const { rows } = await sql<Pair>`
    select e.n::integer as n, s.id as subscription_id
      from unnest(${events.map((each) => each.organization_id)}::text[], ${events.map(({ type }) => type)}::text[],
                  ${events.map((each) => each.workspace_id)}::text[], ${events.map((each) => each.environment_id)}::text[])
           with ordinality as e (organization_id, type, workspace_id, environment_id, n)
      join webhook_subscriptions s on s.organization_id = e.organization_id and s.status = 'ACTIVE' and ${covers('e')}
     order by e.n, s.id`.execute(tx);
  return rows;
};

/**
 * Enqueues a delivery of each event for each subscription that covers its type and scope. The content stays in the record; a
 * delivery only refers to it.
 */
export const fanOut = async (
  tx: Database | TenantTransaction,
  events: readonly AuditEvent[],
  newDeliveryId: () => string,
): Promise<number> => {
  const pairs = events.length === 0 ? [] : await readPairs(tx, events);
  const rows = pairs.flatMap(({ n, subscription_id }) => {
    const event = events[n - 1];
    return event === undefined ? [] : [{ event, subscription_id }];
  });
  if (rows.length === 0) return 0;
  await sql`
    insert into webhook_deliveries (organization_id, id, subscription_id, event_id, event_type, subject_id, workspace_id, environment_id, due_at)
    select organization_id, id, subscription_id, event_id, event_type, subject_id, workspace_id, environment_id, statement_timestamp()
      from unnest(${rows.map(({ event }) => event.organization_id)}::text[], ${rows.map(newDeliveryId)}::text[],
                  ${rows.map((each) => each.subscription_id)}::text[], ${rows.map(({ event }) => event.id)}::text[],
                  ${rows.map(({ event }) => event.type)}::text[], ${rows.map(({ event }) => event.subject.id)}::text[],
                  ${rows.map(({ event }) => event.workspace_id)}::text[], ${rows.map(({ event }) => event.environment_id)}::text[])
           with ordinality as e (organization_id, id, subscription_id, event_id, event_type, subject_id, workspace_id, environment_id, n)
     order by n`.execute(tx);
  return rows.length;
};
