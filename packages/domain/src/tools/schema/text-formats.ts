import { fullFormats } from 'ajv-formats/dist/formats.js';

const { date, ipv4, ipv6 } = fullFormats;
const isDate = (date as { readonly validate: (text: string) => boolean }).validate;

const MINUTES_PER_DAY = 1_440;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A full-time of RFC 3339; second 60 only at the end of a day of UTC. */
export const isTime = (text: string): boolean => {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1);
  const utc = (hour * 60 + minute - offset + 2 * MINUTES_PER_DAY) % MINUTES_PER_DAY;
  return second === 60 && utc === MINUTES_PER_DAY - 1;
};

export const isDateTime = (text: string): boolean => /^[Tt]$/.test(text[10] ?? '') && isDate(text.slice(0, 10)) && isTime(text.slice(11));

/** Units follow one another without a gap, as appendix A of RFC 3339 has it. */
const DURATION =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/;
export const isDuration = (text: string): boolean => DURATION.test(text);

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const HOSTNAME_MAX = 253;

/** A host name of RFC 1123. Labels `xn--` are not decoded. */
export const isHostname = (text: string): boolean => text.length <= HOSTNAME_MAX && text.split('.').every((label) => LABEL.test(label));

const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;

const isAddressLiteral = (text: string): boolean => {
  const literal = text.slice(1, -1);
  return /^ipv6:/i.test(literal) ? (ipv6 as RegExp).test(literal.slice(5)) : (ipv4 as RegExp).test(literal);
};

/** A mailbox of RFC 5321. */
export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (!ATOMS.test(local) && !QUOTED.test(local)) return false;
  return domain.startsWith('[') && domain.endsWith(']') ? isAddressLiteral(domain) : isHostname(domain);
};

const isBeyondAscii = (character: string): boolean => character > '\u007f';

/** A mailbox of RFC 6531, whose parts may hold characters beyond ASCII. */
export const isInternationalEmail = (text: string): boolean =>
  isEmail(Array.from(text, (character) => (isBeyondAscii(character) ? 'a' : character)).join(''));

/** A regular expression of ECMA-262. */
export const isRegularExpression = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};
