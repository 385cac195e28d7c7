import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isObject } from '../../../files/json-file.ts';
import type { EntryShape, Format } from '../formats/format.ts';
import { type ConfigPath, type MemberEdit, SYNTAXES } from '../text/config-text.ts';
import type { ConfigEntry } from './read-entries.ts';

/** The command that a client starts instead. */
export type NewCommand = { readonly program: string; readonly args: readonly string[] };

const commandMembers = ({ command }: EntryShape, { program, args }: NewCommand): JsonObject =>
  'list' in command ? { [command.list]: [program, ...args] } : { [command.program]: program, [command.args]: args };

const typeMember = ({ type }: EntryShape, value: JsonObject): JsonObject =>
  type !== undefined && (type.isRequired || value.type !== undefined) ? { type: type.local } : {};

/** The change of an entry: a remote one becomes local, and loses its address and headers. */
export const newEdit = ({ shape }: Format, { path, value }: ConfigEntry, command: NewCommand, isRemote: boolean): MemberEdit => ({
  path,
  set: { ...(isRemote ? typeMember(shape, value) : {}), ...commandMembers(shape, command) },
  remove: isRemote ? [...shape.url, ...shape.headers].filter((member) => value[member] !== undefined) : [],
});

const changed = (value: unknown, [step, ...rest]: ConfigPath, { set, remove }: Omit<MemberEdit, 'path'>): unknown => {
  if (step === undefined)
    return Object.fromEntries(Object.entries({ ...(isObject(value) ? value : {}), ...set }).filter(([name]) => !remove.includes(name)));
  if (Array.isArray(value)) return value.map((each, index) => (index === step ? changed(each, rest, { set, remove }) : each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === step ? changed(each, rest, { set, remove }) : each]),
  );
};

/** The text with a changed entry. Undefined unless it then says exactly what it said before, with this change and no other. */
export const rewriteEntry = (format: Format, text: string, edit: MemberEdit): string | undefined => {
  const { read, edit: change } = SYNTAXES[format.syntax];
  const next = change(text, edit);
  if (next === undefined) return undefined;
  return isDeepStrictEqual(plainData(read(next)), plainData(changed(read(text), edit.path, edit))) ? next : undefined;
};

/** Members without their order, and without prototypes of parsers. */
const plainData = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainData);
  if (!isObject(value) || value instanceof Date) return value;
  return new Map(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, plainData(value[name])]),
  );
};
