import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import type { ConfigPath, MemberEdit } from './config-text.ts';
import { applySplices, getLineEnd, getLineStart, getNextLine, type Splice } from './splices.ts';

const open = (text: string): AST.TOMLProgram | undefined => {
  try {
    return parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
};

export const readToml = (text: string): unknown => {
  const program = open(text);
  return program && getStaticTOMLValue(program);
};

type Table = AST.TOMLTopLevelTable | AST.TOMLTable | AST.TOMLInlineTable;

const keyNames = ({ keys }: AST.TOMLKey): readonly string[] => keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));

const isSame = (a: readonly (string | number)[], b: readonly (string | number)[]): boolean =>
  a.length === b.length && a.every((step, index) => step === b[index]);

/** Every table with its path: the root, those with a header, and those in braces. */
const listTables = (program: AST.TOMLProgram): readonly (readonly [ConfigPath, Table])[] => {
  const [top] = program.body;
  const found: (readonly [ConfigPath, Table])[] = [[[], top]];
  for (const node of top.body) if (node.type === 'TOMLTable') found.push([node.resolvedKey, node]);
  for (const [path, table] of [...found])
    for (const node of table.body)
      if (node.type === 'TOMLKeyValue' && node.value.type === 'TOMLInlineTable') found.push([[...path, ...keyNames(node.key)], node.value]);
  return found;
};

const isPair = (node: AST.TOMLTable | AST.TOMLKeyValue): node is AST.TOMLKeyValue => node.type === 'TOMLKeyValue';

const listPairs = ({ body }: Table): readonly AST.TOMLKeyValue[] => (body as readonly (AST.TOMLTable | AST.TOMLKeyValue)[]).filter(isPair);

const findPair = (table: Table, member: string): AST.TOMLKeyValue | undefined =>
  listPairs(table).find(({ key }) => isSame(keyNames(key), [member]));

/** JSON texts and lists of them are TOML too. */
const insertPair = (text: string, table: Table, line: string): Splice | undefined => {
  const [first] = listPairs(table);
  if (table.type === 'TOMLInlineTable') {
    const at = first?.range[0] ?? table.range[0] + 1;
    return { from: at, to: at, text: first === undefined ? ` ${line} ` : `${line}, ` };
  }
  const at = first?.range[0] ?? getNextLine(text, table.range[0]);
  return { from: at, to: at, text: `${line}${getLineEnd(text)}` };
};

const removePair = (text: string, table: Table, { range }: AST.TOMLKeyValue): Splice => {
  if (table.type !== 'TOMLInlineTable') return { from: getLineStart(text, range[0]), to: getNextLine(text, range[1]), text: '' };
  const [comma] = /^\s*,\s*/.exec(text.slice(range[1])) ?? [''];
  if (comma !== '') return { from: range[0], to: range[1] + comma.length, text: '' };
  const before = text.slice(0, range[0]).trimEnd();
  return { from: before.endsWith(',') ? before.length - 1 : range[0], to: range[1], text: '' };
};

const removeTable = (text: string, { range }: Table): Splice => ({
  from: getLineStart(text, range[0]),
  to: getNextLine(text, range[1]),
  text: '',
});

const editMember = (text: string, path: ConfigPath, member: string, value: unknown): string | undefined => {
  const program = open(text);
  if (program === undefined) return undefined;
  const tables = listTables(program);
  const [, table] = tables.find(([at]) => isSame(at, path)) ?? [];
  const pair = table && findPair(table, member);
  if (value === undefined) {
    if (table !== undefined && pair !== undefined) return applySplices(text, [removePair(text, table, pair)]);
    const below = tables.filter(([at, { type }]) => type === 'TOMLTable' && isSame(at.slice(0, path.length + 1), [...path, member]));
    return applySplices(
      text,
      below.map(([, found]) => removeTable(text, found)),
    );
  }
  if (table === undefined) return undefined;
  const written = JSON.stringify(value);
  const splice =
    pair === undefined
      ? insertPair(text, table, `${member} = ${written}`)
      : { from: pair.value.range[0], to: pair.value.range[1], text: written };
  return splice === undefined ? undefined : applySplices(text, [splice]);
};

export const editToml = (text: string, { path, set, remove }: MemberEdit): string | undefined =>
  [...Object.entries(set), ...remove.map((member) => [member, undefined] as const)].reduce<string | undefined>(
    (changed, [member, value]) => (changed === undefined ? undefined : editMember(changed, path, member, value)),
    text,
  );
