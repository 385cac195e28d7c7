import { type ChainRefusal, findChainFault, leftBehind } from '@svc/domain/agents/delegations/chain-standing.ts';
import { isOwnGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import type { ReadyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { findUncoveredLink, type RequestFault, type WantedAuthority } from '@svc/domain/agents/delegations/request-fault.ts';
import { isChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';
import { getCounter, listAuthorityClaims } from '../claims/authority-claims.ts';
import type { DelegatedAuthority, Facts, Learned } from '../facts/facts.ts';
import { defineStage, PASSED, refuseStage, requireKnown, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['DELEGATION_INVALID', 'DELEGATION_EXPIRED', 'AUTHORITY_EXCEEDED', 'UNPROCESSABLE'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const FAULTS_SHOWN_MAX = 5;
/** Delegations with counted ceilings that are tried for one request. */
const COUNTED_TRIED_MAX = 5;

const wantedOf = ({ environment }: Facts, learned: Learned): WantedAuthority => {
  const { id, name, required_capability } = requireKnown(learned.tool, 'tool');
  const { destination, amount, currency } = requireKnown(learned.derived, 'request');
  return { capability: required_capability, tool: { id, name }, environment_id: environment.environment_id, destination, amount, currency };
};

const getExchange = ({ environment, now }: Facts) => ({ rates: environment.rates, now });

const passedUnder = (facts: Facts, learned: Learned, chain: ReadyChain, named: boolean): Answer => {
  const authority: DelegatedAuthority = { chain, delegation_id: chain.id, named };
  const claims = listAuthorityClaims(chain, requireKnown(learned.derived, 'request'), getExchange(facts));
  return { outcome: 'passed', learned: { authority, ...(claims.length === 0 ? {} : { claims: [...(learned.claims ?? []), ...claims] }) } };
};

const invalid = (delegationId: string, reason: string, at: Readonly<Record<string, unknown>> = {}): Answer => ({
  ...refuseStage('DELEGATION_INVALID', reason, { delegation_id: delegationId, ...at }),
  learned: { authority: { chain: null, delegation_id: delegationId, named: true, refused: { code: 'DELEGATION_INVALID', reason, ...at } } },
});

type Exceeded = {
  readonly delegation_id: string | null;
  readonly at: string | null;
  readonly field: string;
  readonly ceiling: unknown;
  readonly requested: unknown;
};

/** Builds the details of every authority refusal; `delegation_id` and `at` are null if the agent's own grants do not suffice. */
const exceededDetails = ({ capability }: WantedAuthority, exceeding: Exceeded) => ({ capability, ...exceeding });

/** `at` is the link that refused, `delegation_id` the delegation of the request. */
const exceeded = (chain: ReadyChain, named: boolean, { delegation_id, ...fault }: RequestFault, wanted: WantedAuthority): Answer => {
  const { code, reason, field, allowed, asked } = fault;
  const details = exceededDetails(wanted, { delegation_id: chain.id, at: delegation_id, field, ceiling: allowed, requested: asked });
  const authority = { chain, delegation_id: chain.id, named, refused: { code, reason, at: delegation_id, field, allowed, asked } };
  return { ...refuseStage(code, reason, details), learned: { authority } };
};

type Holder = Pick<Facts, 'environment' | 'agent' | 'now'>;

export const listUnusedRoots = ({ agent, now }: Holder) =>
  agent.root_chains.flatMap((chain) => {
    const left = leftBehind(chain.chain, now);
    return left ? [{ chain, left }] : [];
  });

export const listValidRoots = ({ agent, now }: Holder) => agent.root_chains.filter(({ chain }) => findChainFault(chain, now) === undefined);

/**
 * True if a person's delegation is required: another agent's grants cannot bypass the delegations that people gave this agent, or an
 * environment that requires one.
 */
export const needsPerson = (facts: Holder): boolean =>
  facts.environment.requires_delegation || listValidRoots(facts).length > 0 || listUnusedRoots(facts).length > 0;

const refusedBy = (chain: ReadyChain, { code, reason, delegation_id: at }: ChainRefusal, named: boolean): Answer => {
  const authority = { chain, delegation_id: chain.id, named, refused: { code, reason, at } };
  return { ...refuseStage(code, reason, { delegation_id: chain.id, at }), learned: { authority } };
};

const checkNamed = (facts: Facts, learned: Learned, delegationId: string): Answer => {
  const chain = facts.agent.chains.get(delegationId);
  // Another agent's delegation, another tenant's and an unknown one get the same response.
  if (chain === undefined) return invalid(delegationId, 'There is no such delegation to this agent.');
  if (isChainFault(chain))
    return invalid(delegationId, `The chain is broken: a delegation in it ${chain.fault}.`, { at: chain.delegation_id });
  const standing = findChainFault(chain.chain, facts.now);
  if (standing) return refusedBy(chain, standing, true);
  if (isOwnGrants(chain.chain[0]) && needsPerson(facts))
    return invalid(delegationId, 'The agent may act only under delegations from people, but this one starts with the grants of an agent.');
  const wanted = wantedOf(facts, learned);
  const fault = findUncoveredLink(chain, wanted, getExchange(facts));
  return fault ? exceeded(chain, true, fault, wanted) : passedUnder(facts, learned, chain, true);
};

const NONE_HOLDS = 'Agents may act in this environment only under a delegation, and this agent has no valid one.';

const withoutDelegation = (facts: Facts, learned: Learned): Answer => {
  if (!facts.environment.requires_delegation) return PASSED;
  const wanted = wantedOf(facts, learned);
  const none = { delegation_id: null, at: null, field: 'delegation_id', ceiling: null, requested: null };
  return refuseStage('AUTHORITY_EXCEEDED', NONE_HOLDS, exceededDetails(wanted, none));
};

/**
 * Chooses the first delegation that covers the request; if ceilings were used up, the first of the others; the last one determines the
 * refusal.
 */
const chosenOf = ({ lost = [] }: Facts, covering: readonly ReadyChain[]): ReadyChain | undefined => {
  const tried = covering.slice(0, COUNTED_TRIED_MAX);
  return tried.find((chain) => lost.every(({ claim }) => claim.counter !== getCounter(chain))) ?? tried.at(-1);
};

/** Accepts any root delegation that covers the request; one without counting is tried first. */
const checkRoots = (facts: Facts, learned: Learned): Answer => {
  const standing = listValidRoots(facts);
  const [first] = standing;
  if (first === undefined) {
    const [bound] = listUnusedRoots(facts);
    return bound ? refusedBy(bound.chain, bound.left, false) : withoutDelegation(facts, learned);
  }
  const wanted = wantedOf(facts, learned);
  const exchange = getExchange(facts);
  const faults = standing.map((chain) => ({ chain, fault: findUncoveredLink(chain, wanted, exchange) }));
  const covering = faults.flatMap(({ chain, fault }) => (fault === undefined ? [chain] : []));
  const chosen = chosenOf(facts, covering);
  if (chosen) return passedUnder(facts, learned, chosen, false);
  const [{ fault } = { fault: undefined }] = faults;
  if (fault === undefined) throw new Error('a delegation that covers a request was not chosen');
  if (faults.length === 1) return exceeded(first, false, fault, wanted);
  const tried = faults.slice(0, FAULTS_SHOWN_MAX).map((one) => ({ delegation_id: one.chain.id, ...one.fault }));
  const reason = `None of the ${faults.length} delegations of the agent covers this.`;
  const refusal = { code: 'AUTHORITY_EXCEEDED', reason, tried };
  return {
    ...refuseStage('AUTHORITY_EXCEEDED', reason, {
      ...exceededDetails(wanted, {
        delegation_id: first.id,
        at: fault.delegation_id,
        field: fault.field,
        ceiling: fault.allowed,
        requested: fault.asked,
      }),
      tried,
    }),
    learned: { authority: { chain: first, delegation_id: first.id, named: false, refused: refusal } },
  };
};

/**
 * Checks that the request is within every link of the named chain, and that every link is valid now. Without a named chain it may use any
 * of the agent's root delegations, or without any the agent's own grants, unless the environment requires a delegation.
 */
const checkAuthority = (facts: Facts, learned: Learned): Answer => {
  const { delegation_id } = facts.request;
  if (delegation_id !== undefined) return checkNamed(facts, learned, delegation_id);
  return facts.agent.root_chains.length === 0 ? withoutDelegation(facts, learned) : checkRoots(facts, learned);
};

export const authority = defineStage({ name: 'authority', relaxedByObserve: true, refuses: REFUSES, check: checkAuthority });
