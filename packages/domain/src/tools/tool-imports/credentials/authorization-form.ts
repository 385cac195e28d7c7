import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';

/** The format of a secret in the header `Authorization`. */
export type AuthorizationForm = Pick<WantedCredential, 'scheme' | 'placement'>;

const HEADER = 'Authorization';
export const PLAIN_FORM: AuthorizationForm = { scheme: 'HEADER', placement: { header: HEADER } };
/** True for a secret that is sent in `Authorization` without a word before it. */
export const isPlainForm = ({ placement: { header, prefix, template } }: AuthorizationForm): boolean =>
  header?.toLowerCase() === 'authorization' && prefix === undefined && template === undefined;
export const UNCLEAR = 'The document does not state which word precedes the key in Authorization, so the key is sent without one.';

const BEARER: AuthorizationForm = { scheme: 'BEARER', placement: {} };
const BASIC: AuthorizationForm = { scheme: 'BASIC', placement: {} };

const PREFIX_MAX = 40;
const isPrefix = (word: string): boolean => word.length <= PREFIX_MAX && /^[A-Za-z][\w-]*$/.test(word);

/** The form of a value that begins with this word, which is followed by a space and the secret. */
const wordForm = (word: string): AuthorizationForm => {
  const plain = word.toLowerCase();
  if (plain === 'bearer') return BEARER;
  if (plain === 'basic') return BASIC;
  return { scheme: 'HEADER', placement: { header: HEADER, prefix: word } };
};

const memberForm = (word: string, member: string, quote: string): AuthorizationForm => ({
  scheme: 'HEADER',
  placement: { header: HEADER, template: `${word} ${member}=${quote}{secret}${quote}` },
});

/** A placeholder for a secret: in brackets, in capitals, or an invented value. */
const PLACEHOLDER =
  '(?:<[^<>]{1,60}>|\\{{1,2}[^{}]{1,60}\\}{1,2}|\\[[^[\\]]{1,60}\\]|\\$\\{?\\w{1,60}\\}?|%\\w{1,20}%?|\\.{3}|…|[A-Z][A-Z0-9]{1,40}(?:[_-][A-Z0-9]{1,40}){0,6}|x{3,60}|(?:your|my)[-_]?[\\w-]{1,40}|(?=[A-Za-z]{0,40}\\d)[\\w.+/=-]{6,200})';
const WHOLE = new RegExp(
  `^(?:${HEADER}\\s?[:=]\\s?)?["']?([A-Za-z][\\w-]{0,39}) {1,3}(?:([A-Za-z_]\\w{0,39})=)?(["']?)${PLACEHOLDER}["']?$`,
);
const BARE = new RegExp(`(?:^|[:=(] ?|\\b(?:format|like|as) )([A-Za-z][\\w-]{0,39}) ${PLACEHOLDER}(?![\\w])`, 'g');
/** Words that are almost always a scheme when a secret follows them. */
const KNOWN: ReadonlySet<string> = new Set(['bearer', 'basic', 'token', 'apikey', 'api-key', 'bot', 'key', 'oauth', 'jwt']);

const QUOTED = /`([^`\n]{1,120})`|"([^"\n]{1,120})"|“([^”\n]{1,120})”|(?<![A-Za-z])'([^'\n]{1,120})'(?![A-Za-z])/g;
const BEFORE_WORD = /\b(?:prefix(?:ed)?|preced(?:ed|ing|es)|begin(?:s|ning)?|starts?|scheme|word|keyword)\b[^.`"'“]{0,30}$/i;
const AFTER_WORD = /^,? ?(?:prefix|scheme|keyword|followed by|and then|then|before|in front)\b/i;
const BEARER_WORD = /\bbearer\b(?! of\b|['’]s)/gi;
const BASIC_WORDS = /\bbasic (?:auth\w{0,20}|scheme)\b/gi;
const NEGATED_BEFORE = /\b(?:no|not|never|without|nor|instead of|rather than)\b[^.;,]{0,40}$|n't\b[^.;,]{0,40}$/i;
const NEGATED_AFTER = /^[^.;,]{0,30}\b(?:not|never|isn't|no longer)\b/i;

type Evidence = { readonly form: AuthorizationForm; readonly start: number; readonly end: number };

const quotedForm = (text: string, piece: string, start: number, end: number): AuthorizationForm | undefined => {
  const [, word = '', member, quote = ''] = WHOLE.exec(piece.trim()) ?? [];
  if (isPrefix(word)) return member === undefined ? wordForm(word) : memberForm(word, member, quote);
  const alone = piece.trim().replace(/:$/, '');
  if (!isPrefix(alone) || alone.toLowerCase() === 'authorization') return undefined;
  const isNamed = BEFORE_WORD.test(text.slice(Math.max(0, start - 60), start)) || AFTER_WORD.test(text.slice(end, end + 40));
  return isNamed ? wordForm(alone) : undefined;
};

const readEvidence = (text: string): readonly Evidence[] => {
  const all: Evidence[] = [];
  const add = (form: AuthorizationForm | undefined, { index, 0: { length } }: RegExpExecArray): void => {
    if (form !== undefined) all.push({ form, start: index, end: index + length });
  };
  for (const match of text.matchAll(QUOTED)) {
    const piece = match.slice(1).find((each) => each !== undefined) ?? '';
    add(quotedForm(text, piece, match.index, match.index + match[0].length), match);
  }
  for (const match of text.matchAll(BARE)) {
    const [, word = ''] = match;
    add(KNOWN.has(word.toLowerCase()) ? wordForm(word) : undefined, match);
  }
  for (const match of text.matchAll(BEARER_WORD)) add(BEARER, match);
  for (const match of text.matchAll(BASIC_WORDS)) add(BASIC, match);
  return all;
};

const isNegated = (text: string, { start, end }: Evidence): boolean =>
  NEGATED_BEFORE.test(text.slice(Math.max(0, start - 80), start)) || NEGATED_AFTER.test(text.slice(end, end + 60));

const readKey = ({ form }: Evidence): string => JSON.stringify(form);

const DESCRIPTION_MAX = 2_000;

/**
 * Returns the format of the secret according to a description. Only a format with a placeholder, a word called the prefix, or the name of a
 * scheme counts; undefined if there is none of these, or if they disagree.
 */
export const readDescribedForm = (description: string): AuthorizationForm | undefined => {
  const text = truncateText(description, DESCRIPTION_MAX).replace(/\s+/g, ' ');
  const all = readEvidence(text);
  const negated = new Set(all.filter((each) => isNegated(text, each)).map(readKey));
  const [form, ...others] = new Map(all.filter((each) => !negated.has(readKey(each))).map((each) => [readKey(each), each.form])).values();
  return others.length === 0 ? form : undefined;
};

export type WrittenForm = { readonly word: string; readonly form: AuthorizationForm | undefined };

/** Returns the first word of a value of the header and how its secret is written; `form` is undefined if the value has other parts. */
export const readWrittenForm = (value: string): WrittenForm => {
  const text = value.trim();
  const space = text.indexOf(' ');
  if (space === -1) return { word: '', form: PLAIN_FORM };
  const word = text.slice(0, space);
  const rest = text.slice(space + 1).trim();
  if (!isPrefix(word)) return { word: '', form: undefined };
  const [, member, quote = ''] = /^([A-Za-z_]\w{0,39})=("?)[^",;=\s]+"?$/.exec(rest) ?? [];
  if (member !== undefined) return { word, form: memberForm(word, member, quote) };
  return { word, form: /[\s,;]/.test(rest.replace(/\{\{[^{}]*\}\}/g, '')) ? undefined : wordForm(word) };
};
