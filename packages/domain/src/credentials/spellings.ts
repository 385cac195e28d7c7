const BASE64_GROUP = 3;

/** What every text that holds these bytes in base64 holds, beginning at the n-th byte of a group of three. */
const base64At = (secret: string, offset: number): string => {
  const text = btoa(`${'\u0000'.repeat(offset)}${secret}`).replace(/=+$/, '');
  const first = Math.ceil((offset * 8) / 6);
  const whole = Math.floor(((offset + secret.length) * 8) / 6);
  return text.slice(first, whole);
};

const each = (secret: string, write: (code: number) => string): string => [...secret].map((char) => write(char.charCodeAt(0))).join('');
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const withLowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (written) => written.toLowerCase());

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
const html = (secret: string): string => secret.replace(/[&<>"']/g, (char) => `&${ENTITIES[char]};`);
const escapedMarkup = (json: string): string => json.replace(/[&<>']/g, (char) => `\\u${hexOf(char.charCodeAt(0), 4)}`);

/**
 * How a service may write a secret that it gives back: plain, in base64 at each place, in hex, from its end, and escaped for URLs, forms, JSON
 * and HTML. The longest first, so that no part of one is left when a shorter one is taken out of it.
 */
export const spellingsOf = (secret: string): readonly string[] => {
  const base64 = Array.from({ length: BASE64_GROUP }, (_, offset) => base64At(secret, offset));
  const hex = each(secret, (code) => hexOf(code, 2));
  const percent = each(secret, (code) => `%${hexOf(code, 2)}`);
  const escaped = each(secret, (code) => `\\u${hexOf(code, 4)}`);
  const json = JSON.stringify(secret).slice(1, -1);
  const url = [encodeURIComponent(secret), new URLSearchParams({ s: secret }).toString().slice(2)];
  const all = [
    ...[secret, json, json.replaceAll('/', '\\/'), escapedMarkup(json), html(secret), html(secret).replaceAll('&#39;', '&#x27;')],
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...[hex, hex.toUpperCase(), percent, percent.toUpperCase()],
    ...[escaped, escaped.toUpperCase().replaceAll('\\U', '\\u')],
    ...[...url, ...url.map(withLowerEscapes)],
    ...[each(secret, (code) => `&#${code};`), each(secret, (code) => `&#x${hexOf(code, 2)};`)],
    [...secret].reverse().join(''),
  ];
  return [...new Set(all)].filter((text) => text !== '').sort((one, other) => other.length - one.length);
};
