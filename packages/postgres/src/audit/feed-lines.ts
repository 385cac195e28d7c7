import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { type RawBuilder, sql } from 'kysely';
import { readTime } from '../connection/read-time.ts';

/** An event as one text of the database's response, split into its columns: thousands are read at once, and objects are built on demand. */
export type FeedLine = readonly string[];

/** The separators of columns, and of events. */
export type Marks = { readonly unit: string; readonly record: string };
export const MARKS: Marks = { unit: '\u001f', record: '\u001e' };

const NUMBERED = new RegExp(`${MARKS.unit}\\d+${MARKS.record}`, 'g');
const numbered = (n: number): string => `${MARKS.unit}${n}${MARKS.record}`;

/** Returns separators that do not occur in a text, found in one pass. */
export const marksBeside = (text: string): Marks => {
  const taken = new Set([...text.matchAll(NUMBERED)].map(([mark]) => mark));
  let n = 0;
  const next = (): string => {
    while (taken.has(numbered(n))) n += 1;
    n += 1;
    return numbered(n - 1);
  };
  return { unit: next(), record: next() };
};

/** The columns of a line, in order. A nullable one begins with a marker, so that null differs from an empty text. */
export const LINE_COLUMNS = [
  ...(['transaction_id', 'organization_id', 'id', 'type', 'occurred_at'] as const),
  ...(['workspace_id', 'environment_id', 'actor_type', 'actor_id', 'actor_name'] as const),
  ...(['subject_type', 'subject_id', 'severity', 'request_id', 'trace_id', 'data'] as const),
];
const NULLABLE = new Set<string>(['workspace_id', 'environment_id', 'actor_name']);
const SIGN = '=';

/** The line of a row `e` as SQL. */
export const toFeedLine = ({ unit }: Marks): RawBuilder<string> => {
  const columns = LINE_COLUMNS.map((name) => {
    const column = sql.ref(`e.${name}`);
    return NULLABLE.has(name) ? sql`coalesce(${sql.lit(SIGN)} || ${column}, '')` : column;
  });
  return sql`concat_ws(${unit}, ${sql.join(columns)})`;
};

/**
 * Splits a text into lines; undefined if the number of separators is wrong. A separator inside a text only adds to the required number, so
 * if
 * the number is right none was added.
 */
export const cutLines = (text: string | null, count: number, { unit, record }: Marks): readonly FeedLine[] | undefined => {
  const lines = text === null ? [] : text.split(record).map((line) => line.split(unit));
  return lines.length === count && lines.every(({ length }) => length === LINE_COLUMNS.length) ? lines : undefined;
};

const told = (line: FeedLine, at: number): string => line[at] as string;
const orNull = (line: FeedLine, at: number): string | null => (line[at] === '' ? null : told(line, at).slice(SIGN.length));

export const readLinePosition = (line: FeedLine) => ({ transaction_id: told(line, 0), id: told(line, 2) });
export const readLineOrganization = (line: FeedLine): string => told(line, 1);

/** Returns an event in API form, its members in the order of canonical JSON, so that serializing it needs no sorting. */
export const eventOfLine = (line: FeedLine): AuditEvent => ({
  actor: { id: told(line, 8), name: orNull(line, 9), type: told(line, 7) },
  data: JSON.parse(told(line, 15)),
  environment_id: orNull(line, 6),
  id: told(line, 2),
  occurred_at: readTime(told(line, 4)),
  organization_id: told(line, 1),
  request_id: told(line, 13),
  sequence: null,
  severity: told(line, 12) as AuditEvent['severity'],
  subject: { id: told(line, 11), type: told(line, 10) as AuditEvent['subject']['type'] },
  trace_id: told(line, 14),
  type: told(line, 3),
  workspace_id: orNull(line, 5),
});
