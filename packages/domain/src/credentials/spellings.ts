import { toLooseText } from './loose-text.ts';

/** Encodes a text piece by piece: the encoding of a suffix is a suffix of the encoding. */
export type Speller = (text: string) => string;

const CODES = 256;
const getHex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** Caches the encoding of each character; other texts cannot be sent. */
const byCharacter = (write: (code: number) => string): Speller => {
  const written = Array.from({ length: CODES }, (_, code) => write(code));
  return (text) => {
    let all = '';
    for (let at = 0; at < text.length; at += 1) all += written[text.charCodeAt(at)];
    return all;
  };
};

type Base = { readonly bits: number; readonly alphabet: string };
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE64: Base = { bits: 6, alphabet: `${CAPITALS}${CAPITALS.toLowerCase()}0123456789+/` };
const BASE32: Base = { bits: 5, alphabet: `${CAPITALS}234567` };
const BYTE_BITS = 8;

/** Returns what every text contains that encodes these bytes in such a base (RFC 4648), beginning at the n-th byte of a group. */
const baseAt =
  ({ bits, alphabet }: Base, offset: number): Speller =>
  (text) => {
    let all = '';
    let [held, count] = [0, (offset * BYTE_BITS) % bits];
    let passed = count === 0 ? 0 : bits - count;
    for (let at = 0; at < text.length; at += 1) {
      held = (held << BYTE_BITS) | text.charCodeAt(at);
      count += BYTE_BITS;
      while (count >= bits) {
        count -= bits;
        if (passed === 0) all += alphabet[held >> count];
        passed = 0;
        held &= (1 << count) - 1;
      }
    }
    return all;
  };

/** The bytes of a group, after which the bits of the base and of bytes are aligned again. */
const getGroup = ({ bits }: Base): readonly number[] => Array.from({ length: bits % 2 === 0 ? bits / 2 : bits }, (_, offset) => offset);
const inBase = (base: Base): readonly Speller[] => getGroup(base).map((offset) => baseAt(base, offset));

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
const asIs: Speller = (text) => text;
const json: Speller = (text) => JSON.stringify(text).slice(1, -1);
const html: Speller = (text) => text.replace(/[&<>"']/g, (char) => `&${ENTITIES[char]};`);
const url: Speller = (text) => encodeURIComponent(text);
const form: Speller = (text) => new URLSearchParams({ s: text }).toString().slice(2);
const hex = byCharacter((code) => getHex(code, 2));
const percent = byCharacter((code) => `%${getHex(code, 2)}`);
const escaped = byCharacter((code) => `\\u${getHex(code, 4)}`);

const then =
  (write: Speller, change: (written: string) => string): Speller =>
  (text) =>
    change(write(text));
const withLowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (written) => written.toLowerCase());
const inCapitals = (text: string): string => text.toUpperCase();

const base64 = inBase(BASE64);

/** Two-byte characters in either byte order: all but the outer byte, which depends on the neighbour. */
const wide: Speller = (text) => [...text].join('\0');
const inWide = (write: Speller): Speller => then(wide, write);

/**
 * Encodings in which a service may echo a secret: plain, in bases and in hex at each alignment, there in two-byte characters too, reversed,
 * by character codes, twice in base64, and escaped for URLs, forms, JSON and HTML.
 */
const SPELLERS: readonly Speller[] = [
  ...[asIs, json, then(json, (text) => text.replaceAll('/', '\\/'))],
  then(json, (text) => text.replace(/[&<>']/g, (char) => `\\u${getHex(char.charCodeAt(0), 4)}`)),
  ...[html, then(html, (text) => text.replaceAll('&#39;', '&#x27;'))],
  ...base64,
  ...base64.map((write) => then(write, (text) => text.replaceAll('+', '-').replaceAll('/', '_'))),
  ...base64.flatMap((write) => base64.map((again) => then(write, again))),
  ...base64.map(inWide),
  ...inBase(BASE32),
  ...[inWide(hex), hex, then(hex, inCapitals), percent, then(percent, inCapitals)],
  ...[escaped, then(escaped, (text) => inCapitals(text).replaceAll('\\U', '\\u'))],
  ...[byCharacter((code) => `\\u{${getHex(code, 2)}}`), byCharacter((code) => `\\x${getHex(code, 2)}`)],
  ...[byCharacter((code) => `\\${code.toString(8).padStart(3, '0')}`), byCharacter((code) => `${code},`)],
  ...[url, then(url, withLowerEscapes), form, then(form, withLowerEscapes), then(url, url)],
  ...[
    byCharacter((code) => `&#${code};`),
    byCharacter((code) => `&#x${getHex(code, 2)};`),
    byCharacter((code) => `&#x${getHex(code, 4)};`),
  ],
  (text) => [...text].reverse().join(''),
];

/** A text with fewer letters and digits is not searched by those alone: there would be false matches. */
const LOOSE_CHARS_MIN = 8;
const END_CHARS = 24;
/** After so many bytes the groups of all bases are aligned, those of base64 within base64 too. */
const GROUPS_TOGETHER = 45;

/** The letters and digits of an encoded secret's end: a text without them does not contain that encoding. */
type Sign = { readonly sign: string; readonly spellers: readonly Speller[] };

/** The end and not the beginning, which many tokens have in common. */
const listSigns = (secret: string): readonly Sign[] => {
  const from = Math.max(0, Math.floor((secret.length - END_CHARS) / GROUPS_TOGETHER) * GROUPS_TOGETHER);
  const end = secret.slice(from);
  const signs = Map.groupBy(SPELLERS, (spell) => toLooseText(spell(end)));
  return [...signs].map(([sign, spellers]) => ({ sign, spellers }));
};

/** A secret in one encoding; `loose` if its letters and digits alone are specific enough. */
export type Spelling = { readonly text: string; readonly loose: string | undefined };

const saysEnough = (loose: string): boolean => loose.length >= LOOSE_CHARS_MIN;

const spelled = (secret: string, spell: Speller): Spelling => {
  const text = spell(secret);
  const loose = toLooseText(text);
  return { text, loose: saysEnough(loose) ? loose : undefined };
};

/**
 * Returns the possible encodings of a secret in a text with these letters and digits. A long secret is encoded only in ways whose sign the
 * text contains, or whose sign is not specific, and once.
 */
export const newSpellings = (secret: string): ((loose: string) => readonly Spelling[]) => {
  if ([...secret].some((char) => char.charCodeAt(0) >= CODES)) throw new Error('a secret holds what is never sent');
  const signs = listSigns(secret);
  const known = new Map<Sign, readonly Spelling[]>();
  const written = (of: Sign): readonly Spelling[] => {
    const spellings = of.spellers.map((spell) => spelled(secret, spell));
    known.set(of, spellings);
    return spellings;
  };
  return (loose) => {
    const found = signs.filter(({ sign }) => !saysEnough(sign) || loose.includes(sign));
    return found.flatMap((each) => known.get(each) ?? written(each));
  };
};
