import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Where a network that speaks only IPv6 keeps the IPv4 addresses (RFC 6052). */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** A dotted end after zeros alone is read as one address by some and as another by others. */
const TWO_MEANINGS = /^[0:]+:\d+\.\d+\.\d+\.\d+$/;

const unwrap = (address: ipaddr.IPv6): Address => {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(translated) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
};

/** What no address is without; asking the library about any other text would cost an exception. */
const LIKE_AN_ADDRESS = /^[0-9A-Fa-f:.]{2,}(%[0-9A-Za-z]+)?$/;

const parse = (text: string): Address | null => {
  if (!LIKE_AN_ADDRESS.test(text)) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text) || TWO_MEANINGS.test(text)) return null;
  return unwrap(ipaddr.IPv6.parse(text.split('%', 1)[0] ?? ''));
};

let lastText = '';
let lastAddress: Address | null = null;

/**
 * The address a text stands for, or null when it is none. An IPv4 address wrapped in an IPv6 one is the IPv4 address it reaches, and the
 * name of a local interface after `%` does not count. Octal, hexadecimal and short forms are no addresses, since readers disagree on them.
 */
export const parseAddress = (text: string): Address | null => {
  if (text === lastText) return lastAddress;
  lastAddress = parse(text);
  lastText = text;
  return lastAddress;
};

/** The one spelling of an address (RFC 5952); a text that is no address stays as it is. */
export const addressSpelling = (text: string): string => {
  const address = parseAddress(text);
  if (address === null) return text;
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
};
