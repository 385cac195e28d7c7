import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Unreached } from '../connection/send-request.ts';
import { isConnectionError } from '../requests/failure-reason.ts';
import type { AddressRules } from './address-rules.ts';

/** Resolves all current addresses of a name. Rejects if it has none, or on a timeout. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

export type ResolvedHost = { readonly kind: 'resolved'; readonly addresses: readonly LookupAddress[] } | Unreached;

const { addressesMax } = LIMITS.egress;

const unknown: ResolvedHost = { kind: 'unreachable', detail: 'The name of the destination could not be resolved.' };
const forbidden: ResolvedHost = {
  kind: 'unreachable',
  detail: 'The destination has a private or reserved address that is not in the allowed networks.',
  forbidden: true,
  setting: 'egressAllowedCidrs',
};

/** Checking each address takes time, and a subset says nothing about the others. */
const tooMany: ResolvedHost = {
  kind: 'unreachable',
  detail: `The destination has more than ${addressesMax} addresses.`,
  forbidden: true,
};

const lookUp = async (hostname: string, lookup: Lookup, signal: AbortSignal): Promise<readonly LookupAddress[]> => {
  try {
    return await lookup(hostname, signal);
  } catch (error) {
    if (isConnectionError(error)) return [];
    throw error;
  }
};

/** Checks a literal address; undefined for a name, which has to be resolved. */
export const admitAddress = (hostname: string, mayCall: AddressRules): ResolvedHost | undefined => {
  const family = isIP(hostname);
  return family === 0 ? undefined : admit([{ address: hostname, family }], mayCall);
};

const admit = (addresses: readonly LookupAddress[], mayCall: AddressRules): ResolvedHost => {
  if (addresses.length === 0) return unknown;
  if (addresses.length > addressesMax) return tooMany;
  return addresses.every(({ address }) => mayCall(address)) ? { kind: 'resolved', addresses } : forbidden;
};

/**
 * Resolves a host once, and accepts it only if every one of its addresses may be called: a name that mixes public and private addresses is
 * an
 * attempt to bypass the rules. The connection is then made to these addresses and no others, so that a second DNS answer changes nothing
 * (DNS
 * rebinding).
 */
export const resolveHost = async (hostname: string, lookup: Lookup, mayCall: AddressRules, signal: AbortSignal): Promise<ResolvedHost> =>
  admit(await lookUp(hostname, lookup, signal), mayCall);
