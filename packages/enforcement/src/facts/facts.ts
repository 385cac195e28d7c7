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

/** An approval as the store has it at decision time. */
export type ApprovalFacts = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly status: ApprovalStatus;
  /** Hex SHA-256 of the canonical request it was given for. */
  readonly request_hash: string;
  readonly expires_at: string;
  /** What was asked of people when it was opened. */
  readonly approver_roles: readonly string[];
  /** How many of each, in their order; null in one from before this was asked. */
  readonly role_quorums: readonly number[] | null;
  /** Who was asked beside them, in their order; null where nobody was. */
  readonly approver_groups?: readonly ApproverGroup[] | null;
  readonly quorum: number;
  readonly step_up: boolean;
  /** Who gave the authority first that it was asked under; null where that was the agent's own grants. */
  readonly root_principal_id: string | null;
  /** Labels of the context when it was opened; null in one from before they were kept. */
  readonly asked_labels?: readonly string[] | null;
  /** Whose votes completed the quorum; null until then, and in one from before this was kept. */
  readonly approved_by: readonly string[] | null;
  /** True after a use whose call was never sent was undone: the next use is an action of its own. */
  readonly is_restored: boolean;
  /** The rule of separation that its votes satisfy; null until it is approved, and in one from before this was kept. */
  readonly separation: Separation | null;
  /** What to do where it is pending and no one who may vote can approve it; null otherwise. */
  readonly remedy?: string | null;
  /** The idempotency key it was used up with, and the hash of that request's body in hex. */
  readonly consumed_by: { readonly key: string; readonly hash: string } | null;
};

/** True when the use of an approval continues the action that was held for it. A restored approval lets an action of its own run. */
export const continuesHeld = (consumes: ApprovalFacts | null): consumes is ApprovalFacts => consumes !== null && !consumes.is_restored;

/** The session a token belongs to; absent when somebody else asks for the agent. */
export type SessionFacts = {
  readonly id: string;
  readonly generation: number;
  readonly series: number;
  /** Flow context that its assertion named; null if none. */
  readonly context: string | null;
};

/** Where a request came from, as the plane saw it. */
export type SourceFacts = { readonly ip: string; readonly sdk_name?: string | undefined };

/** What the agent was let do lately, as it is on record. Calls stop at a number beyond which nobody counts. */
export type Velocity = {
  readonly calls_1m: number;
  readonly calls_1h: number;
  readonly calls_24h: number;
  /** Sums by currency, in its minor units; null when there were more than are added up. */
  readonly amounts_24h: readonly { readonly currency: string; readonly amount: number }[] | null;
};

/** Kinds of names that histories hold marks of. */
export type MarkKind = 'tool' | 'destination' | 'network' | 'record' | 'person';

/** How an agent acted before, which may be seconds old. `conduct` is null where that is not known. */
export type History = {
  readonly conduct: Conduct | null;
  readonly recent: RecentCalls;
  readonly mutes: readonly Mute[];
  readonly foldedThrough: number;
};

/** All that the pure stages may look at. Time and identity come in; nothing is fetched. */
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
  /** Present when the request names an approval; null when there is none of that id for this tenant. */
  readonly approval: ApprovalFacts | null | undefined;
  /** Present where a rule in force reads it. */
  readonly velocity?: Velocity;
  /** Absent where it was not read. */
  readonly history?: History;
  /** Keyed hashes of names, in the key of the organization. */
  readonly marks: (kind: MarkKind, name: string) => Mark;
  /** Claims of this very decision that had no room when it was to be recorded, in the order in which that was found: what needs one of them is to be refused. */
  readonly lost?: readonly LostClaim[];
  /** Hex SHA-256 of a text; given, since hashing is not the pipeline's business. */
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

/** What the request rests on. Absent where it is the agent's own grants. */
export type DelegatedAuthority = {
  /** Null when there is no such chain for this agent. */
  readonly chain: ReadyChain | null;
  readonly delegation_id: string;
  /** Whether the request named it; otherwise it is one of the agent's root delegations. */
  readonly named: boolean;
  /** Why the chain does not carry the request. */
  readonly refused?: Readonly<Record<string, unknown>>;
};

/** The call with what the rules mask taken out; null when the service makes none. */
export type MaskedRequest = { readonly execution: CallRequest | null };

/** What earlier stages found out; each stage hands on a new value and changes none. */
export type Learned = {
  readonly tool?: ToolSnapshot;
  readonly derived?: DerivedRequest;
  readonly authority?: DelegatedAuthority;
  /** Present where the amount had to be reckoned into another currency. */
  readonly amounts?: readonly AmountIn[];
  readonly risk?: Risk;
  readonly flow?: Flow;
  readonly policy?: PolicyDecision;
  /** The compiled rules behind `policy.matched_rules`, in the same order. */
  readonly consulted?: readonly CompiledRule[];
  /** What rules ask of people where no approval is present; told where the request brings one and a rule reads that. */
  readonly asked?: PolicyDecision['obligations']['approvals'];
  readonly masked?: MaskedRequest;
  /** What the call proves itself with. */
  readonly credential?: CredentialSnapshot;
  /** The approval this decision uses up. */
  readonly consumes?: ApprovalFacts;
  /** What running the action uses of counted ceilings. A stage that adds some hands on those of earlier stages too. */
  readonly claims?: readonly Claim[];
};
