import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import type { Soon } from '@svc/contract/rows/soon.ts';
import type { IdNoun, IdOf } from '@svc/contract/tables/ids.ts';
import type { ActionStatus, Effect, Mode, PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import type { Mark } from '@svc/domain/risk/conduct/mark.ts';
import type { Growth } from '@svc/domain/risk/contexts/growth.ts';
import type { Claim, LostClaim } from '../facts/claims.ts';
import type { ContextFacts } from '../facts/context-facts.ts';
import type { ApprovalFacts, History, MarkKind, Velocity } from '../facts/facts.ts';
import type { RequestHash } from '../facts/request-hash.ts';
import type { AgentSnapshot, EnvironmentSnapshot } from '../facts/snapshots.ts';
import type { Executors } from './executors.ts';
import type { OnBreakage } from './fail-closed.ts';

/** What the pipeline may write: what the row of a protected action names. */
export type PipelineEvent = EmittedBy<Endpoints['act']>;

export type EventRecord = {
  readonly id: string;
  readonly type: PipelineEvent;
  /** The action of the decision, or the approval that it opens. */
  readonly about: 'action' | 'approval';
  readonly data: Readonly<Record<string, unknown>>;
};

/** The row of one decision. JSON members are text already, so that they are serialised once for answer and record. */
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
  /** Folded, as it is kept. */
  readonly explanation_json: string;
  readonly execution_json: string | null;
  readonly approval_id: string | null;
  readonly request_id: string;
  readonly trace_id: string;
  readonly idempotency_key: string | null;
  /** Of the request body: hex, keyed. */
  readonly idempotency_hash: string | null;
  /** What a row has for the same body that was written before hashes were keyed. Never written. */
  readonly idempotency_hash_unkeyed: string | null;
  readonly environment_epoch: number;
  readonly agent_epoch: number;
  readonly created_at: string;
  readonly completed_at: string | null;
  /** The declaration of the tool; null where no tool was found. */
  readonly declaration_version: number | null;
  /** HMAC of the request as it came, before anything was masked: hex. */
  readonly request_hmac: string;
  /** Salt of the digests in its events: hex. */
  readonly digest_salt: string;
  /** How many changes of its row carried a digest before the state that this is. */
  readonly digest_revision: number;
};

/** An approval that a held decision opens. */
export type ApprovalRecord = {
  readonly id: string;
  readonly request_hash: string;
  readonly approver_roles: readonly string[];
  /** How many of each, in their order. */
  readonly role_quorums: readonly number[];
  /** Who is asked beside them, in their order; null where nobody is. */
  readonly approver_groups?: readonly ApproverGroup[] | null;
  readonly quorum: number;
  readonly step_up: boolean;
  readonly expires_at: string;
  /** Labels of the context; new ones void the approval. */
  readonly asked_labels: readonly string[];
};

/** Data that is added to the context with this key, which gets the id given if it is new. */
export type ContextGrowth = Growth & { readonly contextId: string } & Pick<ContextFacts, 'key' | 'endedBefore'>;

export type DecisionRecord = {
  readonly action: ActionRecord;
  readonly events: readonly EventRecord[];
  readonly opens: ApprovalRecord | null;
  /** Used up by this decision, which goes on the action that was held for it. */
  readonly consumes: ApprovalFacts | null;
  /** Taken with this decision or not at all. */
  readonly claims: readonly Claim[];
  /** What the action adds to the context of its agent, written with it; null where it adds nothing. */
  readonly grows: ContextGrowth | null;
  /** Time that its call may take, in ms; null where none is made. The lease of the action lasts longer. */
  readonly callTimeoutMs: number | null;
};

export type RecordOutcome =
  | {
      readonly outcome: 'recorded';
      /** Of an approval that was opened: what to do where no one who may vote can approve it; null where someone can. */
      readonly remedy?: string | null;
      /** Revision of the row, where the decision continues a held action. */
      readonly revision?: number;
    }
  /** An epoch moved since the snapshots were taken: nothing was written, decide again. */
  | { readonly outcome: 'moved' }
  /** The approval was used, withdrawn or ran out meanwhile: nothing was written, decide again. */
  | { readonly outcome: 'approval_lost' }
  /** A counted ceiling has no room for what the decision claims: nothing was written or taken, decide again as a refusal. */
  | { readonly outcome: 'claim_lost'; readonly lost: LostClaim }
  /** The agent has as many contexts with labels as may be: nothing was written. */
  | { readonly outcome: 'contexts_full' }
  /** As many requests wait for people as may: nothing was written. `whose` says where the bound is met. */
  | { readonly outcome: 'approvals_full'; readonly whose: 'agent' | 'organization' }
  /** The idempotency key was used before: nothing was written. */
  | { readonly outcome: 'replayed'; readonly action_id: string; readonly same_request: boolean };

