import ipaddr from 'ipaddr.js';
import { newWords, readAddress } from './read-address.ts';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

const WORDS = 4;
const words = newWords();

/**
 * Returns the address of a text, or null if it is none. An IPv4-mapped IPv6 address is the IPv4 address it reaches, and the
 * zone after `%` is ignored. Octal, hexadecimal and short forms are invalid, since parsers disagree on them.
 */
export const parseAddress = (text: string): Address | null => {
  const family = readAddress(text, words);
  if (family === 0) return null;
  const bytes: number[] = [];
  for (let at = family === 4 ? WORDS - 1 : 0; at < WORDS; at += 1) {
    const word = words[at] as number;
    bytes.push(word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255);
  }
  return ipaddr.fromByteArray(bytes);
};

/** Returns true if a text is an address. */
export const isAddress = (text: string): boolean => readAddress(text, words) !== 0;

/** More than one decision uses, of the length of addresses in requests. */
const REMEMBERED_MAX = 1_024;
const REMEMBERED_LENGTH_MAX = 256;
const remembered = new Map<string, string>();

const getSpelling = (text: string): string => {
  const address = parseAddress(text);
  if (address === null) return text;
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
};

/**
 * Returns the canonical form of an address (RFC 5952); a text that is no address stays unchanged. Cached, since every condition on an
 * address
 * of the request uses it, in rules that alternate between two of them.
 */
export const addressSpelling = (text: string): string => {
  if (text.length > REMEMBERED_LENGTH_MAX) return getSpelling(text);
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const spelling = getSpelling(text);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(text, spelling);
  return spelling;
};
