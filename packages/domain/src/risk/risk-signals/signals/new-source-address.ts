import { type SignalDefinition, type SignalFacts, UNKNOWN } from '../signal.ts';

/** Returns true if the caller's network is not among those of the agent. Undefined if that is not known. */
export const isNewNetwork = ({ conduct, network }: SignalFacts): boolean | undefined => {
  if (network === null || network.isNamed) return false;
  if (conduct === null) return undefined;
  const [high, low] = network.mark;
  return conduct.networks.length > 0 && !conduct.networks.some((known) => known[0] === high && known[1] === low);
};

export const newSourceAddress: SignalDefinition = {
  name: 'new_source_address',
  look: (facts) => {
    const { conduct, network } = facts;
    const isNew = isNewNetwork(facts);
    if (isNew === undefined) return UNKNOWN;
    if (!isNew || network === null || conduct === null) return undefined;
    return {
      subject: network.name,
      sentence: `The request comes from ${network.name}, from which the agent did not call before; it called from ${conduct.networks.length} networks.`,
      evidence: { network: network.name, known_networks: conduct.networks.length },
    };
  },
};
