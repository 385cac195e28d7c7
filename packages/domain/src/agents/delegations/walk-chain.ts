import { CHAIN_LINKS_MAX, type Chain, type DelegationLink } from './delegation.ts';
import { isOwnGrants } from './own-grants.ts';

export type ChainFault = { readonly fault: string; readonly delegation_id: string };

/** Returns true if the link may be below its parent: created by the parent's delegate, or by a person. */
const belongs = (link: DelegationLink, parent: DelegationLink): boolean =>
  link.delegator.type === 'USER' || link.delegator.id === parent.delegate_agent_id;

const joined = (id: string, links: ReadonlyMap<string, DelegationLink>): readonly DelegationLink[] | ChainFault => {
  const chain: DelegationLink[] = [];
  const holders = new Set<string>();
  for (let at: string | null = id; at !== null; ) {
    const link = links.get(at);
    if (link === undefined) return { fault: 'does not exist', delegation_id: at };
    if (holders.has(link.delegate_agent_id)) return { fault: 'leads to an agent that is already in the chain', delegation_id: at };
    if (chain.length === CHAIN_LINKS_MAX) return { fault: 'is at the end of a chain that is too long', delegation_id: id };
    const below = chain[0];
    if (below !== undefined && !belongs(below, link)) return { fault: 'was not created by its delegator', delegation_id: below.id };
    holders.add(link.delegate_agent_id);
    chain.unshift(link);
    at = link.parent_id;
  }
  return chain;
};

/** Returns the chain that ends in a delegation, or the link at which it is broken. Terminates for any rows. */
export const walkChain = (id: string, links: ReadonlyMap<string, DelegationLink>): Chain | ChainFault => {
  const chain = joined(id, links);
  if ('fault' in chain) return chain;
  const [root, ...rest] = chain;
  if (root === undefined) return { fault: 'does not exist', delegation_id: id };
  // A chain that began with an agent's delegation would narrow its delegate against the will of the people it works for.
  const begins = root.delegator.type === 'USER' || isOwnGrants(root);
  return begins ? [root, ...rest] : { fault: 'does not start with a person or a grant of an agent', delegation_id: root.id };
};

export const isChainFault = <Found extends object>(value: Found | ChainFault): value is ChainFault => 'fault' in value;

/** Returns true if a new link to this agent would form a cycle. */
export const closesCircle = (chain: Chain, delegateAgentId: string): boolean =>
  chain.some((link) => link.delegate_agent_id === delegateAgentId);
