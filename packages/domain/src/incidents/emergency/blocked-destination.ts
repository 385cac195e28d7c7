import { addressSpelling, parseAddress } from '@svc/policy/values/address.ts';
import { type Network, parseNetwork } from '@svc/policy/values/network.ts';
import { type AllowlistEntry, parseAllowlistEntry } from '../../tools/destinations/allowlist.ts';
import { isAddress } from '../../tools/destinations/is-address.ts';
import { splitPort } from '../../tools/destinations/split-port.ts';

/** A destination that may be blocked. `text` is its one spelling. Without a port it covers every port. */
export type BlockPattern = { readonly text: string; readonly host: string; readonly port: number | null } & (
  | { readonly kind: 'HOST' | 'SUBDOMAINS' }
  | { readonly kind: 'NETWORK'; readonly network: Network }
);

type Fault = { readonly fault: string };

const NETWORK_WITH_PORT = /^\[?([0-9A-Fa-f.:]+\/\d{1,3})\]?(?::(\d{1,5}))?$/;
const PORT_MAX = 65_535;
const FULL_BITS = { ipv4: 32, ipv6: 128 } as const;

const networkPattern = (network: Network, port: number | null): BlockPattern => {
  const host = `${addressSpelling(network.address.toString())}/${network.bits}`;
  return { kind: 'NETWORK', network, host, port, text: port === null ? host : `[${host}]:${port}` };
};

const readNetwork = (text: string): BlockPattern | Fault => {
  const [, written = '', portText] = NETWORK_WITH_PORT.exec(text) ?? [];
  if (written === '') return { fault: 'must be a host, *.host, an address or a network, with an optional port' };
  const network = parseNetwork(written);
  if ('fault' in network) return network;
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > PORT_MAX)) return { fault: 'must have a port between 1 and 65535' };
  return networkPattern(network, port);
};

/** The single address as a network, so that a name that resolves to it is covered too. */
const addressPattern = (host: string, port: number | null): BlockPattern | Fault => {
  const address = parseAddress(host.replace(/^\[|\]$/g, ''));
  if (address === null) return { fault: 'must be a valid address' };
  return networkPattern({ address, bits: FULL_BITS[address.kind()] }, port);
};

/** Reads a host, `*.host`, an address or a network in CIDR form, each with an optional port (`[10.0.0.0/8]:443` for a network). */
export const parseBlockPattern = (text: string): BlockPattern | Fault => {
  if (text.includes('/')) return readNetwork(text);
  if (text.includes(':') && parseAddress(text) !== null) return addressPattern(text, null);
  const parts = splitPort(text);
  if ('fault' in parts) return parts;
  const entry = parseAllowlistEntry(text);
  if ('fault' in entry) return entry;
  const port = entry.port ?? null;
  if (isAddress(entry.host)) return addressPattern(entry.host, port);
  const name = `${entry.subdomains ? '*.' : ''}${entry.host}`;
  return { kind: entry.subdomains ? 'SUBDOMAINS' : 'HOST', host: entry.host, port, text: port === null ? name : `${name}:${port}` };
};

const coversPort = ({ port }: BlockPattern, asked: number): boolean => port === null || port === asked;

const liesIn = (network: Network, text: string): boolean => {
  const address = parseAddress(text.replace(/^\[|\]$/g, ''));
  return address !== null && address.kind() === network.address.kind() && address.match(network.address, network.bits);
};

/** True if a pattern covers a normalised host: by its name, or by the address that it is. */
export const coversHost = (pattern: BlockPattern, host: string): boolean => {
  if (pattern.kind === 'NETWORK') return isAddress(host) && liesIn(pattern.network, host);
  return pattern.kind === 'HOST' ? host === pattern.host : host.endsWith(`.${pattern.host}`);
};

/** A pattern in force, and the id of its block. */
export type DestinationBlock = { readonly id: string; readonly pattern: BlockPattern; readonly expires_at: string | null };

/** Blocks that are in force at a time. */
export const inForce = (blocks: readonly DestinationBlock[], now: Date): readonly DestinationBlock[] =>
  blocks.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now.getTime());

/** The block that covers a host and port as they are written; undefined if none does. */
export const findHostBlock = (blocks: readonly DestinationBlock[], host: string, port: number): DestinationBlock | undefined =>
  blocks.find(({ pattern }) => coversPort(pattern, port) && coversHost(pattern, host));

/** The block that covers one of the addresses that a name has; undefined if none does. */
export const findAddressBlock = (
  blocks: readonly DestinationBlock[],
  addresses: readonly string[],
  port: number,
): DestinationBlock | undefined =>
  blocks.find(
    ({ pattern }) =>
      pattern.kind === 'NETWORK' && coversPort(pattern, port) && addresses.some((address) => liesIn(pattern.network, address)),
  );

/** True if a call that the entry of an allowlist permits could go to the pattern. A network only reaches entries that are addresses. */
export const overlapsEntry = (pattern: BlockPattern, entry: AllowlistEntry): boolean => {
  if (pattern.port !== null && entry.port !== undefined && pattern.port !== entry.port) return false;
  if (!entry.subdomains) return coversHost(pattern, entry.host);
  if (pattern.kind === 'NETWORK') return false;
  if (pattern.kind === 'HOST') return pattern.host.endsWith(`.${entry.host}`);
  return pattern.host === entry.host || pattern.host.endsWith(`.${entry.host}`) || entry.host.endsWith(`.${pattern.host}`);
};
