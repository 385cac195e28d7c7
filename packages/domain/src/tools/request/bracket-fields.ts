import { carriesSecret } from '../secret-looks.ts';
import { formatScalarText } from './text-template.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** The end of a field name of a query or a form under which all members of one parameter are written, as `name[member]`. */
const MARK = '[*]';

/** The name before `[*]`; undefined for a field of one value. */
export const spreadBase = (name: string): string | undefined => (name.endsWith(MARK) ? name.slice(0, -MARK.length) : undefined);

/**
 * Returns why the names of a template conflict; undefined if they do not. The caller names the members of a spread field, so no other field
 * may have a name that they could repeat.
 */
export const findSpreadNamesFault = (names: readonly string[]): { readonly name: string; readonly message: string } | undefined => {
  const plain = names.map((name) => name.toLowerCase());
  for (const name of names) {
    const base = spreadBase(name)?.toLowerCase();
    if (base === undefined) continue;
    if (base === '') return { name, message: 'must have a name before [*]' };
    const other = plain.find((each) => each !== name.toLowerCase() && (each === base || each.startsWith(`${base}[`)));
    if (other !== undefined) return { name, message: `must not be used together with ${other}, because a member could have the same name` };
  }
  return undefined;
};

export type FieldBounds = { readonly fieldsMax: number; readonly valueCharactersMax: number; readonly refusesSecrets: boolean };

const LEVELS_MAX = 8;
const KEY_CHARACTERS_MAX = 200;

type Writing = FieldBounds & { readonly written: [string, string][] };
type Written = string | undefined;

const keyFault = (key: string, { refusesSecrets }: FieldBounds): Written => {
  if (key === '' || key.length > KEY_CHARACTERS_MAX || /[[\]]/.test(key) || !key.isWellFormed())
    return `must have member names of 1 to ${KEY_CHARACTERS_MAX} characters without brackets`;
  return refusesSecrets && carriesSecret(key, 'query')
    ? `must not have a member ${key} in the query, because queries are recorded`
    : undefined;
};

const writeText = (name: string, value: unknown, on: Writing): Written => {
  const text = formatScalarText(value);
  if (text === undefined || text.length > on.valueCharactersMax)
    return `must contain strings of at most ${on.valueCharactersMax} characters, numbers, booleans, lists and objects`;
  on.written.push([name, text]);
  return on.written.length > on.fieldsMax ? `must have at most ${on.fieldsMax} values` : undefined;
};

const firstFault = <Item>(items: Iterable<Item>, write: (item: Item) => Written): Written => {
  for (const item of items) {
    const fault = write(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const writeMembers = (name: string, members: Members, level: number, on: Writing): Written =>
  firstFault(Object.entries(members), ([key, member]) => keyFault(key, on) ?? write(`${name}[${key}]`, member, level + 1, on));

const writeItems = (name: string, items: readonly unknown[], level: number, on: Writing): Written => {
  const isPlain = items.every((item) => typeof item !== 'object' || item === null);
  return firstFault(items.entries(), ([index, item]) => write(isPlain ? `${name}[]` : `${name}[${index}]`, item, level + 1, on));
};

const write = (name: string, value: unknown, level: number, on: Writing): Written => {
  if (value === undefined || value === null) return undefined;
  if (level > LEVELS_MAX) return `must not nest deeper than ${LEVELS_MAX} levels`;
  if (Array.isArray(value)) return writeItems(name, value, level, on);
  return isMembers(value) ? writeMembers(name, value, level, on) : writeText(name, value, on);
};

/**
 * The fields of one parameter: members of an object as `name[member]`, plain lists as `name[]`, and lists of objects as `name[0][member]`. Nulls are
 * left out. A text is the reason that the value cannot be written.
 */
export const listBracketFields = (name: string, value: unknown, bounds: FieldBounds): readonly (readonly [string, string])[] | string => {
  const on: Writing = { ...bounds, written: [] };
  return write(name, value, 1, on) ?? on.written;
};
