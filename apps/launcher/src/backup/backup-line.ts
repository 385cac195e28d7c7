import type { BackupPart } from '@svc/postgres/backup/backup-part.ts';
import type { EndLine, HeadLine } from './backup-file.ts';

type Shape = (value: unknown) => boolean;

const isText: Shape = (value) => typeof value === 'string';
const isFlag: Shape = (value) => typeof value === 'boolean';
const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isListOf =
  (is: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(is);

/** Checks that a value is an object with each of these members in its type. */
const has =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(members).every(([name, is]) => is((value as Record<string, unknown>)[name]));

const isOptional =
  (is: Shape): Shape =>
  (value) =>
    value === undefined || is(value);

const isKey = has({
  id: isText,
  kind: (value) => value === 'KEY' || value === 'COMMAND',
  wrapped: isOptional(isText),
  made_at: isText,
  made_by: isText,
  reason: isText,
  retired_at: isOptional(isText),
  retired_by: isOptional(isText),
});

const isMigration = has({ name: isText, checksum: isText });
const isHead = has({
  version: isCount,
  taken_at: isText,
  installation: has({ id: isText, key_check: isText, keys: isOptional(isListOf(isKey)) }),
  migrations: isListOf(isMigration),
});

const KINDS: ReadonlyMap<unknown, Shape> = new Map([
  ['table', has({ name: isText, columns: isListOf(isText) })],
  ['rows', has({ rows: isListOf(isText) })],
  ['sequence', has({ name: isText, last_value: isText, is_called: isFlag })],
  ['end', has({ rows: isCount, sha256: isText })],
]);

/** True if the head has every member that a restore needs, in its type. */
export const isWholeHead = (line: object): line is HeadLine => isHead(line);

/** True if a line after the head is of a known kind, with every member of that kind in its type. */
export const isPartOrEnd = (line: object): line is BackupPart | EndLine => KINDS.get((line as { kind?: unknown }).kind)?.(line) ?? false;
