import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Decides if a call may go to an IP address. */
export type AddressRules = (address: string) => boolean;

/**
 * Cloud metadata services, which issue the machine's own credentials. A wide network does not allow these; each must be named by itself.
 */
const metadataServices = new Set(
  ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((address) =>
    ipaddr.parse(address).toNormalizedString(),
  ),
);

const nat64 = ipaddr.parseCIDR('64:ff9b::/96');
const globalUnicast = ipaddr.parseCIDR('2000::/3');

const isWithin = (address: Address, [network, bits]: Network): boolean => address.kind() === network.kind() && address.match(network, bits);

/** Returns the address that packets reach: an IPv4 address mapped into IPv6 is judged as itself. */
const unwrap = (address: Address): Address => {
  if (address.kind() === 'ipv4') return address;
  const wrapped = address as ipaddr.IPv6;
  if (wrapped.isIPv4MappedAddress()) return wrapped.toIPv4Address();
  return isWithin(wrapped, nat64) ? ipaddr.fromByteArray(wrapped.toByteArray().slice(12)) : wrapped;
};

// 6to4, Teredo, IPv4-compatible and every range without a public meaning fall to the second line: a range need not be named to be refused.
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, globalUnicast));

const PRIVATE_RANGES = new Set(['private', 'uniqueLocal', 'loopback']);

/** Returns true if an address belongs to a private network or to this machine. */
export const isPrivateAddress = (text: string): boolean => ipaddr.isValid(text) && PRIVATE_RANGES.has(unwrap(ipaddr.parse(text)).range());

/** Returns the fault of a network's text, or undefined. */
export const findNetworkFault = (cidr: string): string | undefined =>
  ipaddr.isValidCIDR(cidr) ? undefined : `${JSON.stringify(cidr)} is not a network such as 10.0.0.0/8 or fd00::/8`;

const REMEMBERED_MAX = 1_000;

/** Caches the results of the rules, which never change for an address. */
const remembering = (rules: AddressRules): AddressRules => {
  let said = new Map<string, boolean>();
  return (text) => {
    const before = said.get(text);
    if (before !== undefined) return before;
    const may = rules(text);
    if (said.size >= REMEMBERED_MAX) said = new Map();
    said.set(text, may);
    return may;
  };
};

/**
 * Allows public addresses and those within `allowCidrs` (such as `10.1.0.0/16` or `::1/128`). Rejects private, loopback, link-local,
 * shared,
 * multicast, reserved and metadata addresses (SSRF protection). Throws for an invalid network.
 */
export const newAddressRules = (allowCidrs: readonly string[]): AddressRules => {
  const networks: readonly Network[] = allowCidrs.map((cidr) => {
    const fault = findNetworkFault(cidr);
    if (fault !== undefined) throw new Error(fault);
    return ipaddr.parseCIDR(cidr);
  });
  return remembering((text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = unwrap(ipaddr.parse(text));
    const containing = networks.filter((network) => isWithin(address, network));
    if (metadataServices.has(address.toNormalizedString())) {
      return containing.some(([, bits]) => bits === address.toByteArray().length * 8);
    }
    return isPublic(address) || containing.length > 0;
  });
};
