import ipaddr from 'ipaddr.js';
import { type Address, addressSpelling, parseAddress } from './address.ts';

/** A range of addresses: its first address and how many leading bits are fixed. */
export type Network = { readonly address: Address; readonly bits: number };

const MAPPED_BITS = 96;
const SHAPE = /^([0-9A-Fa-f.:]+)\/(0|[1-9]\d{0,2})$/;

const example = 'for example "10.0.0.0/8" or "2001:db8::/32"';

/** The first address of the network, as it is written. */
const firstOf = (text: string, isSix: boolean): string =>
  isSix ? ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String() : ipaddr.IPv4.networkAddressFromCIDR(text).toString();

/** Reads a network in CIDR form, or says what would be right. IPv4 networks written as IPv6 ones are the IPv4 networks they mean. */
export const parseNetwork = (text: string): Network | { readonly fault: string } => {
  const [, written = '', length = ''] = SHAPE.exec(text) ?? [];
  if (written === '') {
    return parseAddress(text) === null
      ? { fault: `A network is an address, a slash and the number of leading bits that count, ${example}.` }
      : { fault: `Say how many leading bits count; for this address alone write "${text}/${text.includes(':') ? 128 : 32}".` };
  }
  const isSix = written.includes(':');
  const address = parseAddress(written);
  const bits = Number(length);
  if (address === null || bits > (isSix ? 128 : 32))
    return { fault: `This is no network; write it as in ${example.replace('for example ', '')}.` };
  const first = firstOf(text, isSix);
  if (addressSpelling(first) !== addressSpelling(written)) {
    return { fault: `The address has bits beyond the first ${bits}; the network is written "${first}/${bits}".` };
  }
  if (!isSix || address.kind() === 'ipv6') return { address, bits };
  if (bits < MAPPED_BITS)
    return { fault: 'This reaches from wrapped IPv4 addresses into IPv6; write the IPv4 and the IPv6 networks apart.' };
  return { address, bits: bits - MAPPED_BITS };
};
