import ipaddr from 'ipaddr.js';

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The part of a source address that one person cannot easily change: all of an IPv4 address, and the first 64 bits of an IPv6 one,
 * since a person with one IPv6 address usually has all that share them. Anything else is a group of its own.
 * A connection that ended while its request was answered has no address, and belongs to the group ''.
 */
export const addressGroup = (address: string | undefined): string => {
  if (address === undefined) return '';
  // Asked for each request of a stranger: an IPv4 address, also as a server on both families is told it, is not taken apart for it.
  if (!address.includes(':')) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined || !ipaddr.IPv6.isValid(address)) return mapped ?? address;
  return ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
};
