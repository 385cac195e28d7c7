import { promises as dns, type LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isConnectionError } from '../requests/failure-reason.ts';
import { type Hosts, parseHosts } from './hosts-file.ts';
import type { Lookup } from './resolve-host.ts';
import { namesToTry, parseSearchRules, type SearchRules } from './resolver-file.ts';

export type LookupSettings = {
  /** Name servers, `address` or `address:port`; those of the system if empty. */
  readonly nameServers: readonly string[];
  readonly hostsFile?: string;
  readonly resolverFile?: string;
};

type Files = { readonly hosts: Hosts; readonly search: SearchRules };

const FILES_KEPT_MS = 5_000;
const QUERY_MS = 1_500;
const QUERY_TRIES = 2;
/** Names below localhost are this machine; name servers are not consulted. */
const LOCAL = /(^|\.)localhost$/i;
const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'latin1');
  } catch (error) {
    // A machine without such a file has no entries.
    if (isConnectionError(error)) return '';
    throw error;
  }
};

/** Reads the files again every few seconds. */
const newFiles = ({ hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' }: LookupSettings): (() => Promise<Files>) => {
  let kept: Promise<Files> | undefined;
  let readAt = 0;
  const read = async (): Promise<Files> => {
    const [hosts, resolver] = await Promise.all([readText(hostsFile), readText(resolverFile)]);
    return { hosts: parseHosts(hosts), search: parseSearchRules(resolver) };
  };
  return () => {
    const now = performance.now();
    if (kept !== undefined && now - readAt < FILES_KEPT_MS) return kept;
    readAt = now;
    kept = read();
    return kept;
  };
};

const noAddress = (): Error => Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });

/** Enough to detect that there are too many. */
const TOLD_MAX = LIMITS.egress.addressesMax + 1;

/** Queries both families at once; one without an address or answer is omitted. */
const ask = async (resolver: dns.Resolver, name: string): Promise<LookupAddress[]> => {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return [
    ...(four.status === 'fulfilled' ? four.value.slice(0, TOLD_MAX).map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.slice(0, TOLD_MAX).map((address) => ({ address, family: 6 })) : []),
  ];
};

const askInTurn = async (resolver: dns.Resolver, names: readonly string[], signal: AbortSignal): Promise<readonly LookupAddress[]> => {
  for (const name of names) {
    if (signal.aborted) break;
    const addresses = await ask(resolver, name);
    if (addresses.length > 0) return addresses;
  }
  throw noAddress();
};

/**
 * Resolves names over the network without a thread for each: the system's resolver runs on a few threads that hanging names would block for
 * all tenants. The hosts file has priority over name servers, and short names are completed by the resolver file. Each lookup has a
 * resolver
 * of its own, so that it can be aborted alone.
 */
export const newLookup = (settings: LookupSettings): Lookup => {
  const files = newFiles(settings);
  return async (hostname, signal) => {
    const { hosts, search } = await files();
    const known = hosts.get(hostname.toLowerCase()) ?? (LOCAL.test(hostname) ? LOOPBACK : undefined);
    if (known !== undefined) return known;
    const resolver = new dns.Resolver({ timeout: QUERY_MS, tries: QUERY_TRIES });
    if (settings.nameServers.length > 0) resolver.setServers(settings.nameServers);
    const stop = (): void => resolver.cancel();
    const within = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.egress.lookupMs)]);
    within.addEventListener('abort', stop, { once: true });
    return askInTurn(resolver, namesToTry(hostname, search), within).finally(() => within.removeEventListener('abort', stop));
  };
};
