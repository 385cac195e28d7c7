import { addressSpelling, parseAddress } from '@svc/policy/values/address.ts';
import { type Network, parseNetwork } from '@svc/policy/values/network.ts';

type Read = { readonly networks: readonly Network[] } | { readonly index: number; readonly fault: string };

const read = (texts: readonly string[]): Read => {
  const networks: Network[] = [];
  for (const [index, text] of texts.entries()) {
    const network = parseNetwork(text);
    if ('fault' in network) return { index, fault: network.fault };
    networks.push(network);
  }
  return { networks };
};

/** Returns networks in canonical form (RFC 5952), or the invalid one and its fault. */
export const readNetworks = (texts: readonly string[]): readonly string[] | { readonly index: number; readonly fault: string } => {
  const known = read(texts);
  if ('fault' in known) return known;
  return [...new Set(known.networks.map(({ address, bits }) => `${addressSpelling(address.toString())}/${bits}`))];
};

/** Returns true if an address is in a network; an IPv4-mapped IPv6 address is the IPv4 address it is. */
const lies = (address: NonNullable<ReturnType<typeof parseAddress>>, network: Network): boolean =>
  address.kind() === network.address.kind() && address.match(network.address, network.bits);

/** Compiles allowed networks. An invalid address is in none of them, and an invalid network admits nothing. */
export const compileNetworks = (texts: readonly string[]): ((address: string) => boolean) => {
  const networks = texts.map(parseNetwork).filter((network): network is Network => !('fault' in network));
  return (text) => {
    const address = parseAddress(text);
    return address !== null && networks.some((network) => lies(address, network));
  };
};
