import { compileNetworks } from '@svc/domain/tenancy/organization/networks.ts';

type Admits = ReturnType<typeof compileNetworks>;

const KEPT_MAX = 1_000;
const compiled = new Map<string, Admits>();

/** Compiled once for each value: the credential brings it along at each request. Beyond a bound the one that was compiled first is let go. */
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

/** Whether an address lies in the networks that are named, if any are. */
export const isAdmitted = (networks: readonly string[], address: string): boolean => networks.length === 0 || admitting(networks)(address);
