import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { chainRefusal, leftBehind } from './chain-standing.ts';
import type { Chain } from './delegation.ts';
import { ownGrants } from './own-grants.ts';
import { type ChainFault, isChainFault } from './walk-chain.ts';

/** What an agent has to hand on: its own grants, and the delegations to it, each with all that is above it or with what breaks its chain. */
export type Held = {
  readonly agentId: string;
  readonly status: AgentStatus;
  readonly capabilities: readonly string[];
  readonly chains: ReadonlyMap<string, Chain | ChainFault>;
};

/** Which chain breaks, or those that a new delegation may hang below; the first of them is the one to be narrowed, whether or not it holds. */
export type ToNarrow = readonly [Chain, ...Chain[]] | ChainFault;

/** The chain of a parent that is named; without one any that a person made out to the agent, and when each has ended, what it was granted. */
export const chainsToNarrow = ({ agentId, status, capabilities, chains }: Held, parentId: string | null, now: Date): ToNarrow => {
  if (parentId !== null) {
    const chain = chains.get(parentId) ?? { fault: 'ended long ago', delegation_id: parentId };
    return isChainFault(chain) ? chain : [chain];
  }
  const roots = [...chains.values()].filter((chain): chain is Chain => !isChainFault(chain) && chain.length === 1);
  const [first, ...rest] = roots.filter((chain) => chainRefusal(chain, now) === undefined);
  if (first) return [first, ...rest];
  const left = roots.find((chain) => leftBehind(chain, now) !== undefined);
  return left ? [left] : [[ownGrants(agentId, { status, capabilities })]];
};