/** What is undone with the outcome of a call of which no byte was sent. */
export type GivenBack = {
  /** The approval that the decision used. It is APPROVED again, and `restored` is recorded, unless it expired or was withdrawn meanwhile. */
  readonly approval: { readonly id: string; readonly restored: EventRecord } | null;
  /** What the decision took of limits and ceilings. */
  readonly claims: readonly Claim[];
  /** True when the response invites a retry: the idempotency key may then be used again, and a repeated request is a new one. */
  readonly freesKey: boolean;
};

export type Outcome = {
  readonly action: ActionRecord;
  readonly status: ActionStatus;
  /** What execution made of it; null leaves the code of the decision. */
  readonly code: string | null;
  readonly execution: Execution;
  readonly event: EventRecord;
  /** More events: the destination was forbidden, or the tool of an MCP server was called. */
  readonly more?: readonly EventRecord[];
  readonly completed_at: string;
  /** Null when the call may have been sent, or used nothing. */
  readonly givesBack?: GivenBack | null;
};

/** What the pipeline needs of the world. Every one of them may break; a break is a refusal. */
export type Ports = {
  readonly governance: {
    /** Cached snapshots; undefined when there is no such row. */
    readonly environment: (organizationId: string, environmentId: string) => Promise<EnvironmentSnapshot | undefined> | EnvironmentSnapshot;
    readonly agent: (organizationId: string, agentId: string) => Promise<AgentSnapshot | undefined> | AgentSnapshot;
    /** The contexts of an agent that count for a context key, as of this snapshot or later. `hours`: how long one is kept after its last use. */
    readonly contexts: (agent: AgentSnapshot, key: string, hours: number) => Soon<ContextFacts>;
    /** Drops what moved, so that the next read is fresh. */
    readonly forget: (environment: EnvironmentSnapshot, agent: AgentSnapshot) => void;
    /**
     * Whether both snapshots are still the newest, for answers that write nothing. `unproven`: where the question comes from, when nobody
     * has proved to be the agent, so that it waits among strangers and not in the share of the agent's organization.
     */
    readonly isCurrent: (environment: EnvironmentSnapshot, agent: AgentSnapshot, unproven?: string) => Promise<boolean>;
  };
  readonly approvals: {
    readonly find: (organizationId: string, approvalId: string) => Promise<ApprovalFacts | null>;
    /** The newest approval of an agent for a request of this hash that is open, or was denied lately; null if there is none. */
    readonly findOpen: (organizationId: string, agentId: string, hash: RequestHash) => Promise<string | null>;
  };
  readonly activity: { readonly velocity: (organizationId: string, agentId: string, now: Date) => Promise<Velocity> };
  readonly histories: {
    /** How an agent acted before; from memory where it is there. */
    readonly find: (organizationId: string, agentId: string) => Soon<History>;
    /** Notes a recorded decision and its flow context, so that a burst is seen before it is folded. */
    readonly note: (decision: ActionRecord, context: string) => void;
  };
  /** A keyed hash of a name that only this organization has. */
  readonly mark: (organizationId: string, kind: MarkKind, name: string) => Mark;
  readonly counters: {
    /** Looks whether all of these fit now, and takes nothing: the first that does not, or null. */
    readonly look: (organizationId: string, claims: readonly Claim[]) => Promise<LostClaim | null>;
  };
  readonly recorder: {
    readonly record: (decision: DecisionRecord) => Promise<RecordOutcome>;
    /** Told of a decision that was to be executed and could not be recorded: where it is on record all the same, it is closed like that. */
    readonly undo: (outcome: Outcome) => void;
    /**
     * `overtaken`: recorded, and the state that the decision was made at has moved since. `closed`: another outcome stands, such as that of
     * a sweep; nothing was written. Throws when it could not be recorded in time.
     */
    readonly recordOutcome: (outcome: Outcome) => Promise<'recorded' | 'overtaken' | 'closed'>;
  };
  /** Null on a plane that never executes. */
  readonly executors: Executors | null;
  readonly clock: () => Date;
  readonly newId: <Noun extends IdNoun>(noun: Noun) => IdOf<Noun>;
  readonly requestHashes: (text: string) => RequestHash;
  /** HMAC of a request before anything is masked: hex. */
  readonly requestHmac: (text: string) => string;
  /** A salt for the digests of one record: hex. */
  readonly newDigestSalt: () => string;
  readonly onBreakage: OnBreakage;
};
