import { parseAddress } from '@svc/policy/values/address.ts';
import { type Network, parseNetwork } from '@svc/policy/values/network.ts';

const KEPT_MAX = 4_096;
const kept = new Map<string, Network | undefined>();

/** What a text was read as before; the networks of keys and organizations are the same at each request. */
const networkOf = (text: string): Network | undefined => {
  if (kept.has(text)) return kept.get(text);
  const parsed = parseNetwork(text);
  const network = 'fault' in parsed ? undefined : parsed;
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(text, network);
  return network;
};

/** The first that is no network in CIDR form, and what would be right; undefined where each is one. */
export const networksFault = (networks: readonly string[]): { readonly index: number; readonly fault: string } | undefined => {
  for (const [index, text] of networks.entries()) {
    const parsed = parseNetwork(text);
    if ('fault' in parsed) return { index, fault: parsed.fault };
  }
  return undefined;
};

/**
 * Whether a source address lies in one of the networks [IP allowlist]; where none is named it may be any. An IPv4 address counts the same
 * wrapped in an IPv6 one. What is no address lies in none, and what is no network holds none.
 */
export const isAdmittedFrom = (networks: readonly string[], sourceIp: string): boolean => {
  if (networks.length === 0) return true;
  const address = parseAddress(sourceIp);
  if (address === null) return false;
  return networks.some((text) => {
    const network = networkOf(text);
    return network !== undefined && network.address.kind() === address.kind() && address.match(network.address, network.bits);
  });
};
