import type { AgentStatus, DelegationBacking, DelegationStatus } from '@svc/contract/tables/vocabulary.ts';

/** The maximum number of links in a chain, its root included. A longer chain is never followed. */
export const CHAIN_LINKS_MAX = 16;

/** The maximum number of delegations to one agent that decisions read; a further one would have no effect, so none is created. */
export const DELEGATIONS_PER_AGENT_MAX = 1_000;

/** Each list bounds one dimension; null bounds nothing in it, and an empty list leaves nothing. */
export type Scope = {
  readonly capabilities: readonly string[] | null;
  /** Names or ids of tools, compared as they are written. */
  readonly tools: readonly string[] | null;
  /** Ids of environments. */
  readonly environments: readonly string[] | null;
  /** Entries as in a tool's allowlist: a host or *.host, with or without a port. */
  readonly destinations: readonly string[] | null;
};

/**
 * `max_amount` in minor units of `currency` bounds every single action and, with a window, their sum in any such window.
 * `max_calls` counts in any window, or over the whole life of the delegation without one. Null is unlimited.
 */
export type Ceiling = {
  readonly max_amount: number | null;
  readonly currency: string | null;
  readonly max_calls: number | null;
  readonly window_seconds: number | null;
};

/** All that a delegation bounds. */
export type DelegationBounds = {
  readonly scope: Scope;
  readonly ceiling: Ceiling;
  /** Null: never. */
  readonly expires_at: string | null;
  readonly can_redelegate: boolean;
  /** The number of further links allowed below this one, in depth. Has no effect without `can_redelegate`. */
  readonly max_depth: number;
};

export type Delegator = { readonly type: 'USER' | 'AGENT'; readonly id: string };

export type DelegationNode = DelegationBounds & {
  readonly id: string;
  /** Null for a root; an agent's delegation is below one that it was granted. */
  readonly parent_id: string | null;
  readonly delegator: Delegator;
  readonly delegate_agent_id: string;
  readonly status: DelegationStatus;
  /** For a root created by a person; HELD by default. */
  readonly backing?: DelegationBacking;
};

/** A delegation with the authority of its delegate: no one passes on what they do not have, or while they are stopped. */
export type DelegationLink = DelegationNode & {
  readonly delegate: {
    readonly status: AgentStatus;
    /** From when on it may not act. */
    readonly expires_at?: string | null;
    readonly capabilities: readonly string[];
    /** True if people delegated to it, so that it acts on and passes on no grants, its own or another agent's. */
    readonly is_delegated?: boolean;
  };
};

/** From the root down to the delegation that is used. */
export type Chain = readonly [DelegationLink, ...DelegationLink[]];

/** A request outside of the permitted authority: a dotted name, the bounding value, and the requested one. */
export type AuthorityFault = { readonly field: string; readonly parent: unknown; readonly asked: unknown };
