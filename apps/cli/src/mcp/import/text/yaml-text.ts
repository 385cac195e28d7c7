import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { ConfigPath, MemberEdit } from './config-text.ts';
import { applySplices, getIndentation, getLineEnd, getLineStart, getNextLine, type Splice } from './splices.ts';

const ALIASES_MAX = 100;

const open = (text: string) => {
  const document = parseDocument(text, { keepSourceTokens: true });
  return document.errors.length > 0 ? undefined : document;
};

export const readYaml = (text: string): unknown => open(text)?.toJS({ maxAliasCount: ALIASES_MAX });

type Range = readonly [number, number];

const readRange = (node: unknown): Range | undefined => {
  const { range } = node as { readonly range?: readonly number[] | null };
  const [from, to] = range ?? [];
  return from === undefined || to === undefined ? undefined : [from, to];
};

const findMap = (text: string, path: ConfigPath): YAMLMap | undefined => {
  const node = open(text)?.getIn(path, true);
  // Members in braces have no lines of their own.
  return isMap(node) && node.flow !== true ? node : undefined;
};

const findPair = (map: YAMLMap, member: string): Pair | undefined => map.items.find(({ key }) => isScalar(key) && key.value === member);

/** End of a value, without the white space that block values end with. */
const trimmedEnd = (text: string, [from, to]: Range): number => from + text.slice(from, to).trimEnd().length;

/** JSON is YAML, and a flow value needs no indentation. */
const replacePair = (text: string, { key, value }: Pair, next: unknown): Splice | undefined => {
  const [keyRange, valueRange] = [readRange(key), value === null ? readRange(key) : readRange(value)];
  if (keyRange === undefined || valueRange === undefined) return undefined;
  const isInline = !isMap(value) && !isSeq(value);
  const from = isInline ? valueRange[0] : keyRange[1];
  return { from, to: trimmedEnd(text, [from, valueRange[1]]), text: `${isInline ? '' : ': '}${JSON.stringify(next)}` };
};

const removePair = (text: string, { key, value }: Pair): Splice | undefined => {
  const [keyRange, valueRange] = [readRange(key), readRange(value)];
  if (keyRange === undefined || valueRange === undefined || getIndentation(text, keyRange[0]) === undefined) return undefined;
  return { from: getLineStart(text, keyRange[0]), to: getNextLine(text, trimmedEnd(text, [keyRange[0], valueRange[1]])), text: '' };
};

const insertPair = (text: string, map: YAMLMap, member: string, value: unknown): Splice | undefined => {
  const [first] = map.items;
  const keyRange = first === undefined ? undefined : readRange(first.key);
  if (first === undefined || keyRange === undefined) return undefined;
  const indent = ' '.repeat(keyRange[0] - getLineStart(text, keyRange[0]));
  // Before the first member, since the lines of that one may be removed: `- name: x` begins a list item on the line of its first member.
  const line = `${member}: ${JSON.stringify(value)}${getLineEnd(text)}${indent}`;
  return { from: keyRange[0], to: keyRange[0], text: line };
};

const editMember = (text: string, path: ConfigPath, member: string, value: unknown): string | undefined => {
  const map = findMap(text, path);
  if (map === undefined) return undefined;
  const pair = findPair(map, member);
  const isRemoved = value === undefined;
  if (pair === undefined && isRemoved) return text;
  const splice =
    pair === undefined ? insertPair(text, map, member, value) : isRemoved ? removePair(text, pair) : replacePair(text, pair, value);
  return splice === undefined ? undefined : applySplices(text, [splice]);
};

export const editYaml = (text: string, { path, set, remove }: MemberEdit): string | undefined =>
  [...Object.entries(set), ...remove.map((member) => [member, undefined] as const)].reduce<string | undefined>(
    (changed, [member, value]) => (changed === undefined ? undefined : editMember(changed, path, member, value)),
    text,
  );
