import { normaliseHost } from '@svc/policy/values/normalise-host.ts';
import { isAddress } from './is-address.ts';
import { type Destination, type DestinationFault, defaultPort } from './parse-destination.ts';
import { splitPort } from './split-port.ts';

/**
 * One entry of a tool's allowlist: a host, or with `subdomains` every name below `host` at any depth but not `host` itself. Without `port`
 * it
 * covers only the default port of the destination's scheme: 443 for https, 80 for http.
 */
export type AllowlistEntry = { readonly host: string; readonly subdomains: boolean; readonly port?: number };

/** Reads one entry. A bare `*`, a wildcard over a top-level domain, over part of a label or over an address is refused. */
export const parseAllowlistEntry = (text: string): AllowlistEntry | DestinationFault => {
  if (text.includes('/')) return { fault: 'must be a host without scheme or path' };
  const parts = splitPort(text);
  if ('fault' in parts) return parts;
  const subdomains = parts.hostText.startsWith('*.');
  const hostText = subdomains ? parts.hostText.slice(2) : parts.hostText;
  if (hostText.includes('*')) return { fault: 'may contain a wildcard only as the entire first label, such as *.example.com' };
  const host = normaliseHost(hostText);
  if (host === null) return { fault: 'must be a valid host' };
  if (subdomains && isAddress(host)) return { fault: 'must not have a wildcard before an IP address' };
  if (subdomains && !host.includes('.')) return { fault: 'must not cover an entire top-level domain' };
  return parts.port === undefined ? { host, subdomains } : { host, subdomains, port: parts.port };
};

const coversPort = (entry: AllowlistEntry, destination: Destination): boolean => {
  if (entry.port !== undefined) return destination.port === entry.port;
  const implied = destination.scheme === undefined ? 443 : defaultPort(destination.scheme);
  return destination.port === implied;
};

const coversHost = (entry: AllowlistEntry, host: string): boolean =>
  entry.subdomains ? host.endsWith(`.${entry.host}`) : host === entry.host;

/** Returns true if some entry covers the destination. An empty list covers nothing. */
export const isAllowed = (entries: readonly AllowlistEntry[], destination: Destination): boolean =>
  entries.some((entry) => coversHost(entry, destination.host) && coversPort(entry, destination));
