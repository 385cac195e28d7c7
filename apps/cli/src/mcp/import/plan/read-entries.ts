import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isObject } from '../../../files/json-file.ts';
import type { EntryShape, Format } from '../formats/format.ts';
import type { ConfigPath } from '../text/config-text.ts';

/** A server as a configuration names it. */
export type ConfigEntry = { readonly name: string; readonly path: ConfigPath; readonly value: JsonObject };

/** The kind of an entry, or why it stays unchanged. */
export type Server =
  | { readonly kind: 'LOCAL'; readonly program: string; readonly args: readonly string[]; readonly env: JsonObject }
  | { readonly kind: 'REMOTE'; readonly url: string; readonly headers: readonly unknown[] }
  | { readonly kind: 'GOVERNED' }
  | { readonly kind: 'OTHER'; readonly reason: string };

const ENTRIES_MAX = 1_000;

const namedMembers = (value: unknown, path: ConfigPath): readonly ConfigEntry[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, entry]) => (isObject(entry) ? [{ name, path: [...path, name], value: entry }] : []))
    : [];

const listedMembers = (value: unknown, path: ConfigPath): readonly ConfigEntry[] =>
  Array.isArray(value)
    ? value.flatMap((entry, index) =>
        isObject(entry) && typeof entry.name === 'string' ? [{ name: entry.name, path: [...path, index], value: entry }] : [],
      )
    : [];

const findContainers = (value: unknown, steps: readonly string[], path: ConfigPath = []): readonly (readonly [unknown, ConfigPath])[] => {
  const [step, ...rest] = steps;
  if (step === undefined) return [[value, path]];
  if (!isObject(value)) return [];
  const names = step === '*' ? Object.keys(value) : [step];
  return names.filter((name) => Object.hasOwn(value, name)).flatMap((name) => findContainers(value[name], rest, [...path, name]));
};

export const listEntries = (format: Format, document: unknown): readonly ConfigEntry[] =>
  format.containers
    .flatMap((steps) => findContainers(document, steps))
    .flatMap(([value, path]) => (format.isList ? listedMembers(value, path) : namedMembers(value, path)))
    .slice(0, ENTRIES_MAX);

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;

const readCommand = ({ command }: EntryShape, value: JsonObject): readonly string[] | undefined => {
  if ('list' in command) return texts(value[command.list]);
  const program = value[command.program];
  const args = value[command.args] === undefined ? [] : texts(value[command.args]);
  return typeof program === 'string' && args !== undefined ? [program, ...args] : undefined;
};

/** True for a command that this one wrote, under any name of the program. */
const isGoverned = (words: readonly string[]): boolean => words.some((word, at) => word === 'mcp' && words[at + 1] === 'proxy');

const readUrl = ({ url }: EntryShape, value: JsonObject): string | undefined =>
  url.map((member) => value[member]).find((found): found is string => typeof found === 'string');

const readRemote = (shape: EntryShape, value: JsonObject, url: string): Server => {
  const { type } = value;
  if (typeof type === 'string' && shape.type !== undefined && !shape.type.remote.includes(type))
    return { kind: 'OTHER', reason: `its type is ${JSON.stringify(type.slice(0, 40))}, and only streamable HTTP is supported` };
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || url.includes('${'))
    return { kind: 'OTHER', reason: 'its address is not an http or https URL, or holds a variable' };
  return { kind: 'REMOTE', url, headers: shape.headers.map((member) => value[member]).filter((each) => each !== undefined) };
};

export const readServer = ({ shape }: Format, { value }: ConfigEntry): Server => {
  const words = readCommand(shape, value);
  const [program, ...args] = words ?? [];
  if (words !== undefined && isGoverned(words)) return { kind: 'GOVERNED' };
  const url = readUrl(shape, value);
  if (url !== undefined && program !== undefined) return { kind: 'OTHER', reason: 'it has both a command and an address' };
  if (url !== undefined) return readRemote(shape, value, url);
  if (program === undefined || program === '') return { kind: 'OTHER', reason: 'it has no command and no address that this version knows' };
  const env = shape.env.map((member) => value[member]).find(isObject) ?? {};
  return { kind: 'LOCAL', program, args, env };
};
