import type { Insertable } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Tables } from '../connection/tables.ts';
import { EVENT_COLUMNS, type EventSource } from './event-columns.ts';
import type { ToldEvent } from './told-event.ts';

type EventRow = Insertable<Tables['audit_events']>;

const columns = Object.entries(EVENT_COLUMNS);

const rowOf = (told: ToldEvent): EventRow => Object.fromEntries(columns.map(([name, { read }]) => [name, read(told)])) as EventRow;

/** Of one statement, which takes 65,535 values at most, and holds up everybody else while it is built. */
const TOGETHER_MAX = 500;

/** Adds events to the record, in the transaction of what they tell. */
export const appendEvents = async (tx: TenantTransaction, events: readonly ToldEvent[]): Promise<void> => {
  for (let from = 0; from < events.length; from += TOGETHER_MAX)
    await tx
      .insertInto('audit_events')
      .values(events.slice(from, from + TOGETHER_MAX).map(rowOf))
      .execute();
};

/** The same as a part of a statement that records actions: SQL that adds an event about an action, with its leaf, for each row of `rows`. */
export const appendEventsText = ({ rows, ...from }: EventSource & { readonly rows: string }): string =>
  `insert into audit_events (${columns.map(([name]) => name).join(', ')}, leaf_hash)
    select ${columns.map(([, { text }]) => text(from)).join(', ')}, ${from.event}.leaf_hash from ${rows}`;
