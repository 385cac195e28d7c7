import { compileNetworks } from '@svc/domain/tenancy/organization/networks.ts';

type Admits = ReturnType<typeof compileNetworks>;

const KEPT_MAX = 1_000;
const compiled = new Map<string, Admits>();

/** Compiled once for each value, since every request brings the list with its credential. Beyond a bound the oldest is dropped. */
const admitting = (networks: readonly string[]): Admits => {
  const key = networks.join(' ');
  const known = compiled.get(key);
  if (known !== undefined) return known;
  for (const first of compiled.keys()) {
    if (compiled.size < KEPT_MAX) break;
    compiled.delete(first);
  }
  const made = compileNetworks(networks);
  compiled.set(key, made);
  return made;
};

/** True if an address is in the allowed networks, or none are set. */
export const isAdmitted = (networks: readonly string[], address: string): boolean => networks.length === 0 || admitting(networks)(address);
