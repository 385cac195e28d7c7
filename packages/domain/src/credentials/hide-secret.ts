/** What stands where a secret stood. */
export const HIDDEN_SECRET = '[credential]';

const BASE64_PADDING = 3;

/** What every text that holds these bytes in base64 holds, beginning at the n-th byte of a group of three. */
const base64At = (secret: string, offset: number): string => {
  const text = btoa(`${'\u0000'.repeat(offset)}${secret}`).replace(/=+$/, '');
  const first = Math.ceil((offset * 8) / 6);
  const whole = Math.floor(((offset + secret.length) * 8) / 6);
  return text.slice(first, whole);
};

const each = (secret: string, write: (code: number) => string): string => [...secret].map((char) => write(char.charCodeAt(0))).join('');
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** How a service may write a secret that it gives back: plain, in base64 at each place, in hex, and escaped for URLs, JSON, HTML and forms. */
export const spellingsOf = (secret: string): readonly string[] => {
  const base64 = Array.from({ length: BASE64_PADDING }, (_, offset) => base64At(secret, offset));
  const hex = each(secret, (code) => hexOf(code, 2));
  const escaped = each(secret, (code) => `\\u${hexOf(code, 4)}`);
  const percent = each(secret, (code) => `%${hexOf(code, 2)}`);
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replace(/[&<>"']/g, (char) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[char]};`);
  const all = [
    ...[secret, json, json.replaceAll('/', '\\/'), html],
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...[hex, hex.toUpperCase(), percent, percent.toUpperCase().replaceAll('%', '%')],
    ...[escaped, escaped.toUpperCase().replaceAll('\\U', '\\u')],
    ...[encodeURIComponent(secret), new URLSearchParams({ s: secret }).toString().slice(2)],
    ...[each(secret, (code) => `&#${code};`), each(secret, (code) => `&#x${hexOf(code, 2)};`)],
    [...secret].reverse().join(''),
  ];
  // The longest first, so that no part of one is left when a shorter one is taken out of it.
  return [...new Set(all)].sort((one, other) => other.length - one.length);
};

/** A text without any of these spellings. */
export const hideSpellings = (text: string, spellings: readonly string[]): string =>
  spellings.reduce((left, spelling) => (left.includes(spelling) ? left.replaceAll(spelling, HIDDEN_SECRET) : left), text);

/** A JSON value without them, in names of members and in texts. */
export const hideInJson = (value: unknown, spellings: readonly string[]): unknown => {
  if (typeof value === 'string') return hideSpellings(value, spellings);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hideInJson(item, spellings));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [hideSpellings(name, spellings), hideInJson(member, spellings)]));
};
