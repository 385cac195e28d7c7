import ipaddr from 'ipaddr.js';
import { type Address, addressSpelling, parseAddress } from './address.ts';
import { newWords, readAddress } from './read-address.ts';

/** A range of addresses: its first address and the number of fixed leading bits. */
export type Network = { readonly address: Address; readonly bits: number };

const MAPPED_BITS = 96;
const SHAPE = /^([0-9A-Fa-f.:]+)\/(0|[1-9]\d{0,2})$/;

const example = 'for example "10.0.0.0/8" or "2001:db8::/32"';

/** Returns the first address of the network, as it is written. */
const firstOf = (text: string, isSix: boolean): string =>
  isSix ? ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String() : ipaddr.IPv4.networkAddressFromCIDR(text).toString();

const WORD_BITS = 32;
const FOUR_BEGINS = 96;
const words = newWords();

/** Returns true if all bits of the parsed address are zero from one on; the bits of IPv4 are the last 32. */
const isZeroFrom = (bits: number): boolean =>
  words.every((word, at) => {
    const free = Math.min(WORD_BITS, Math.max(0, (at + 1) * WORD_BITS - bits));
    return word % 2 ** free === 0;
  });

/** Returns the fault of a network whose address and length can be parsed; null if there is none. */
const getFault = (written: string, bits: number, isSix: boolean): string | null => {
  const family = readAddress(written, words);
  const isWide = isSix && family === 4 && bits < MAPPED_BITS;
  if (!isWide && isZeroFrom(isSix ? bits : bits + FOUR_BEGINS)) return null;
  const first = firstOf(`${written}/${bits}`, isSix);
  if (addressSpelling(first) !== addressSpelling(written))
    return `The address has bits set after the first ${bits}; write the network as "${first}/${bits}".`;
  return 'The network spans IPv4-mapped and other IPv6 addresses; write the IPv4 and IPv6 networks separately.';
};

/** Parses a network in CIDR form, or returns a correction. IPv4 networks written as IPv6 ones are the IPv4 networks they mean. */
export const parseNetwork = (text: string): Network | { readonly fault: string } => {
  const [, written = '', length = ''] = SHAPE.exec(text) ?? [];
  if (written === '') {
    return parseAddress(text) === null
      ? { fault: `A network must be an address, a slash and a prefix length, ${example}.` }
      : { fault: `Add the prefix length; for this address only, write "${text}/${text.includes(':') ? 128 : 32}".` };
  }
  const isSix = written.includes(':');
  const address = parseAddress(written);
  const bits = Number(length);
  if (address === null || bits > (isSix ? 128 : 32))
    return { fault: `Invalid network; write it as in ${example.replace('for example ', '')}.` };
  const fault = getFault(written, bits, isSix);
  if (fault !== null) return { fault };
  return { address, bits: isSix && address.kind() === 'ipv4' ? bits - MAPPED_BITS : bits };
};
