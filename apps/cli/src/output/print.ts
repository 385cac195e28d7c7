import { isObject } from '../files/json-file.ts';
import type { Cli } from '../session/cli.ts';
import { escapeControlCharacters, type Io, type Style } from '../terminal/io.ts';

const COLUMNS_MAX = 7;
const CELL_MIN = 6;
/** Members shown first, where an item has them. */
const FIRST = [
  'id',
  'name',
  'email',
  'slug',
  'status',
  'decision',
  'tool',
  'agent_name',
  'type',
  'kind',
  'mode',
  'context_scope',
  'amount',
  'currency',
  'reason',
  'code',
  'severity',
];
const LAST = ['created_at', 'occurred_at', 'expires_at'];

const WORD_STYLES: Readonly<Record<string, Style>> = {
  ACTIVE: 'green',
  ALLOW: 'green',
  ALLOWED: 'green',
  APPROVED: 'green',
  COMPLETED: 'green',
  BLOCK: 'red',
  BLOCKED: 'red',
  DENIED: 'red',
  FAILED: 'red',
  REVOKED: 'red',
  ISOLATED: 'red',
  REQUIRE_APPROVAL: 'yellow',
  AWAITING_APPROVAL: 'yellow',
  PENDING: 'yellow',
  PAUSED: 'yellow',
  SUSPENDED: 'yellow',
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const STEPS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** A time as a distance from now, such as "2 h ago". */
export const getRelativeTime = (time: string, now = Date.now()): string => {
  const distance = Date.parse(time) - now;
  const [size, unit] = STEPS.find(([step]) => Math.abs(distance) >= step) ?? [1_000, 's'];
  const count = Math.floor(Math.abs(distance) / size);
  return distance > 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`;
};

const cellText = (io: Io, value: unknown): string => {
  if (value === null || value === undefined) return io.table ? '-' : '';
  if (typeof value === 'string') return io.table && TIME.test(value) ? getRelativeTime(value) : escapeControlCharacters(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return escapeControlCharacters(value.join(', '));
  return escapeControlCharacters(typeof value === 'object' ? JSON.stringify(value) : String(value));
};

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const chooseColumns = (items: readonly Readonly<Record<string, unknown>>[]): readonly string[] => {
  const [first = {}] = items;
  const scalar = Object.keys(first).filter((name) => items.slice(0, 50).every((item) => isScalar(item[name])));
  const rank = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : LAST.includes(name) ? 200 : 100);
  const ordered = scalar.toSorted((left, right) => rank(left) - rank(right));
  const ending = ordered.filter((name) => LAST.includes(name)).slice(0, 1);
  return [...ordered.filter((name) => !LAST.includes(name)).slice(0, COLUMNS_MAX - ending.length), ...ending];
};

const cut = (text: string, width: number): string => (text.length <= width ? text.padEnd(width) : `${text.slice(0, width - 1)}…`);

/** Widths that fit the terminal: the widest columns give way, and ids stay whole. */
const fitWidths = (widths: readonly number[], columns: number): readonly number[] => {
  const fitted = [...widths];
  while (fitted.reduce((sum, each) => sum + each + 2, 0) > columns) {
    const widest = Math.max(...fitted.slice(1), 0);
    if (widest <= CELL_MIN) break;
    fitted[fitted.lastIndexOf(widest)] = widest - 1;
  }
  return fitted;
};

const printRows = (io: Io, header: readonly string[], rows: readonly (readonly string[])[]): void => {
  if (!io.table) {
    for (const row of rows) io.out(row.map((cell) => cell.replaceAll('\t', ' ')).join('\t'));
    return;
  }
  const natural = header.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const widths = fitWidths(natural, io.columns);
  io.out(
    io.paint(
      'dim',
      header
        .map((name, index) => cut(name, widths[index] ?? CELL_MIN))
        .join('  ')
        .trimEnd(),
    ),
  );
  for (const row of rows) {
    const cells = row.map((cell, index) => {
      const text = cut(cell, widths[index] ?? CELL_MIN);
      const style = WORD_STYLES[cell];
      return style === undefined ? text : io.paint(style, text);
    });
    io.out(cells.join('  ').trimEnd());
  }
};

export const printList = (io: Io, items: readonly unknown[], wanted?: readonly string[]): void => {
  if (items.length === 0) {
    io.note('Nothing found.');
    return;
  }
  if (!items.every(isObject)) {
    for (const item of items) io.out(cellText(io, item));
    return;
  }
  const columns = wanted ?? chooseColumns(items);
  printRows(
    io,
    columns.map((name) => name.toUpperCase()),
    items.map((item) => columns.map((name) => cellText(io, item[name]))),
  );
};

/** One object as lines of name and value; what is nested is indented JSON. */
const printObject = (io: Io, value: Readonly<Record<string, unknown>>): void => {
  const width = Math.max(...Object.keys(value).map((name) => name.length), 0);
  for (const [name, member] of Object.entries(value)) {
    if (!io.table) io.out(`${name}\t${cellText(io, member)}`);
    else if (isScalar(member) || (Array.isArray(member) && member.every(isScalar)))
      io.out(`${io.paint('dim', name.padEnd(width))}  ${cellText(io, member)}`);
    else {
      io.out(io.paint('dim', name));
      for (const line of JSON.stringify(member, undefined, 2).split('\n')) io.out(`  ${escapeControlCharacters(line).trimEnd()}`);
    }
  }
};

const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, name) => (isObject(found) || Array.isArray(found) ? Reflect.get(found, name) : undefined), value);

const pick = (value: unknown, fields: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((each) => pick(each, fields));
  if (!isObject(value)) return value;
  if (Array.isArray(value.items)) return { ...value, items: pick(value.items, fields) };
  if (Array.isArray(value.data) && isObject(value.page)) return { ...value, data: pick(value.data, fields) };
  return Object.fromEntries(fields.map((name) => [name, memberAt(value, name)]));
};

const listValueHere = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  if (Array.isArray(value.items) && ('total' in value || Object.keys(value).length === 1)) return value.items;
  return Array.isArray(value.data) && isObject(value.page) ? value.data : undefined;
};

const writeResult = (cli: Cli, value: unknown, human?: () => void): void => {
  const { io, options, json } = cli;
  const fields = options.fields?.split(',').map((name) => name.trim());
  if (options.field !== undefined) {
    const listed = listValueHere(value);
    for (const each of listed ?? [value]) {
      const found = memberAt(each, options.field);
      io.out(typeof found === 'string' ? found : JSON.stringify(found ?? null));
    }
    return;
  }
  if (json) io.out(JSON.stringify(fields === undefined ? (value ?? null) : pick(value, fields), undefined, io.table ? 2 : undefined));
  else if (human !== undefined && fields === undefined) human();
  else {
    const listed = listValueHere(value);
    if (listed !== undefined) printList(io, listed, fields);
    else if (isObject(value))
      printObject(
        io,
        isObject(fields === undefined ? value : pick(value, fields))
          ? (pick(value, fields ?? Object.keys(value)) as Readonly<Record<string, unknown>>)
          : value,
      );
    else if (value !== undefined) io.out(cellText(io, value));
  }
};

/** Prints a result: one JSON document, one value (--field), or text for people; in a pager if the terminal is too short for it. */
export const printResult = (cli: Cli, value: unknown, human?: () => void): void => cli.io.outInPager(() => writeResult(cli, value, human));
