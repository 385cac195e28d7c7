import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import type { MaybePromise } from '@svc/contract/rows/soon.ts';
import type { IdNoun, IdOf } from '@svc/contract/tables/ids.ts';
import type { ActionStatus, Effect, Mode, PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import type { Mark } from '@svc/domain/risk/conduct/mark.ts';
import type { GrownContext, Growth } from '@svc/domain/risk/contexts/growth.ts';
import type { Claim, LostClaim } from '../facts/claims.ts';
import type { ContextFacts } from '../facts/context-facts.ts';
import type { ApprovalFacts, History, MarkKind, Velocity } from '../facts/facts.ts';
import type { StoredKey } from '../facts/flow.ts';
import type { RequestHash } from '../facts/request-hash.ts';
import type { AgentSnapshot, EnvironmentSnapshot } from '../facts/snapshots.ts';
import type { Executors } from './executors.ts';
import type { OnBreakage } from './fail-closed.ts';

/** Events that the pipeline may write: those of the row of a protected action. */
export type PipelineEvent = EmittedBy<Endpoints['act']>;

export type EventRecord = {
  readonly id: string;
  readonly type: PipelineEvent;
  /** The action of the decision, or the approval that it opens. */
  readonly about: 'action' | 'approval';
  readonly data: Readonly<Record<string, unknown>>;
};

/** The row of one decision. JSON members are already text, so that they are serialized once for response and record. */
export type ActionRecord = {
  readonly organization_id: string;
  readonly id: string;
  readonly environment_id: string;
  readonly workspace_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly tool_id: string | null;
  readonly tool: string;
  readonly principal_type: PrincipalType;
  readonly principal_id: string;
  readonly principal_name: string | null;
  readonly decision: Effect;
  readonly status: ActionStatus;
  readonly mode: Mode;
  readonly code: string | null;
  readonly reason: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly destination: string | null;
  readonly parameters_json: string;
  /** Folded, as stored. */
  readonly explanation_json: string;
  readonly execution_json: string | null;
  readonly approval_id: string | null;
  readonly request_id: string;
  readonly trace_id: string;
  readonly idempotency_key: string | null;
  /** Keyed hash of the request body in hex. */
  readonly idempotency_hash: string | null;
  /** Value in rows from before hashes were keyed, for the same body. Never written. */
  readonly idempotency_hash_unkeyed: string | null;
  readonly environment_epoch: number;
  readonly agent_epoch: number;
  readonly created_at: string;
  readonly completed_at: string | null;
  /** Number of the tool's declaration; null if no tool was found. */
  readonly declaration_version: number | null;
  /** HMAC of the received request before masking, in hex. */
  readonly request_hmac: string;
  /** Salt of the digests in its events, in hex. */
  readonly digest_salt: string;
  /** Number of earlier changes of the row with a digest. */
  readonly digest_revision: number;
};

/** An approval that a held decision opens. */
export type ApprovalRecord = {
  readonly id: string;
  readonly request_hash: string;
  readonly approver_roles: readonly string[];
  /** Required number of each, in the same order. */
  readonly role_quorums: readonly number[];
  /** People who are asked in addition, in the same order; null if there are none. */
  readonly approver_groups?: readonly ApproverGroup[] | null;
  readonly quorum: number;
  readonly step_up: boolean;
  readonly expires_at: string;
  /** Labels of the context; new ones void the approval. */
  readonly asked_labels: readonly string[];
};

/** Data to add to the context with this key, which gets the given id if it is new. */
export type ContextGrowth = Growth & { readonly contextId: string } & Pick<ContextFacts, 'key' | 'endedBefore'> & {
    /** Key of a store with which the labels of the agent, and those that are added, are kept; null if none. */
    readonly stores: (StoredKey & Pick<GrownContext, 'labels' | 'sources' | 'is_overflowing'>) | null;
    /** Key of a store whose labels are added too; null if none. */
    readonly loads: StoredKey | null;
  };

export type DecisionRecord = {
  readonly action: ActionRecord;
  readonly events: readonly EventRecord[];
  readonly opens: ApprovalRecord | null;
  /** Approval that this decision uses up, continuing the held action. */
  readonly consumes: ApprovalFacts | null;
  /** Taken together with this decision or not at all. */
  readonly claims: readonly Claim[];
  /** Data that the action adds to the context of its agent, in the same transaction; null if none. */
  readonly grows: ContextGrowth | null;
  /** Maximum time of its call in ms; null if there is none. The lease of the action lasts longer. */
  readonly callTimeoutMs: number | null;
};

export type RecordOutcome =
  | {
      readonly outcome: 'recorded';
      /** Remedy if no one who may vote can grant the opened approval; null if someone can. */
      readonly remedy?: string | null;
      /** Revision of the row, if the decision continues a held action. */
      readonly revision?: number;
    }
  /** An epoch moved since the snapshots were loaded: nothing was written, decide again. */
  | { readonly outcome: 'moved' }
  /** The approval was used, withdrawn or expired meanwhile: nothing was written, decide again. */
  | { readonly outcome: 'approval_lost' }
  /** A counted ceiling is used up: nothing was written or taken, decide again as a refusal. */
  | { readonly outcome: 'claim_lost'; readonly lost: LostClaim }
  /** The agent has the maximum number of contexts with labels: nothing was written. */
  | { readonly outcome: 'contexts_full' }
  /** The maximum number of requests is pending: nothing was written. `whose` states which limit was reached. */
  | { readonly outcome: 'approvals_full'; readonly whose: 'agent' | 'organization' }
  /** The idempotency key was used before: nothing was written. */
  | { readonly outcome: 'replayed'; readonly action_id: string; readonly same_request: boolean };

/** Undone with the outcome of a call of which no byte was sent. */
export type GivenBack = {
  /**
   * The approval that the decision used. It becomes APPROVED again, and `restored` is recorded, unless it expired or was withdrawn
   * meanwhile.
   */
  readonly approval: { readonly id: string; readonly restored: EventRecord } | null;
  /** Claims that the decision took. */
  readonly claims: readonly Claim[];
  /** True if the response invites a retry: the idempotency key may then be used again, and a repeated request is a new one. */
  readonly freesKey: boolean;
};

export type RecordedOutcome = {
  readonly action: ActionRecord;
  readonly status: ActionStatus;
  /** Code after the execution; null keeps that of the decision. */
  readonly code: string | null;
  readonly execution: Execution;
  readonly event: EventRecord;
  /** Additional events: the destination was forbidden, or the tool of an MCP server was called. */
  readonly more?: readonly EventRecord[];
  readonly completed_at: string;
  /** Null if the call may have been sent, or used nothing. */
  readonly givesBack?: GivenBack | null;
};

/** Dependencies of the pipeline. Any of them may fail; a failure is a refusal. */
export type Ports = {
  readonly governance: {
    /** Returns cached snapshots; undefined if there is no such row. */
    readonly environment: (organizationId: string, environmentId: string) => Promise<EnvironmentSnapshot | undefined> | EnvironmentSnapshot;
    readonly agent: (organizationId: string, agentId: string) => Promise<AgentSnapshot | undefined> | AgentSnapshot;
    /**
     * Returns the contexts of an agent that count for a context key, as of this snapshot or later. `hours`: retention after the last use.
     */
    readonly contexts: (agent: AgentSnapshot, key: string, hours: number) => MaybePromise<ContextFacts>;
    /** Drops changed snapshots, so that the next read is fresh. */
    readonly forget: (environment: EnvironmentSnapshot, agent: AgentSnapshot) => void;
    /**
     * True if both snapshots are current, for responses without a write. `unproven`: source of an unauthenticated request, which then
     * queues with other unauthenticated ones and not in the share of the agent's organization.
     */
    readonly isCurrent: (environment: EnvironmentSnapshot, agent: AgentSnapshot, unproven?: string) => Promise<boolean>;
  };
  readonly approvals: {
    readonly find: (organizationId: string, approvalId: string) => Promise<ApprovalFacts | null>;
    /** Returns the newest approval of an agent for a request of this hash that is open, or was recently denied; null if there is none. */
    readonly findOpen: (organizationId: string, agentId: string, hash: RequestHash) => Promise<string | null>;
  };
  readonly activity: { readonly velocity: (organizationId: string, agentId: string, now: Date) => Promise<Velocity> };
  readonly histories: {
    /** Returns the past behaviour of an agent; from memory if possible. */
    readonly find: (organizationId: string, agentId: string) => MaybePromise<History>;
    /** Adds a recorded decision and its flow context, so that a burst is seen before it is folded. */
    readonly note: (decision: ActionRecord, context: string) => void;
  };
  /** Returns a keyed hash of a name that only this organization has. */
  readonly mark: (organizationId: string, kind: MarkKind, name: string) => Mark;
  readonly counters: {
    /** Checks that all claims fit now without taking them; returns the first that does not, or null. */
    readonly look: (organizationId: string, claims: readonly Claim[]) => Promise<LostClaim | null>;
  };
  readonly recorder: {
    readonly record: (decision: DecisionRecord) => Promise<RecordOutcome>;
    /** Called for a decision that was to be executed and could not be recorded: if it was recorded all the same, it is closed like this. */
    readonly undo: (outcome: RecordedOutcome) => void;
    /**
     * `overtaken`: recorded, and the state of the decision has changed since. `closed`: another outcome exists, such as that of the cleanup
     * job; nothing was written. Throws if it could not be recorded in time.
     */
    readonly recordOutcome: (outcome: RecordedOutcome) => Promise<'recorded' | 'overtaken' | 'closed'>;
  };
  /** Null on a plane that never executes. */
  readonly executors: Executors | null;
  readonly clock: () => Date;
  readonly newId: <Noun extends IdNoun>(noun: Noun) => IdOf<Noun>;
  readonly requestHashes: (text: string) => RequestHash;
  /** Returns the HMAC of a request before masking, in hex. */
  readonly requestHmac: (text: string) => string;
  /** Returns a salt for the digests of one record, in hex. */
  readonly newDigestSalt: () => string;
  readonly onBreakage: OnBreakage;
};
