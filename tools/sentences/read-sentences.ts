import type { SourceFile } from '../source.ts';
import { countWords } from './markers.ts';

/** One string that a user, an operator or a client can read. `kind` is the property, the call or the element that holds it. */
type Sentence = {
  readonly path: string;
  readonly line: number;
  readonly area: string;
  readonly kind: string;
  readonly text: string;
};

type Named = { readonly type: string; readonly name?: unknown; readonly value?: unknown; readonly property?: Named };

const sqlWords =
  /^\(?(?:select|insert|update|delete|with|begin|commit|create|alter|drop|set|lock|grant|revoke|analyze|vacuum)\b|\b(?:from|where|join|on conflict|as [a-z]\b|order by|interval)\b/iu;
const sqlCalls = new Set(['execute', 'query', 'sql', 'raw']);
const wordsMin = 3;

const isProduct = ({ folder, isTest }: SourceFile): boolean =>
  /^(?:packages|apps)\//u.test(folder) && folder !== 'packages/testing' && !isTest;

const isSql = (text: string, folder: string, kind: string): boolean =>
  sqlCalls.has(kind) ||
  /^(?:inner|left)Join$/u.test(kind) ||
  (folder === 'packages/postgres' && !/(?:Error|Fault|fault)$/u.test(kind) && sqlWords.test(text));

/** Prose has several words with spaces between them, and is not a statement of SQL. */
const isProse = (text: string, folder: string, kind: string): boolean =>
  /\p{L}\s+\p{L}/u.test(text) && countWords(text) >= wordsMin && !isSql(text, folder, kind);

const getName = (node: Named | undefined): string => {
  if (node === undefined) return '';
  if (node.type === 'MemberExpression') return getName(node.property);
  if (typeof node.name === 'string') return node.name;
  return typeof node.value === 'string' ? node.value : '';
};

/** Lists the user-facing strings of a file in order. */
const listSentences = (source: SourceFile): Sentence[] => {
  const { path, folder: area, lineAt } = source;
  const found: Sentence[] = [];
  const holders: string[] = [];
  const add = (text: string, start: number, kind = holders.at(-1) ?? 'text'): void => {
    const line = text.replace(/\s+/gu, ' ').trim();
    if (kind === 'JSXText' ? /\p{L}{2}/u.test(line) : isProse(line, area, kind))
      found.push({ path, line: lineAt(start), area, kind, text: line });
  };
  const open = (name: string) => holders.push(name || (holders.at(-1) ?? 'text'));
  const close = () => holders.pop();
  source.visit({
    Property: ({ key }) => void open(getName(key as Named)),
    'Property:exit': close,
    CallExpression: ({ callee }) => void open(getName(callee as Named)),
    'CallExpression:exit': close,
    NewExpression: ({ callee }) => void open(getName(callee as Named)),
    'NewExpression:exit': close,
    JSXAttribute: ({ name }) => void open(getName(name as Named)),
    'JSXAttribute:exit': close,
    Literal: (node) => {
      if (typeof node.value === 'string') add(node.value, node.start);
    },
    TemplateLiteral: ({ quasis, start }) => add(quasis.map(({ value }) => value.cooked ?? '').join('…'), start),
    JSXText: ({ value, start }) => add(value, start, 'JSXText'),
  });
  return found;
};

/** Lists every user-facing string of the packages and programs. */
export const readSentences = (sources: readonly SourceFile[]): Sentence[] => sources.filter(isProduct).flatMap(listSentences);
