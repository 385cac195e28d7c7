import type { Insertable } from 'kysely';
import { type EventAuthenticator, getEventAuthenticator } from '../connection/event-authenticator.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Tables } from '../connection/tables.ts';
import type { StoredEventRow as KeptRow } from './as-audit-event.ts';
import type { EmittedEvent } from './emitted-event.ts';
import { EVENT_COLUMNS, type EventSource } from './event-columns.ts';
import { withRecordDigests } from './records/digest-noted.ts';
import { macOfRow } from './row-mac.ts';

type EventRow = Insertable<Tables['audit_events']>;

const columns = Object.entries(EVENT_COLUMNS);

const getRow = (told: EmittedEvent): EventRow => Object.fromEntries(columns.map(([name, { read }]) => [name, read(told)])) as EventRow;

/** Returns a text as the database stores it: an unpaired surrogate is replaced. */
const kept = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : (value ?? null));

/** The row as it is read back after it was written. */
const asKept = (row: EventRow): KeptRow => ({
  ...(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, kept(value)])) as KeptRow),
  occurred_at: new Date(row.occurred_at as string | Date).toISOString(),
  data: JSON.parse(row.data as string),
});

const authenticatedRow = (authenticator: EventAuthenticator, told: EmittedEvent): EventRow => {
  const row = getRow(told);
  return { ...row, mac: Buffer.from(macOfRow(authenticator, asKept(row)), 'hex') };
};

/** Maximum rows of one statement, which takes 65,535 values at most, and blocks other work while it is built. */
const TOGETHER_MAX = 500;

/**
 * Adds events of one organization to the record, in the transaction of the change that they state and after its last statement: they carry the
 * digests of the records that it changed.
 */
export const appendEvents = async (tx: TenantTransaction, stated: readonly EmittedEvent[]): Promise<void> => {
  const authenticator = getEventAuthenticator(tx);
  const events = await withRecordDigests(tx, stated);
  for (let from = 0; from < events.length; from += TOGETHER_MAX)
    await tx
      .insertInto('audit_events')
      .values(events.slice(from, from + TOGETHER_MAX).map((told) => authenticatedRow(authenticator, told)))
      .execute();
};

/**
 * The same as a part of a statement that records actions: SQL that adds an event about an action, with its leaf, for each row of `rows`.
 */
export const formatAppendEventsText = ({ rows, ...from }: EventSource & { readonly rows: string }): string =>
  `insert into audit_events (${columns.map(([name]) => name).join(', ')}, leaf_hash, mac)
    select ${columns.map(([, { text }]) => text(from)).join(', ')}, ${from.event}.leaf_hash, ${from.event}.mac from ${rows}`;
