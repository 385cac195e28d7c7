import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { isConnectionError } from './failure-reason.ts';

/** Every address a name has now. Rejects when it has none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export type Resolved =
  | { readonly kind: 'resolved'; readonly addresses: readonly LookupAddress[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly sent: false };

const unknown: Resolved = { kind: 'failed', reason: 'The name of the destination could not be resolved.', sent: false };
const forbidden: Resolved = {
  kind: 'refused',
  reason: 'The destination has an address that is private or reserved, and that the allowed networks do not name.',
};

const lookUp = async (hostname: string, lookup: Lookup): Promise<readonly LookupAddress[]> => {
  try {
    return await lookup(hostname);
  } catch (error) {
    if (isConnectionError(error)) return [];
    throw error;
  }
};

/**
 * Resolves a host once, and admits it only when every address it has may be called: a name that mixes public and private addresses is an
 * attempt to slip through. The connection is then made to these addresses and no others, so that a second answer of the DNS changes nothing.
 */
export const resolveHost = async (hostname: string, lookup: Lookup, mayCall: AddressRules): Promise<Resolved> => {
  const family = isIP(hostname);
  const addresses = family === 0 ? await lookUp(hostname, lookup) : [{ address: hostname, family }];
  if (addresses.length === 0) return unknown;
  return addresses.every(({ address }) => mayCall(address)) ? { kind: 'resolved', addresses } : forbidden;
};
