import { gunzipSync } from 'node:zlib';

/** Common parts of all canaries, so that one search finds any of them; each half is searched separately, so that a cut cannot hide one. */
const HALVES = ['Zq7/canary+of~', 'keys"&<sung>=here'] as const;
const SONG = HALVES.join('');

const base64At = (text: string, offset: number): string => {
  const written = Buffer.from(`${'x'.repeat(offset)}${text}`)
    .toString('base64')
    .replace(/=+$/, '');
  return written.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + text.length) * 8) / 6));
};
const inCodes = (text: string, write: (hex: string, code: number) => string): string =>
  [...text].map((char) => write(char.charCodeAt(0).toString(16).padStart(2, '0'), char.charCodeAt(0))).join('');
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns encodings in which services and records may write a text; of base64 the part that does not depend on the surrounding text. */
export const listEncodings = (text: string): string[] => {
  const json = JSON.stringify(text).slice(1, -1);
  const base64 = [0, 1, 2].map((offset) => base64At(text, offset));
  const url = encodeURIComponent(text);
  const hex = Buffer.from(text).toString('hex');
  const written = [
    ...[text, json, json.replaceAll('/', '\\/'), text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)],
    ...[...base64, ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_')), hex, hex.toUpperCase()],
    ...[url, url.replace(/%../g, (each) => each.toLowerCase()), new URLSearchParams({ s: text }).toString().slice(2)],
    ...[
      inCodes(text, (digits) => `%${digits}`),
      inCodes(text, (digits) => `\\u00${digits}`),
      inCodes(text, (_digits, code) => `&#${code};`),
    ],
    ...[inCodes(text, (digits) => `\\u00${digits.toUpperCase()}`), [...text].reverse().join('')],
  ];
  return [...new Set(written)];
};

let sung = 0;
/** Returns a unique secret. */
export const newCanary = (): string => {
  sung += 1;
  return `c${sung}-${SONG}-${crypto.randomUUID()}`;
};

/** Returns patterns that find these texts in any encoding. */
export const listPatterns = (texts: readonly string[]): readonly Buffer[] => texts.flatMap(listEncodings).map((text) => Buffer.from(text));

/** Patterns for a half in the middle of other text: base64 distinguishes its neighbours by less than a character. */
const NEEDLES = listPatterns(HALVES);

const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
const PACKED = /1f8b08[0-9a-f]{20,}|H4sI[A-Za-z0-9+/_-]{20,}={0,2}/g;

const unpacked = (bytes: Buffer): Buffer | undefined => {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
};

const packedIn = (bytes: Buffer, text: string): Buffer[] => {
  const written = [...text.matchAll(PACKED)].map(([each]) => Buffer.from(each, each.startsWith('H4sI') ? 'base64' : 'hex'));
  const plain: Buffer[] = [];
  for (let at = bytes.indexOf(GZIP); at >= 0; at = bytes.indexOf(GZIP, at + 1)) plain.push(bytes.subarray(at));
  return [...written, ...plain];
};

/** Returns the encodings in which a canary, or half of one, is in these bytes; compressed parts are searched too. */
export const findCanaries = (bytes: Buffer, isText = true, needles = NEEDLES): string[] => {
  const text = isText ? bytes.toString('latin1') : '';
  // Nested JSON texts have their backslashes doubled each time.
  const plain = text.includes('\\') ? Buffer.from(text.replace(/\\+/g, '\\'), 'latin1') : bytes;
  const found = needles.filter((needle) => bytes.includes(needle) || plain.includes(needle)).map((needle) => needle.toString());
  const packed = isText ? packedIn(bytes, text) : [];
  const inside = packed.flatMap((each) => unpacked(each) ?? []).flatMap((each) => findCanaries(each, false, needles));
  return [...found, ...inside.map((needle) => `packed ${needle}`)];
};
