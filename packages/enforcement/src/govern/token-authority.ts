import { checkOperational } from '@svc/domain/agents/agents/check-operational.ts';
import { PASSPORT_OVER } from '@svc/domain/agents/agents/passport-renewal.ts';
import { statusAt } from '@svc/domain/agents/agents/status-at.ts';
import { type ChainRefusal, findChainFault } from '@svc/domain/agents/delegations/chain-standing.ts';
import type { Ceiling, Chain } from '@svc/domain/agents/delegations/delegation.ts';
import { deriveAuthority } from '@svc/domain/agents/delegations/effective-authority.ts';
import { isOwnGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import type { ReadyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { isChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';
import type { AgentSnapshot, EnvironmentSnapshot } from '../facts/snapshots.ts';
import { checkEnvironment } from '../stages/02-environment.ts';
import { listUnusedRoots, listValidRoots, needsPerson } from '../stages/07-authority.ts';

type Holder = { readonly agent: AgentSnapshot; readonly environment: EnvironmentSnapshot; readonly now: Date };

/** The authority of an agent that a token for an external service states. */
export type TokenAuthority = {
  /** Null if the agent acts on its own grants. */
  readonly delegation_id: string | null;
  readonly root_principal_id: string;
  /** Agents of the chain, the first delegate first. Empty if the agent acts on its own grants. */
  readonly actors: readonly string[];
  readonly capabilities: readonly string[];
  /** Null is no restriction. */
  readonly tools: readonly string[] | null;
  readonly destinations: readonly string[] | null;
  readonly ceilings: readonly (Ceiling & { readonly delegation_id: string })[];
  /** Milliseconds since the epoch; infinite without an expiry. */
  readonly expiresAtMs: number;
};

export type NoAuthority = { readonly reason: string };

const none = (reason: string): NoAuthority => ({ reason });

export const hasAuthority = (found: TokenAuthority | NoAuthority): found is TokenAuthority => !('reason' in found);

const stopped = ({ agent, environment, now }: Holder): NoAuthority | undefined => {
  if (checkOperational(statusAt(agent, now.getTime())) !== null) return none('The agent is not active.');
  if (checkEnvironment({ agent, environment }).outcome === 'refused') return none('The environment of the agent is paused or archived.');
  const passport = agent.passport_expires_at;
  return passport === null || Date.parse(passport) <= now.getTime() ? none(PASSPORT_OVER) : undefined;
};

const explainRefusal = ({ reason, delegation_id }: ChainRefusal): NoAuthority => none(`${reason} (${delegation_id})`);

const chooseRoot = (holder: Holder): ReadyChain | NoAuthority | undefined => {
  const [first, another] = listValidRoots(holder);
  if (another !== undefined) return none('The agent has several delegations. Name one: send its id as subject_token.');
  if (first !== undefined) return first;
  const [bound] = listUnusedRoots(holder);
  if (bound !== undefined) return explainRefusal(bound.left);
  return holder.environment.requires_delegation
    ? none('Agents act in this environment only under a delegation, and this agent has none.')
    : undefined;
};

const chooseNamed = (holder: Holder, delegationId: string): ReadyChain | NoAuthority => {
  const chain = holder.agent.chains.get(delegationId);
  if (chain === undefined) return none('There is no such delegation to this agent.');
  if (isChainFault(chain)) return none('The chain of the delegation is broken.');
  const refused = findChainFault(chain.chain, holder.now);
  if (refused !== undefined) return explainRefusal(refused);
  return isOwnGrants(chain.chain[0]) && needsPerson(holder)
    ? none('The agent may act only under delegations from people, but this one starts with the grants of an agent.')
    : chain;
};

const readTime = (time: string | null | undefined): number =>
  time === null || time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time);

const findEnd = ({ expires_at }: AgentSnapshot, chain: readonly Chain[number][]): number =>
  Math.min(readTime(expires_at), ...chain.flatMap((link) => [readTime(link.expires_at), readTime(link.delegate.expires_at)]));

const ownAuthority = ({ agent }: Holder): TokenAuthority => ({
  delegation_id: null,
  root_principal_id: agent.agent_id,
  actors: [],
  capabilities: agent.capability_names,
  tools: null,
  destinations: null,
  ceilings: [],
  expiresAtMs: findEnd(agent, []),
});

/**
 * Resolves the authority that an agent has now under a delegation, or without one under its only root delegation or on its own grants. The
 * rules are those of the stage that checks the authority of an action.
 */
export const resolveTokenAuthority = (holder: Holder, delegationId: string | null): TokenAuthority | NoAuthority => {
  const refused = stopped(holder);
  if (refused !== undefined) return refused;
  const ready = delegationId === null ? chooseRoot(holder) : chooseNamed(holder, delegationId);
  if (ready === undefined) return ownAuthority(holder);
  if ('reason' in ready) return ready;
  const { bounds } = deriveAuthority(holder.agent.capability_names, ready.chain, holder.now);
  const { capabilities, tools, environments, destinations, ceilings } = bounds;
  if (environments !== null && !environments.includes(holder.agent.environment_id))
    return none('The delegation does not cover the environment of the agent.');
  return {
    delegation_id: ready.id,
    root_principal_id: ready.root_principal.id,
    actors: ready.chain.filter((link) => !isOwnGrants(link)).map(({ delegate_agent_id }) => delegate_agent_id),
    capabilities,
    tools,
    destinations,
    ceilings,
    expiresAtMs: findEnd(holder.agent, ready.chain),
  };
};
