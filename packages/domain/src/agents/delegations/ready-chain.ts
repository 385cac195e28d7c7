import type { AllowlistEntry } from '../../tools/destinations/allowlist.ts';
import { readEntries } from '../../tools/destinations/destinations-within.ts';
import type { Chain, DelegationLink, Delegator } from './delegation.ts';
import { deriveAuthority } from './effective-authority.ts';
import { isOwnGrants } from './own-grants.ts';
import { type ChainStepView, showChain } from './show-chain.ts';

/** A link as decisions read it: nothing is parsed or searched through for a request. */
export type ReadyLink = {
  readonly link: DelegationLink;
  readonly capabilities: ReadonlySet<string> | null;
  readonly tools: ReadonlySet<string> | null;
  readonly environments: ReadonlySet<string> | null;
  readonly destinations: readonly AllowlistEntry[] | null;
  /** The delegate's own capabilities; null for the last one, whose own grants were checked before. */
  readonly held: ReadonlySet<string> | null;
};

export type ReadyChain = {
  readonly id: string;
  readonly chain: Chain;
  /** Prepared on first use: an agent may be in many chains and use few of them. */
  readonly links: readonly ReadyLink[];
  /** Delegations in it; the grants of an agent that it may begin with are none. */
  readonly depth: number;
  /** The first delegator. */
  readonly root_principal: Delegator;
  /** True if some link counts its usage. */
  readonly isCounted: boolean;
  /** Returns the chain as decisions explain it, computed on first use. */
  readonly shown: () => readonly ChainStepView[];
};

const setOf = (list: readonly string[] | null): ReadonlySet<string> | null => (list === null ? null : new Set(list));

const readyLink = (link: DelegationLink, isLast: boolean): ReadyLink => ({
  link,
  capabilities: setOf(link.scope.capabilities),
  tools: setOf(link.scope.tools),
  environments: setOf(link.scope.environments),
  destinations: link.scope.destinations === null ? null : readEntries(link.scope.destinations),
  held: isLast ? null : new Set(link.delegate.capabilities),
});

/** Returns true if uses of this ceiling add up: calls always do, amounts with a window. */
export const isCounted = ({ ceiling }: DelegationLink): boolean =>
  ceiling.max_calls !== null || (ceiling.max_amount !== null && ceiling.window_seconds !== null);

/** Links above others that were prepared before, for all chains of one snapshot. */
export type PreparedLinks = Map<DelegationLink, ReadyLink>;

const getPrepared = (prepared: PreparedLinks, link: DelegationLink): ReadyLink => {
  const before = prepared.get(link);
  if (before !== undefined) return before;
  const made = readyLink(link, false);
  prepared.set(link, made);
  return made;
};

/** `granted` are the capabilities of the agent at the end of the chain. */
export const readyChain = (granted: readonly string[], chain: Chain, prepared: PreparedLinks = new Map()): ReadyChain => {
  const last = chain[chain.length - 1] ?? chain[0];
  let links: readonly ReadyLink[] | undefined;
  let shown: readonly ChainStepView[] | undefined;
  return {
    id: last.id,
    chain,
    get links() {
      links ??= chain.map((link) => (link === last ? readyLink(link, true) : getPrepared(prepared, link)));
      return links;
    },
    depth: chain.filter((link) => !isOwnGrants(link)).length,
    root_principal: chain[0].delegator,
    isCounted: chain.some(isCounted),
    shown: () => {
      // The reductions of a chain do not change over time; its status is checked for each decision.
      shown ??= showChain(deriveAuthority(granted, chain, new Date(0)));
      return shown;
    },
  };
};
