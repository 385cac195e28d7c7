import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isInheritedName } from './inherited-name.ts';

export type FilterValue = string | number | boolean | null;

/** A filter of RFC 7644, section 3.4.2.2. Names of attributes are in lower case, from the outermost. */
export type ScimFilter =
  | { readonly kind: 'and'; readonly of: readonly ScimFilter[] }
  | { readonly kind: 'or'; readonly of: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly of: ScimFilter }
  | { readonly kind: 'within'; readonly path: readonly string[]; readonly of: ScimFilter }
  | { readonly kind: 'present'; readonly path: readonly string[] }
  | { readonly kind: 'compared'; readonly path: readonly string[]; readonly by: string; readonly to: FilterValue };

/** Tokens begin with different characters, so that each text is scanned once; an unterminated string is no token. */
const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]]|[^\s"'()[\]][^\s"()[\]]*/gsy;
/** Typographic quotes: a value that begins with one was meant to be quoted, and would find nothing. */
const OTHER_QUOTE = /^[`´“”„‘’‚«»]/;
const NAME = /^(?:urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):)?([$a-z][\w$-]*(?:\.[$a-z][\w$-]*)*)$/i;
const OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;
/** Maximum nesting of groups, beyond any reasonable filter. */
const depthMax = 8;

type Reader = { readonly tokens: readonly string[]; at: number };

const listTokens = (text: string): string[] | undefined => {
  const tokens = text.match(TOKEN) ?? [];
  return tokens.reduce((length, token) => length + token.length, 0) === text.length
    ? tokens.filter((token) => token.trim() !== '')
    : undefined;
};

const getWord = (token: string | undefined): string => (token ?? '').toLowerCase();

/** Returns the names of an attribute and its parents; none of them inherited. */
export const namesOfAttribute = (text: string): readonly string[] | undefined => {
  const names = NAME.exec(text)?.[1]?.toLowerCase().split('.');
  return names?.some(isInheritedName) ? undefined : names;
};

/** PostgreSQL stores no NUL, and an unpaired surrogate is no character. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the token as a JSON string: in single quotes, a double quote needs no backslash, and a single quote takes one. */
const asJson = (token: string): string =>
  token.startsWith('"')
    ? token
    : `"${token.slice(1, -1).replaceAll(/\\.|"/gs, (found) => (found === "\\'" ? "'" : found === '"' ? '\\"' : found))}"`;

/** Returns the text between quotes: a JSON string, or the literal characters if their backslashes are not JSON. */
const quotedText = (token: string): string => {
  try {
    return JSON.parse(asJson(token)) as string;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return token.slice(1, -1);
  }
};

/** Reads the value of a comparison: quoted text, a literal, or a word for itself. Undefined for text that nothing can equal. */
const getCompared = (token: string): FilterValue | undefined => {
  if (/^["']/.test(token)) {
    const text = quotedText(token);
    return isStorable(text) ? text : undefined;
  }
  const word = getWord(token);
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  if (OTHER_QUOTE.test(token) || !isStorable(token)) return undefined;
  return NUMBER.test(token) ? Number(token) : token;
};

const readComparison = (reader: Reader, path: readonly string[]): ScimFilter | undefined => {
  const by = getWord(reader.tokens[reader.at++]);
  if (by === 'pr') return { kind: 'present', path };
  const value = reader.tokens[reader.at++];
  if (!OPERATORS.has(by) || value === undefined || /^[()[\]]$/.test(value)) return undefined;
  const to = getCompared(value);
  return to === undefined ? undefined : { kind: 'compared', path, by, to };
};

const readWithin = (reader: Reader, depth: number, closing: string): ScimFilter | undefined => {
  reader.at++;
  const of = depth < depthMax ? readAny(reader, depth + 1) : undefined;
  return reader.tokens[reader.at++] === closing ? of : undefined;
};

const readTerm = (reader: Reader, depth: number): ScimFilter | undefined => {
  const word = getWord(reader.tokens[reader.at]);
  if (word === '(') return readWithin(reader, depth, ')');
  if (word === 'not' && reader.tokens[reader.at + 1] === '(') {
    reader.at++;
    const of = readWithin(reader, depth, ')');
    return of && { kind: 'not', of };
  }
  const path = namesOfAttribute(word);
  reader.at++;
  if (path === undefined) return undefined;
  if (reader.tokens[reader.at] !== '[') return readComparison(reader, path);
  const of = readWithin(reader, depth, ']');
  if (of === undefined || !reader.tokens[reader.at]?.startsWith('.')) return of && { kind: 'within', path, of };
  // Some directories compare a part of the values that they chose.
  const part = namesOfAttribute(reader.tokens[reader.at++]?.slice(1) ?? '');
  const compared = part && readComparison(reader, part);
  return compared && { kind: 'within', path, of: { kind: 'and', of: [of, compared] } };
};

const readJoined = (reader: Reader, kind: 'and' | 'or', read: () => ScimFilter | undefined): ScimFilter | undefined => {
  const of: ScimFilter[] = [];
  for (;;) {
    const one = read();
    if (one === undefined) return undefined;
    of.push(one);
    if (getWord(reader.tokens[reader.at]) !== kind) return of.length === 1 ? one : { kind, of };
    reader.at++;
  }
};

const readAny = (reader: Reader, depth: number): ScimFilter | undefined =>
  readJoined(reader, 'or', () => readJoined(reader, 'and', () => readTerm(reader, depth)));

/** Parses a filter in linear time; undefined if it is too long, incomplete, or names something that is not an attribute. */
export const readFilter = (text: string): ScimFilter | undefined => {
  if (text.length > LIMITS.scim.filterCharsMax) return undefined;
  const tokens = listTokens(text);
  if (tokens === undefined) return undefined;
  const reader: Reader = { tokens, at: 0 };
  const filter = readAny(reader, 0);
  return reader.at === tokens.length ? filter : undefined;
};
