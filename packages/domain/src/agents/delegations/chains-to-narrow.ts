import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { findChainFault, leftBehind } from './chain-standing.ts';
import type { Chain } from './delegation.ts';
import { ownGrants } from './own-grants.ts';
import { type ChainFault, isChainFault } from './walk-chain.ts';

/**
 * The authority an agent can delegate: its own grants, and the delegations to it, each with all that is above it or with the fault of its
 * chain.
 */
export type DelegableAuthority = {
  readonly agentId: string;
  readonly status: AgentStatus;
  readonly capabilities: readonly string[];
  readonly chains: ReadonlyMap<string, Chain | ChainFault>;
};

/** The fault of a chain, or the chains that a new delegation may be below; the first of them is the one to narrow, in force or not. */
export type ToNarrow = readonly [Chain, ...Chain[]] | ChainFault;

/** Returns the chain of a named parent; without one, any that a person delegated to the agent, and if each has ended, its own grants. */
export const chainsToNarrow = (
  { agentId, status, capabilities, chains }: DelegableAuthority,
  parentId: string | null,
  now: Date,
): ToNarrow => {
  if (parentId !== null) {
    const chain = chains.get(parentId) ?? { fault: 'ended long ago', delegation_id: parentId };
    return isChainFault(chain) ? chain : [chain];
  }
  const roots = [...chains.values()].filter((chain): chain is Chain => !isChainFault(chain) && chain.length === 1);
  const [first, ...rest] = roots.filter((chain) => findChainFault(chain, now) === undefined);
  if (first) return [first, ...rest];
  const left = roots.find((chain) => leftBehind(chain, now) !== undefined);
  return left ? [left] : [[ownGrants(agentId, { status, capabilities })]];
};
