import ipaddr from 'ipaddr.js';

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * Returns the part of a source address that a person cannot easily change: all of an IPv4 address, and the first 64 bits of an IPv6 one,
 * since a person with one IPv6 address usually has all of that prefix. Anything else is a group by itself.
 * A connection that ended while its request was handled has no address, and belongs to the group ''.
 */
export const getAddressGroup = (address: string | undefined): string => {
  if (address === undefined) return '';
  // Called for each unauthenticated request: an IPv4 address, also in the form of a dual-stack server, is not parsed.
  if (!address.includes(':')) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined || !ipaddr.IPv6.isValid(address)) return mapped ?? address;
  return ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
};
