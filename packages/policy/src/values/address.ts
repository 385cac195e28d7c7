import ipaddr from 'ipaddr.js';
import { newWords, readAddress } from './read-address.ts';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

const WORDS = 4;
const words = newWords();

/**
 * The address a text stands for, or null when it is none. An IPv4 address wrapped in an IPv6 one is the IPv4 address it reaches, and the
 * name of a local interface after `%` does not count. Octal, hexadecimal and short forms are no addresses, since readers disagree on them.
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

/** Whether a text stands for an address. */
export const isAddress = (text: string): boolean => readAddress(text, words) !== 0;

/** More than one decision asks for, of a length that addresses of requests have. */
const REMEMBERED_MAX = 1_024;
const REMEMBERED_LENGTH_MAX = 256;
const remembered = new Map<string, string>();

const spellingOf = (text: string): string => {
  const address = parseAddress(text);
  if (address === null) return text;
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
};

/**
 * The one spelling of an address (RFC 5952); a text that is no address stays as it is. Every condition on an address of the request asks for
 * it, in rules that take turns between two of them, so that it is remembered.
 */
export const addressSpelling = (text: string): string => {
  if (text.length > REMEMBERED_LENGTH_MAX) return spellingOf(text);
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const spelling = spellingOf(text);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(text, spelling);
  return spelling;
};
