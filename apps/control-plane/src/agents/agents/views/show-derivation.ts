import type { AgentAuthority } from '@svc/contract/agents/delegations/authority.ts';
import { type Delegate, listDelegationWarnings } from '@svc/domain/agents/delegations/delegation-warnings.ts';
import type { AuthorityStep, DerivedAuthority, EffectiveAuthority } from '@svc/domain/agents/delegations/effective-authority.ts';
import type { ReadyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { type ChainFault, isChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';

type Derivation = AgentAuthority['delegations'][number];

const copied = (list: readonly string[] | null): string[] | null => list && [...list];

/** Grants carry the id of their agent and are not delegations. */
const beginsWithGrants = ({ delegation_id, delegate_agent_id }: AuthorityStep): boolean => delegation_id === delegate_agent_id;

const showStep = (step: AuthorityStep): Derivation['steps'][number] => ({
  ...step,
  delegation_id: beginsWithGrants(step) ? null : step.delegation_id,
  narrowings: step.narrowings.map(({ field, removed, left }) => ({ field, removed: copied(removed), left: copied(left) })),
});

const NOTHING: Derivation['bounds'] = {
  capabilities: [],
  tools: [],
  environments: [],
  destinations: [],
  ceilings: [],
  expires_at: null,
  redelegations_left: 0,
};

const standingOf = ({ refusal, steps }: DerivedAuthority, needsPerson: boolean): Pick<Derivation, 'usable' | 'code' | 'reason'> => {
  if (refusal) return { usable: false, code: refusal.code, reason: refusal.reason };
  const [first] = steps;
  return needsPerson && first && beginsWithGrants(first)
    ? {
        usable: false,
        code: 'DELEGATION_INVALID',
        reason: 'The agent acts under delegations of people only, and this one begins with grants.',
      }
    : { usable: true, code: null, reason: null };
};

const UNBOUNDED = { max_amount: null, currency: null, max_calls: null, window_seconds: null };

/** Formats the warnings as the creator of the delegation saw them. */
const listWarnings = ({ bounds }: DerivedAuthority, { chain }: ReadyChain, delegate: Delegate): Derivation['warnings'] => {
  const { capabilities, tools, environments, destinations, ceilings, expires_at } = bounds;
  const scope = { capabilities, tools, environments, destinations };
  const left = { scope, ceiling: ceilings[0] ?? UNBOUNDED, expires_at, can_redelegate: false, max_depth: 0 };
  const warnings = listDelegationWarnings(left, delegate, chain.length === 1);
  return warnings.map(({ fields, ...rest }) => ({ ...rest, fields: [...fields] }));
};

/** Shows how the authority of one delegation is derived, link by link; a broken chain states where it breaks. */
export const showDerivation = (
  id: string,
  chain: ReadyChain | ChainFault,
  authority: EffectiveAuthority,
  needsPerson: boolean,
  delegate: Delegate,
): Derivation => {
  const derived = authority.delegations.find(({ delegation_id }) => delegation_id === id);
  if (isChainFault(chain) || derived === undefined) {
    const reason = isChainFault(chain) ? `The chain is broken: a delegation in it ${chain.fault}.` : null;
    return { delegation_id: id, usable: false, code: 'DELEGATION_INVALID', reason, steps: [], bounds: NOTHING, warnings: [] };
  }
  const { capabilities, tools, environments, destinations, ceilings, ...rest } = derived.bounds;
  const standing = standingOf(derived, needsPerson);
  return {
    delegation_id: id,
    ...standing,
    warnings: standing.usable ? listWarnings(derived, chain, delegate) : [],
    steps: derived.steps.map(showStep),
    bounds: {
      ...rest,
      capabilities: [...capabilities],
      tools: copied(tools),
      environments: copied(environments),
      destinations: copied(destinations),
      ceilings: [...ceilings],
    },
  };
};
