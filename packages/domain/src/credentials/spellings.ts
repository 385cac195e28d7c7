import { looseOf } from './loose-text.ts';

/** Writes a text in a way of its own, each part of it by itself: how the end of a text is written ends how all of it is. */
export type Speller = (text: string) => string;

const CODES = 256;
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** What is known of each character once; a text of others is none that can be sent. */
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

/** What every text that holds these bytes in such a base (RFC 4648) holds, beginning at the n-th byte of a group. */
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

/** Bytes of a group: after so many the bits of a base begin with those of a byte again. */
const groupOf = ({ bits }: Base): readonly number[] => Array.from({ length: bits % 2 === 0 ? bits / 2 : bits }, (_, offset) => offset);
const inBase = (base: Base): readonly Speller[] => groupOf(base).map((offset) => baseAt(base, offset));

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
const asIs: Speller = (text) => text;
const json: Speller = (text) => JSON.stringify(text).slice(1, -1);
const html: Speller = (text) => text.replace(/[&<>"']/g, (char) => `&${ENTITIES[char]};`);
const url: Speller = (text) => encodeURIComponent(text);
const form: Speller = (text) => new URLSearchParams({ s: text }).toString().slice(2);
const hex = byCharacter((code) => hexOf(code, 2));
const percent = byCharacter((code) => `%${hexOf(code, 2)}`);
const escaped = byCharacter((code) => `\\u${hexOf(code, 4)}`);

const then =
  (write: Speller, change: (written: string) => string): Speller =>
  (text) =>
    change(write(text));
const withLowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (written) => written.toLowerCase());
const inCapitals = (text: string): string => text.toUpperCase();

const base64 = inBase(BASE64);

/** In characters of two bytes, whichever comes first: all but the byte before it or behind it, which belongs to both. */
const wide: Speller = (text) => [...text].join('\0');
const inWide = (write: Speller): Speller => then(wide, write);

/**
 * How a service may write a secret that it gives back: plain, in bases and in hex at each place, there in characters of two bytes too, from its
 * end, by the numbers of its characters, twice in base64, and escaped for URLs, forms, JSON and HTML.
 */
const SPELLERS: readonly Speller[] = [
  ...[asIs, json, then(json, (text) => text.replaceAll('/', '\\/'))],
  then(json, (text) => text.replace(/[&<>']/g, (char) => `\\u${hexOf(char.charCodeAt(0), 4)}`)),
  ...[html, then(html, (text) => text.replaceAll('&#39;', '&#x27;'))],
  ...base64,
  ...base64.map((write) => then(write, (text) => text.replaceAll('+', '-').replaceAll('/', '_'))),
  ...base64.flatMap((write) => base64.map((again) => then(write, again))),
  ...base64.map(inWide),
  ...inBase(BASE32),
  ...[inWide(hex), hex, then(hex, inCapitals), percent, then(percent, inCapitals)],
  ...[escaped, then(escaped, (text) => inCapitals(text).replaceAll('\\U', '\\u'))],
  ...[byCharacter((code) => `\\u{${hexOf(code, 2)}}`), byCharacter((code) => `\\x${hexOf(code, 2)}`)],
  ...[byCharacter((code) => `\\${code.toString(8).padStart(3, '0')}`), byCharacter((code) => `${code},`)],
  ...[url, then(url, withLowerEscapes), form, then(form, withLowerEscapes), then(url, url)],
  ...[byCharacter((code) => `&#${code};`), byCharacter((code) => `&#x${hexOf(code, 2)};`), byCharacter((code) => `&#x${hexOf(code, 4)};`)],
  (text) => [...text].reverse().join(''),
];

/** A text with fewer letters and digits is not looked for by those alone: it would be found where it does not stand. */
const LOOSE_CHARS_MIN = 8;
const END_CHARS = 24;
/** After so many bytes the groups of all bases begin together, those of base64 within base64 too. */
const GROUPS_TOGETHER = 45;

/** What a text has that holds a secret written in one of some ways: how its end is written, as letters and digits. */
type Sign = { readonly sign: string; readonly spellers: readonly Speller[] };

/** The end and not the beginning, which many tokens have in common. */
const signsOf = (secret: string): readonly Sign[] => {
  const from = Math.max(0, Math.floor((secret.length - END_CHARS) / GROUPS_TOGETHER) * GROUPS_TOGETHER);
  const end = secret.slice(from);
  const signs = Map.groupBy(SPELLERS, (spell) => looseOf(spell(end)));
  return [...signs].map(([sign, spellers]) => ({ sign, spellers }));
};

/** A secret as it is written in one way; `loose` where letters and digits alone say enough. */
export type Spelling = { readonly text: string; readonly loose: string | undefined };

const saysEnough = (loose: string): boolean => loose.length >= LOOSE_CHARS_MIN;

const spelled = (secret: string, spell: Speller): Spelling => {
  const text = spell(secret);
  const loose = looseOf(text);
  return { text, loose: saysEnough(loose) ? loose : undefined };
};

/**
 * Finds how a secret may be written in a text of which these are the letters and digits. A long secret is written out only in ways of which the
 * text has the sign, or whose sign says too little, and once.
 */
export const newSpellings = (secret: string): ((loose: string) => readonly Spelling[]) => {
  if ([...secret].some((char) => char.charCodeAt(0) >= CODES)) throw new Error('a secret holds what is never sent');
  const signs = signsOf(secret);
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
