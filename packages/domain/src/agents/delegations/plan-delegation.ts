import { findAttenuationFaults } from './attenuation.ts';
import type { RatesAtTime } from './ceiling-within.ts';
import { findChainFault } from './chain-standing.ts';
import type { AuthorityFault, Chain, DelegationBounds } from './delegation.ts';
import { inheritBounds, type RequestedBounds } from './inherit-bounds.ts';
import { closesCircle } from './walk-chain.ts';

export type DelegationPlan =
  /** `chain` is null for a root created by a person. */
  | { readonly outcome: 'permitted'; readonly chain: Chain | null; readonly bounds: DelegationBounds }
  | {
      readonly outcome: 'refused';
      readonly code: 'DELEGATION_INVALID' | 'DELEGATION_EXPIRED';
      readonly reason: string;
      readonly delegation_id: string | null;
    }
  | { readonly outcome: 'escalates'; readonly chain: Chain; readonly bounds: DelegationBounds; readonly faults: readonly AuthorityFault[] };

export type Proposal = RequestedBounds & { readonly delegate_agent_id: string };

const planBelow = (chain: Chain, asked: Proposal, exchange: RatesAtTime): DelegationPlan => {
  const standing = findChainFault(chain, exchange.now);
  if (standing) return { outcome: 'refused', ...standing };
  const { id, delegate } = chain[chain.length - 1] ?? chain[0];
  const invalid = (reason: string): DelegationPlan => ({ outcome: 'refused', code: 'DELEGATION_INVALID', reason, delegation_id: id });
  if (delegate.status !== 'ACTIVE') return invalid('The agent that would pass it on is not active.');
  if (closesCircle(chain, asked.delegate_agent_id)) return invalid('The delegate is already an agent in the chain.');
  const bounds = inheritBounds(chain, asked, exchange);
  const faults = findAttenuationFaults(chain, bounds, exchange);
  return faults.length === 0 ? { outcome: 'permitted', chain, bounds } : { outcome: 'escalates', chain, bounds, faults };
};

const RANK = { permitted: 0, escalates: 1, refused: 2 } as const;

const nearer = (one: DelegationPlan, other: DelegationPlan): DelegationPlan => {
  if (one.outcome === 'escalates' && other.outcome === 'escalates') return other.faults.length < one.faults.length ? other : one;
  return RANK[other.outcome] < RANK[one.outcome] ? other : one;
};

/** Returns the result of a proposal below any one of some chains: the first that contains it; otherwise the closest one. */
export const planDelegation = (chains: readonly [Chain, ...Chain[]], asked: Proposal, exchange: RatesAtTime): DelegationPlan => {
  const [first, ...rest] = chains;
  return rest.reduce((best, chain) => nearer(best, planBelow(chain, asked, exchange)), planBelow(first, asked, exchange));
};

/** Plans a root: only its creator bounds it, and it never adds to the agent's own grants. */
export const planRoot = (asked: Proposal, exchange: RatesAtTime): DelegationPlan => ({
  outcome: 'permitted',
  chain: null,
  bounds: inheritBounds(null, asked, exchange),
});
