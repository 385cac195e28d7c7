import { type ChainRefusal, depthLeft, findChainFault, leftBehind } from './chain-standing.ts';
import type { Ceiling, Chain, DelegationLink, Delegator } from './delegation.ts';
import { meetDestinations, meetLists, spellDestination } from './meet.ts';

type List = readonly string[] | null;

/** The authority that remains after some links. Every ceiling along the way applies; null lists are unlimited. */
export type EffectiveBounds = {
  readonly capabilities: readonly string[];
  readonly tools: List;
  readonly environments: List;
  readonly destinations: List;
  readonly ceilings: readonly (Ceiling & { readonly delegation_id: string })[];
  readonly expires_at: string | null;
  /** The number of further links allowed below. */
  readonly redelegations_left: number;
};

/** A reduction by one link. `removed` is null if the field was unlimited before. */
export type Narrowing = { readonly field: string; readonly removed: List; readonly left: List };

export type AuthorityStep = {
  readonly delegation_id: string;
  readonly delegator: Delegator;
  readonly delegate_agent_id: string;
  readonly narrowings: readonly Narrowing[];
  readonly ceiling: Ceiling;
  readonly expires_at: string | null;
};

export type DerivedAuthority = {
  readonly delegation_id: string;
  /** Null while every link holds; otherwise the delegation can be used for nothing now. */
  readonly refusal: ChainRefusal | null;
  readonly steps: readonly AuthorityStep[];
  readonly bounds: EffectiveBounds;
};

type Running = Pick<EffectiveBounds, 'capabilities' | 'tools' | 'environments' | 'destinations'>;
type Narrowed = { readonly after: Running; readonly narrowings: readonly Narrowing[] };

const getNarrowing = (field: string, before: List, after: List): Narrowing[] => {
  if (after === null) return [];
  if (before === null) return [{ field, removed: null, left: after }];
  const left = new Set(after);
  const removed = before.filter((one) => !left.has(one));
  return removed.length === 0 ? [] : [{ field, removed, left: after }];
};

const narrow = (before: Running, { scope, delegate }: DelegationLink, isLast: boolean): Narrowed => {
  const scoped = meetLists(before.capabilities, scope.capabilities) ?? [];
  const held = isLast ? scoped : (meetLists(scoped, delegate.capabilities) ?? []);
  const after: Running = {
    capabilities: held,
    tools: meetLists(before.tools, scope.tools),
    environments: meetLists(before.environments, scope.environments),
    destinations: meetDestinations(before.destinations, scope.destinations?.map(spellDestination) ?? null),
  };
  const narrowings = [
    ...getNarrowing('scope.capabilities', before.capabilities, scoped),
    ...getNarrowing('delegate.capabilities', scoped, held),
    ...getNarrowing('scope.tools', before.tools, after.tools),
    ...getNarrowing('scope.environments', before.environments, after.environments),
    ...getNarrowing('scope.destinations', before.destinations, after.destinations),
  ];
  return { after, narrowings };
};

const isBounded = ({ max_amount, max_calls }: Ceiling): boolean => max_amount !== null || max_calls !== null;

const firstExpiry = (chain: Chain): string | null =>
  chain.reduce<string | null>((first, { expires_at }) => {
    if (first === null || expires_at === null) return first ?? expires_at;
    return Date.parse(expires_at) < Date.parse(first) ? expires_at : first;
  }, null);

/** The granted capabilities of the agent at the end of a chain, narrowed link by link, with what each link took away. */
export const deriveAuthority = (granted: readonly string[], chain: Chain, now: Date): DerivedAuthority => {
  let running: Running = { capabilities: granted, tools: null, environments: null, destinations: null };
  const steps: AuthorityStep[] = [];
  for (const [index, link] of chain.entries()) {
    const { after, narrowings } = narrow(running, link, index === chain.length - 1);
    const { id, delegator, delegate_agent_id, ceiling, expires_at } = link;
    steps.push({ delegation_id: id, delegator, delegate_agent_id, narrowings, ceiling, expires_at });
    running = after;
  }
  return {
    delegation_id: (chain[chain.length - 1] ?? chain[0]).id,
    refusal: findChainFault(chain, now) ?? null,
    steps,
    bounds: {
      ...running,
      ceilings: chain.filter(({ ceiling }) => isBounded(ceiling)).map(({ id, ceiling }) => ({ delegation_id: id, ...ceiling })),
      expires_at: firstExpiry(chain),
      redelegations_left: Math.max(0, depthLeft(chain)),
    },
  };
};

export type EffectiveAuthority = {
  /** The source of authority without a named delegation: the agent's own grants, or its root delegations if any has not ended. */
  readonly source: 'GRANT' | 'DELEGATION';
  readonly granted: readonly string[];
  /** Capabilities without a named delegation. */
  readonly capabilities: readonly string[];
  /** Root delegations of which any single one that covers a request is enough, if none is named. */
  readonly acts_under: readonly string[];
  /** All delegations to the agent, each derived from its grants. */
  readonly delegations: readonly DerivedAuthority[];
};

/** All that an agent may do at a moment, and why: which grant, which chain, which narrowing. */
export const effectiveAuthority = (granted: readonly string[], chains: readonly Chain[], now: Date): EffectiveAuthority => {
  const delegations = chains.map((chain) => deriveAuthority(granted, chain, now));
  const roots = delegations.filter(({ refusal, steps }) => refusal === null && steps.length === 1);
  const reached = new Set(roots.flatMap(({ bounds }) => bounds.capabilities));
  const fromGrants = roots.length === 0 && !chains.some((chain) => leftBehind(chain, now) !== undefined);
  return {
    source: fromGrants ? 'GRANT' : 'DELEGATION',
    granted,
    capabilities: fromGrants ? granted : granted.filter((capability) => reached.has(capability)),
    acts_under: roots.map(({ delegation_id }) => delegation_id),
    delegations,
  };
};
