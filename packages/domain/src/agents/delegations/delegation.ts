import type { AgentStatus, DelegationBacking } from '@svc/contract/tables/vocabulary.ts';

/** How many links a chain may have, its root included. What is longer is never followed. */
export const CHAIN_LINKS_MAX = 16;

/** How many delegations to one agent are read for its decisions; a further one is worth nothing, so none is made. */
export const DELEGATIONS_PER_AGENT_MAX = 1_000;

export type DelegationStatus = 'ACTIVE' | 'REVOKED' | 'EXPIRED';

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
 * `max_amount` in minor units of `currency` bounds every single action and, where there is a window, their sum in any such window.
 * `max_calls` counts in any window, or over the whole life of the delegation where there is none. Null bounds nothing.
 */
export type Ceiling = {
  readonly max_amount: number | null;
  readonly currency: string | null;
  readonly max_calls: number | null;
  readonly window_seconds: number | null;
};

/** All that a delegation bounds. */
export type Bounds = {
  readonly scope: Scope;
  readonly ceiling: Ceiling;
  /** Null: never. */
  readonly expires_at: string | null;
  readonly can_redelegate: boolean;
  /** How many further links may hang below this one, one below the other. Means nothing without `can_redelegate`. */
  readonly max_depth: number;
};

export type Delegator = { readonly type: 'USER' | 'AGENT'; readonly id: string };

export type Delegation = Bounds & {
  readonly id: string;
  /** Null for a root; one that an agent makes hangs below what it was granted itself. */
  readonly parent_id: string | null;
  readonly delegator: Delegator;
  readonly delegate_agent_id: string;
  readonly status: DelegationStatus;
  /** Of a root that a person made; held where it is left out. */
  readonly backing?: DelegationBacking;
};

/** A delegation with what its delegate holds itself: nobody passes on what they have not got, or while they are stopped. */
export type Link = Delegation & {
  readonly delegate: {
    readonly status: AgentStatus;
    /** From when on it may not act. */
    readonly expires_at?: string | null;
    readonly capabilities: readonly string[];
    /** Whether people delegated to it, so that grants, its own or another agent's, are not what it acts on and hands on. */
    readonly is_delegated?: boolean;
  };
};

/** From the root down to the delegation that is used. */
export type Chain = readonly [Link, ...Link[]];

/** Where something asked lies outside what may be given: a dotted name, the value that bounds it, and the one that was asked. */
export type AuthorityFault = { readonly field: string; readonly parent: unknown; readonly asked: unknown };
