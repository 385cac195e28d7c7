import type ipaddr from 'ipaddr.js';
import { parseAddress } from '../values/address.ts';

const hex = (high: number, low: number): string => (high * 256 + low).toString(16);

/** Returns IPv4-mapped forms of an IPv4 address: other texts, same address. */
export const listWrappedSpellings = (ip: string): string[] => {
  const address = parseAddress(ip);
  if (address === null || address.kind() !== 'ipv4') return [];
  const [a = 0, b = 0, c = 0, d = 0] = address.toByteArray();
  const tail = `${hex(a, b)}:${hex(c, d)}`;
  return [`::ffff:${tail}`, `64:ff9b::${tail}`];
};

/** Returns texts that stand for the address, of which there is no end; none of `unlike` is among them, and at least one is returned. */
export const listAddressSpellings = (ip: string, unlike: ReadonlySet<string>): string[] => {
  const address = parseAddress(ip);
  if (address === null) return [];
  const wrapped = listWrappedSpellings(ip);
  const [long = ip] = wrapped;
  const written =
    address.kind() === 'ipv4'
      ? [ip, ...wrapped, `::ffff:${ip}`, long.toUpperCase()]
      : [ip, ip.toUpperCase(), (address as ipaddr.IPv6).toNormalizedString()];
  const free = [...written, `${long}%a`].filter((text) => !unlike.has(text));
  for (let zone = 0; free.length === 0; zone++) if (!unlike.has(`${long}%${zone}`)) free.push(`${long}%${zone}`);
  return [...new Set(free)];
};

/** Returns the address in a text of at least so many characters. */
export const longAddress = (ip: string, length: number): string => `${listWrappedSpellings(ip)[0] ?? ip}%${'x'.repeat(length)}`;
