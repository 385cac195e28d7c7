import type { TextRange } from './find-text.ts';

/** A text that differs when decoded, and the positions of its characters and its end in the original text. */
type Decoded = { readonly text: string; readonly places: Uint32Array };

/** A text as it reads with what is escaped in it decoded some times. */
export type View = {
  readonly text: string;
  /** Maps positions to the original text. */
  readonly asCame: (found: readonly TextRange[]) => readonly TextRange[];
};

/** One character, and the end of its escape. */
type Escape = { readonly code: number; readonly end: number };

const [BACKSLASH, PERCENT, AMPERSAND, EQUALS] = [0x5c, 0x25, 0x26, 0x3d];
const BEGINS_ESCAPE = new Uint8Array(128);
for (const code of [BACKSLASH, PERCENT, AMPERSAND, EQUALS]) BEGINS_ESCAPE[code] = 1;
/** Secrets hold no others. */
const CODES = 256;
/** Twice, so that a text within a text that is escaped itself is read, and no oftener, since each costs a pass. */
const TIMES = 2;
const ESCAPED = /\\|%[0-9a-fu]|&[#a-z]|=3D/i;

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", plus: '+', sol: '/', equals: '=', bsol: '\\', lowbar: '_', UnderBar: '_' },
  ...{ excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', comma: ',', period: '.', colon: ':' },
  ...{ semi: ';', quest: '?', commat: '@', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', Hat: '^', grave: '`', DiacriticalGrave: '`' },
  ...{ lcub: '{', lbrace: '{', rcub: '}', rbrace: '}', verbar: '|', vert: '|', VerticalLine: '|', nbsp: ' ', Tab: '\t', NewLine: '\n' },
};
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' };

const ENTITY = /&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,16}));/iy;
/** After a backslash it is literal. */
const PUNCTUATION = /[!-/:-@[\]^-`{-~]/;

/** The digit value of each character, and none for all others. */
const DIGITS = new Uint8Array(128).fill(0xff);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** Reads a number of exactly so many digits in this base. */
const numberAt = (text: string, from: number, digits: number, base = 16): number | undefined => {
  let value = 0;
  for (let at = from; at < from + digits; at += 1) {
    const digit = DIGITS[text.charCodeAt(at)] ?? 0xff;
    if (digit >= base) return undefined;
    value = value * base + digit;
  }
  return value;
};

const numbered = (code: number | undefined, end: number): Escape | undefined => (code === undefined ? undefined : { code, end });

const ofPercent = (text: string, at: number): Escape | undefined => {
  if (text[at + 1] === 'u') return numbered(numberAt(text, at + 2, 4), at + 6);
  return numbered(numberAt(text, at + 1, 2), at + 3);
};

const ofBraces = (text: string, from: number): Escape | undefined => {
  const end = text.slice(from, from + 8).indexOf('}');
  return end < 2 ? undefined : numbered(numberAt(text, from + 1, end - 1), from + end + 1);
};

/** Any number of backslashes is one: each text that a text becomes part of doubles them. */
const ofBackslash = (text: string, from: number): Escape | undefined => {
  let at = from;
  while (text.charCodeAt(at) === BACKSLASH) at += 1;
  const next = text[at] ?? '';
  if (PUNCTUATION.test(next)) return { code: next.charCodeAt(0), end: at + 1 };
  const plain = at > from + 1 ? { code: BACKSLASH, end: at } : undefined;
  if (next === 'u') return numbered(numberAt(text, at + 1, 4), at + 5) ?? ofBraces(text, at + 1) ?? plain;
  if (next === 'x') return numbered(numberAt(text, at + 1, 2), at + 3) ?? plain;
  const octal = numberAt(text, at, 3, 8);
  if (octal !== undefined) return { code: octal, end: at + 3 };
  return numbered(CONTROLS[next]?.charCodeAt(0), at + 1) ?? plain;
};

const ofEntity = (text: string, at: number): Escape | undefined => {
  ENTITY.lastIndex = at;
  const [whole = '', decimal, hex, name] = ENTITY.exec(text) ?? [];
  const code = name === undefined ? Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10) : NAMED[name]?.charCodeAt(0);
  return numbered(Number.isNaN(code) ? undefined : code, at + whole.length);
};

const escapeAt = (text: string, code: number, at: number): Escape | undefined => {
  if (code === PERCENT) return ofPercent(text, at);
  if (code === BACKSLASH) return ofBackslash(text, at);
  if (code === AMPERSAND) return ofEntity(text, at);
  return code === EQUALS && text.startsWith('=3D', at) ? { code, end: at + '=3D'.length } : undefined;
};

/** Returns undefined if nothing is escaped. Characters that a secret cannot contain may be changed. */
const getDecoded = (text: string): Decoded | undefined => {
  if (!ESCAPED.test(text)) return undefined;
  const codes = new Uint8Array(text.length);
  const places = new Uint32Array(text.length + 1);
  let count = 0;
  let hasEscapes = false;
  for (let at = 0; at < text.length; ) {
    let code = text.charCodeAt(at);
    places[count] = at++;
    const written = code < BEGINS_ESCAPE.length && BEGINS_ESCAPE[code] === 1 ? escapeAt(text, code, at - 1) : undefined;
    if (written !== undefined) {
      ({ code, end: at } = written);
      hasEscapes = true;
    }
    codes[count++] = code < CODES ? code : 0;
  }
  if (!hasEscapes) return undefined;
  places[count] = text.length;
  return { text: Buffer.from(codes.buffer, 0, count).toString('latin1'), places: places.subarray(0, count + 1) };
};

/** Returns a text in its original form, and decoded once and twice if those differ. Linear in the length of the text. */
export const decodeViews = (text: string): readonly View[] => {
  const views: View[] = [{ text, asCame: (found) => found }];
  for (let time = 0; time < TIMES; time += 1) {
    const before = views.at(-1) as View;
    const decoded = getDecoded(before.text);
    if (decoded === undefined) break;
    const { places } = decoded;
    views.push({ text: decoded.text, asCame: (found) => before.asCame(found.map(([from, to]) => [places[from] ?? 0, places[to] ?? 0])) });
  }
  return views;
};
