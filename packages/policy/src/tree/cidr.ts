import { parseAddress } from '../address.ts';
import { isWithin, type Network, parseNetwork } from '../network.ts';
import type { Test } from './node.ts';
import { FALSE, TRUE, UNKNOWN } from './outcome.ts';

const networkOf = (text: string): Network => {
  const network = parseNetwork(text);
  if ('fault' in network) throw new Error(`A stored condition holds a network that is none: ${network.fault}`);
  return network;
};

/** The address lies in one of the networks; text that is no address is unknown. Throws on networks that were never validated. */
export const compileCidr = (expected: string | readonly string[]): Test => {
  const networks = [expected].flat().map(networkOf);
  return (actual) => {
    const address = typeof actual === 'string' ? parseAddress(actual) : null;
    if (address === null) return UNKNOWN;
    return networks.some((network) => isWithin(address, network)) ? TRUE : FALSE;
  };
};
