import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** Addresses by lower-case name, as in a hosts file. Entries that are not addresses are skipped. */
export type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

export const parseHosts = (text: string): Hosts => {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase()) ?? [];
      hosts.set(name.toLowerCase(), [...known, { address, family }]);
    }
  }
  return hosts;
};
