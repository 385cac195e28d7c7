import type { ActionRequest } from '@svc/contract/actions/actions.ts';
import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import type { ApprovalStatus, PrincipalType, Separation } from '@svc/contract/tables/vocabulary.ts';
import type { ReadyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import type { Conduct } from '@svc/domain/risk/conduct/conduct.ts';
import type { Mark } from '@svc/domain/risk/conduct/mark.ts';
import type { Mute, Risk } from '@svc/domain/risk/risk-signals/assess-risk.ts';
import type { RecentCalls } from '@svc/domain/risk/risk-signals/signal.ts';
import type { Destination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import type { AmountIn } from './amounts.ts';
import type { CallRequest } from './call-request.ts';
import type { Claim, LostClaim } from './claims.ts';
import type { ContextFacts } from './context-facts.ts';
import type { Flow } from './flow.ts';
import type { RequestHash } from './request-hash.ts';
import type { AgentSnapshot, CredentialSnapshot, EnvironmentSnapshot, ToolSnapshot } from './snapshots.ts';

/** An approval in the store at decision time. */
export type ApprovalFacts = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly status: ApprovalStatus;
  /** Hex SHA-256 of the canonical request it was given for. */
  readonly request_hash: string;
  readonly expires_at: string;
  /** Roles that were asked when it was opened. */
  readonly approver_roles: readonly string[];
  /** Required number of each, in the same order; null for an approval from before this was stored. */
  readonly role_quorums: readonly number[] | null;
  /** People who were asked in addition, in the same order; null if there were none. */
  readonly approver_groups?: readonly ApproverGroup[] | null;
  readonly quorum: number;
  readonly step_up: boolean;
  /** Root principal whose authority the request used; null for the agent's own grants. */
  readonly root_principal_id: string | null;
  /** Labels of the context when it was opened; null for an approval from before they were stored. */
  readonly asked_labels?: readonly string[] | null;
  /** Voters who completed the quorum; null until then, and for an approval from before this was stored. */
  readonly approved_by: readonly string[] | null;
  /** True after a use was undone whose call was never sent: the next use is a separate action. */
  readonly is_restored: boolean;
  /** Separation rule that its votes satisfy; null until it is approved, and for an approval from before this was stored. */
  readonly separation: Separation | null;
  /** Remedy if it is pending and no one who may vote can approve it; null otherwise. */
  readonly remedy?: string | null;
  /** The idempotency key of its use, and the hash of that request's body in hex. */
  readonly consumed_by: { readonly key: string; readonly hash: string } | null;
};

/** True if the use of an approval continues the action that was held for it. A restored approval starts a separate action. */
export const isContinuation = (consumes: ApprovalFacts | null): consumes is ApprovalFacts => consumes !== null && !consumes.is_restored;

/** The session of a token; absent if another caller requests for the agent. */
export type SessionFacts = {
  readonly id: string;
  readonly generation: number;
  readonly series: number;
  /** Flow context that its assertion named; null if none. */
  readonly context: string | null;
};

/** Source of a request as the plane saw it. */
export type SourceFacts = { readonly ip: string; readonly sdk_name?: string | undefined };

/** Recent permitted actions of the agent on record. Counting of calls stops at a maximum. */
export type Velocity = {
  readonly calls_1m: number;
  readonly calls_1h: number;
  readonly calls_24h: number;
  /** Sums by currency, in its minor units; null if there were more than are added up. */
  readonly amounts_24h: readonly { readonly currency: string; readonly amount: number }[] | null;
};

/** Kinds of names that histories hold marks of. */
export type MarkKind = 'tool' | 'destination' | 'network' | 'record' | 'person' | 'store_key';

/** Past behaviour of an agent, possibly seconds old. `conduct` is null if it is unknown. */
export type History = {
  readonly conduct: Conduct | null;
  readonly recent: RecentCalls;
  readonly mutes: readonly Mute[];
  readonly lastFoldedAtMs: number;
};

/** All input of the pure stages. Time and identity are passed in; nothing is fetched. */
export type Facts = {
  readonly now: Date;
  readonly principal: { readonly type: PrincipalType; readonly id: string };
  readonly session: SessionFacts | null;
  readonly source: SourceFacts | null;
  readonly environment: EnvironmentSnapshot;
  readonly agent: AgentSnapshot;
  readonly contexts: ContextFacts;
  readonly request: ActionRequest;
  readonly parametersBytes: number;
  /** Present if the request names an approval; null if this tenant has none with the id. */
  readonly approval: ApprovalFacts | null | undefined;
  /** Present if a rule in force reads it. */
  readonly velocity?: Velocity;
  /** Absent if it was not read. */
  readonly history?: History;
  /** Keyed hashes of names, under the organization's key. */
  readonly marks: (kind: MarkKind, name: string) => Mark;
  /**
   * Claims of this decision that did not fit when it was to be recorded, in the order of discovery: the requests that need them are
   * refused.
   */
  readonly lost?: readonly LostClaim[];
  /** Hashes a text with SHA-256 in hex; passed in, since the pipeline does no hashing. */
  readonly requestHashes: (text: string) => RequestHash;
};

/** The request as the tool's declaration reads it. */
export type DerivedRequest = {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly destination: Destination | null;
  readonly execution: CallRequest | null;
};

/** Delegated authority of the request. Absent for the agent's own grants. */
export type DelegatedAuthority = {
  /** Null if the agent has no such chain. */
  readonly chain: ReadyChain | null;
  readonly delegation_id: string;
  /** True if the request named it; otherwise it is one of the agent's root delegations. */
  readonly named: boolean;
  /** Why the chain does not permit the request. */
  readonly refused?: Readonly<Record<string, unknown>>;
};

/** The call after masking; null if the service makes none. */
export type MaskedRequest = { readonly execution: CallRequest | null };

/** Results of earlier stages; each stage returns a new value and mutates none. */
export type Learned = {
  readonly tool?: ToolSnapshot;
  readonly derived?: DerivedRequest;
  readonly authority?: DelegatedAuthority;
  /** Present if the amount was converted to another currency. */
  readonly amounts?: readonly AmountIn[];
  readonly risk?: Risk;
  readonly flow?: Flow;
  readonly policy?: PolicyDecision;
  /** The compiled rules behind `policy.matched_rules`, in the same order. */
  readonly consulted?: readonly CompiledRule[];
  /** Approvals that rules require without one at hand; present if the request brings one and a rule reads that. */
  readonly asked?: PolicyDecision['obligations']['approvals'];
  readonly masked?: MaskedRequest;
  /** Credential of the call. */
  readonly credential?: CredentialSnapshot;
  /** The approval that this decision uses up. */
  readonly consumes?: ApprovalFacts;
  /** Claims of the action on counted ceilings. A stage that adds some includes those of earlier stages. */
  readonly claims?: readonly Claim[];
};
