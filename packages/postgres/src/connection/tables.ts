// Written by `npm run generate -- tables` from a database with every migration. Not to be edited.
import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import type { ListedCard } from '@svc/contract/agents/agents/listings.ts';
import type { AuditSubject } from '@svc/contract/audit-subjects.ts';
import type { CredentialExtra, CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import type { OauthState, StoredOauth } from '@svc/contract/credentials/oauth.ts';
import type { DeliveryAttempt } from '@svc/contract/events/deliveries.ts';
import type { ChannelDisabledReason, ChannelKind } from '@svc/contract/events/notification-channels.ts';
import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import type { ChosenPreferences } from '@svc/contract/events/notifications.ts';
import type { BodyFormat, DisabledReason } from '@svc/contract/events/webhooks.ts';
import type { EmergencyControl, EmergencyTargetType } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import type {
  IncidentEntryKind,
  IncidentResolution,
  IncidentSeverity,
  IncidentStatus,
  IncidentSubject,
} from '@svc/contract/incidents/incidents/incident-shapes.ts';
import type { RateSource } from '@svc/contract/money/fx-rates.ts';
import type { A2aCard, A2aCheck, A2aDirection, A2aKey, A2aProof, A2aStatus } from '@svc/contract/peers/a2a/a2a-connections.ts';
import type { McpEra, McpListingFailure, McpServerStatus, McpSettings, McpTransport } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpFinding, McpOfferKind, McpToolStatus } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { ToolFlow } from '@svc/contract/risk/flow-words.ts';
import type { ChosenRiskSettings } from '@svc/contract/risk/risk-settings.ts';
import type { EvidenceProof, TrustIdentity, TrustKey, TrustRequirement } from '@svc/contract/risk/trust/trust-shapes.ts';
import type {
  EvidenceBinding,
  EvidenceFormat,
  EvidenceKind,
  EvidenceResult,
  TrustProviderKind,
} from '@svc/contract/risk/trust/vocabulary.ts';
import type {
  Connection,
  EnforcementForecast,
  EnforcementReason,
  Operated,
  RuntimeSettings,
} from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type {
  AcceptanceEnd,
  AdminAccess,
  AssessmentCause,
  ConnectionHealth,
  EnforcementStatus,
  EvidenceName,
  FindingKind,
  FindingSeverity,
  FindingStatus,
  ReportSource,
  RunState,
  RunStep,
  RunTrigger,
  RuntimeKind,
  RuntimeStatus,
} from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { ControlState } from '@svc/contract/tables/compliance/controls.ts';
import type { FactorKind, Proof } from '@svc/contract/tables/proofs.ts';
import type {
  ActionStatus,
  AgentStatus,
  ApprovalStatus,
  CliFlow,
  DelegationBacking,
  DelegationStatus,
  Effect,
  EnvironmentType,
  Mode,
  PolicyScope,
  PrincipalType,
  RiskRating,
  Separation,
  Severity,
  ToolKind,
  VersionStatus,
} from '@svc/contract/tables/vocabulary.ts';
import type { Subscription } from '@svc/contract/tenancy/organization/subscription.ts';
import type { ToolDeclared } from '@svc/contract/tools/declarations.ts';
import type { IntegrationStatus } from '@svc/contract/tools/integrations.ts';
import type { ImportOrigin, ProposedDeclaration, WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import type { ToolRoute } from '@svc/contract/tools/tool-routes.ts';
import type { Generated } from 'kysely';
import type { Json, JsonOrDefault, MaybeJson, MaybeTime, SetByDatabase, Time, TimeNow } from './column-types.ts';

/** Every table, one row type each; column names are those of the wire. */
export type Tables = {
  /** Digests of the ids of accepted assertions of remote agents, kept until none of them could be accepted again. */
  a2a_assertions: {
    organization_id: string;
    connection_id: string;
    jti_hash: string;
    expires_at: Time;
  };
  /** Remote agents that agents of an environment may send messages to. */
  a2a_connections: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    slug: string;
    card_url: string;
    /** Public JSON Web Keys that the card may be signed with, each with its kid. */
    keys: Json<A2aKey[]>;
    credential_id: string | null;
    /** The governed tool that messages are decided as. */
    tool_id: string;
    status: Generated<A2aStatus>;
    status_reason: string | null;
    proof: A2aProof | null;
    /** Facts of the verified card: where messages are sent, and the digest of its bytes. */
    card: MaybeJson<A2aCard>;
    /** Digests of cards that a newer one replaced, newest first; none of them is accepted again. */
    former_cards: Generated<string[]>;
    verified_key: string | null;
    verified_at: MaybeTime;
    verified_by: string | null;
    /** Checks of the last verification, each with its result. */
    checks: JsonOrDefault<A2aCheck[]>;
    created_by: string;
    created_at: Time;
    updated_at: Time;
    direction: Generated<A2aDirection>;
    /** The agent that receives the messages of an inbound connection. */
    agent_id: string | null;
    /** Address of the A2A endpoint of that agent. */
    agent_url: string | null;
    /** Moves when the registered keys change. A token of the remote agent states it, so that older tokens end. */
    key_series: Generated<number>;
  };
  /** Tasks of remote agents, each with the agent that started it. No other agent reads, continues or cancels it. */
  a2a_tasks: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    connection_id: string;
    task_id: string;
    agent_id: string;
    action_id: string;
    created_at: Time;
    /** State of the task as it was seen last; null if it was never seen. */
    state: string | null;
    context_id: string | null;
    /** The approval that a message waits for; null for a task that an agent started. */
    approval_id: string | null;
    updated_at: Time;
  };
  /** One decision each: request, authority, rules consulted, approval and outcome. */
  actions: {
    organization_id: string;
    id: string;
    environment_id: string;
    workspace_id: string;
    agent_id: string;
    agent_name: string;
    tool_id: string | null;
    tool: string;
    principal_type: PrincipalType;
    principal_id: string;
    decision: Effect;
    status: ActionStatus;
    mode: Mode;
    code: string | null;
    reason: string;
    amount: number | null;
    currency: string | null;
    destination: string | null;
    parameters: Json<Record<string, unknown>>;
    explanation: Json<unknown>;
    execution: MaybeJson<unknown>;
    approval_id: string | null;
    request_id: string;
    trace_id: string;
    idempotency_key: string | null;
    idempotency_hash: Buffer | null;
    /** The governance state the decision was made on; checked by the statement that wrote this row. */
    environment_epoch: number;
    agent_epoch: number;
    created_at: Time;
    completed_at: MaybeTime;
    /** The lease of the gateway that executes the action; what is past it was left behind. */
    held_until: MaybeTime;
    /** The declaration of the tool that the decision was made on; null where no tool was found. */
    declaration_version: number | null;
    /** HMAC-SHA256 of the request as it came, before anything was masked, under a key of the installation. */
    request_hmac: Buffer | null;
    /** Salt of the digests in the events of this action; null where it was recorded before there were any. */
    digest_salt: Buffer | null;
    /** Counts the changes of this row whose events carry a digest. */
    digest_revision: Generated<number>;
    /** Set when no byte of the call was sent and what the action had used was given back: its approval, and its share of limits and ceilings. */
    given_back_at: MaybeTime;
  };
  /** Capabilities granted to an agent. */
  agent_capabilities: {
    organization_id: string;
    agent_id: string;
    capability: string;
    granted_by: string;
    granted_at: TimeNow;
  };
  /** History of agents that risk signals compare with. Holds hashes and counts, never names. */
  agent_conduct: {
    organization_id: string;
    agent_id: string;
    /** Grows with each change. */
    version: number;
    state: Buffer;
  };
  /** Flow contexts: labels of the data that an agent may hold, with their sources. */
  agent_contexts: {
    organization_id: string;
    agent_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    labels: Generated<string[]>;
    /** Tool, host, readers (hashes) and action of each label, at most 32. */
    sources: JsonOrDefault<unknown>;
    tools_used: Generated<string[]>;
    /** More sources than are kept: its labels then count as leaving wherever a request goes out. */
    is_overflowing: Generated<boolean>;
    started_at: Time;
    last_used_at: Time;
    /** Name that the assertion gives it; empty if it gives none, * if the labels count in all contexts of the agent. */
    name: Generated<string>;
  };
  /** Moves with each change of what a decision about this agent reads; recording a decision compares it. */
  agent_epochs: {
    organization_id: string;
    agent_id: string;
    environment_id: string;
    epoch: Generated<number>;
  };
  /** Public keys by generation. Retired ones are kept to tell a stale assertion from a forged one, and never come back. */
  agent_keys: {
    organization_id: string;
    agent_id: string;
    generation: number;
    public_key: string;
    thumbprint: string;
    created_at: TimeNow;
    retired_at: MaybeTime;
    /** The person or API key that put it in place; null of keys from before. */
    made_by: string | null;
    /** Whether they had just proved who they are. */
    made_stepped_up: Generated<boolean>;
  };
  /** Agents whose Agent2Agent card is published. */
  agent_listings: {
    organization_id: string;
    agent_id: string;
    workspace_id: string;
    environment_id: string;
    /** What the card states of the agent: name, description, version, provider and skills. */
    card: Json<ListedCard>;
    published_by: string;
    published_at: Time;
  };
  /** One row per assertion redeemed: inserting it uses up the nonce, for every gateway at once. */
  agent_sessions: {
    organization_id: string;
    id: string;
    agent_id: string;
    nonce_hash: Buffer;
    generation: number;
    series: number;
    sdk: Json<{ name: string; version: string; runtime: string }>;
    created_at: Time;
    expires_at: Time;
  };
  /** An identity that proves itself with an Ed25519 key and holds nothing else. */
  agents: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    description: Generated<string>;
    status: Generated<AgentStatus>;
    labels: JsonOrDefault<Record<string, string>>;
    key_generation: Generated<number>;
    passport_version: Generated<number>;
    /** Moves when every session is killed, as an epoch does, so that none comes twice; a token carries the series it was minted in. */
    session_series: Generated<number>;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** From when on it may not act; null where it has no end. */
    expires_at: MaybeTime;
    /** SHA-256 digests in hex of what the agent consists of, such as its image. Evidence about an artifact names one of them. */
    artifact_digests: Generated<string[]>;
    /** True if its tokens are bound to a key, and sign-ins without a proof are refused. */
    require_dpop: Generated<boolean>;
  };
  /** A bearer key that acts in a role. Only the SHA-256 of the token is kept. */
  api_keys: {
    organization_id: string;
    id: string;
    name: string;
    role_id: string;
    token_hash: Buffer;
    created_by: string;
    created_at: TimeNow;
    expires_at: Time;
    last_used_at: MaybeTime;
    revoked_at: MaybeTime;
    /** The workspaces a key is limited to; null for as far as its maker sees. Never changes. */
    workspace_ids: string[] | null;
    /** Networks in CIDR form from which the key is accepted; none named means any. */
    allowed_networks: Generated<string[]>;
    /** The address of the latest use that was noted. */
    last_used_from: string | null;
    /** Of the secret before the latest rotation, which is accepted until previous_ends_at. */
    previous_token_hash: Buffer | null;
    previous_ends_at: MaybeTime;
    /** When somebody was told that the key is about to expire. */
    warned_at: MaybeTime;
  };
  /** Who votes on behalf of whom on one approval. */
  approval_handovers: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    approval_id: string;
    from_user_id: string;
    to_user_id: string;
    comment: string | null;
    handed_over_at: Time;
    /** When its person decided themselves, because the person it was reassigned to could no longer vote; null where they did not. */
    returned_at: MaybeTime;
  };
  /** What approvers asked whoever wants the action, and the answer, which is another's text wherever an agent wrote it. */
  approval_questions: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    approval_id: string;
    question_number: number;
    asked_by: string;
    question: string;
    asked_at: Time;
    answered_by_type: PrincipalType | null;
    answered_by_id: string | null;
    answer: string | null;
    answered_at: MaybeTime;
  };
  /** One vote per person and approval; the quorum counts these. */
  approval_votes: {
    organization_id: string;
    approval_id: string;
    user_id: string;
    vote: 'APPROVE' | 'DENY';
    comment: string | null;
    voted_at: Time;
    wording: Generated<number>;
    /** When its person withdrew it; null where it was not withdrawn. */
    withdrawn_at: MaybeTime;
  };
  /** The request as it was asked and as approvers narrowed it, from the first time somebody did. */
  approval_wordings: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    approval_id: string;
    wording: number;
    parameters: Json<Record<string, unknown>>;
    amount: number | null;
    request_hash: Buffer;
    /** Null of what was asked. */
    edited_by: string | null;
    edited_at: MaybeTime;
  };
  /** A person's permission for one request, bound to its hash and used at most once. */
  approvals: {
    organization_id: string;
    id: string;
    action_id: string;
    agent_id: string;
    environment_id: string;
    workspace_id: string;
    status: Generated<ApprovalStatus>;
    request_hash: Buffer;
    requested_by_type: PrincipalType;
    requested_by_id: string;
    approver_roles: string[];
    quorum: number;
    step_up: boolean;
    reason: string;
    denial_reason: string | null;
    requested_at: Time;
    expires_at: Time;
    decided_at: MaybeTime;
    consumed_at: MaybeTime;
    consumed_by_key: string | null;
    consumed_by_hash: Buffer | null;
    /** How many people of each of approver_roles, in their order. Null in approvals from before: the quorum where there is one role, and otherwise one of each. */
    role_quorums: number[] | null;
    /** People whose votes completed the quorum. Null until then, and in approvals from before this was kept. */
    approved_by: string[] | null;
    /** The request that used it up. Null until then, and in approvals from before this was kept. */
    consumed_request_id: string | null;
    consumed_trace_id: string | null;
    /** Who is asked beside the people of each of approver_roles, in their order. Null where nobody is, and in approvals from before this was asked. */
    approver_groups: MaybeJson<ApproverGroup[]>;
    /** When the next of its groups is widened by another role. Null where none is any more. */
    escalates_at: MaybeTime;
    /** When those were reminded who may decide. Null until then. */
    reminded_at: MaybeTime;
    /** Number of the wording that is voted on; 1 is what was asked. */
    wording: Generated<number>;
    questions_asked: Generated<number>;
    /** Number of the question that waits for its answer. Null where none does. */
    open_question: number | null;
    /** Who authorized the agent for the tool, or granted it the capability, when it asked. Null in approvals from before this was kept. */
    authorized_by: string[] | null;
    /** The rule under which it was approved. Null until then, and in approvals from before this was kept. */
    separation: Separation | null;
    /** Set when a use of the approval was undone because its call was never sent. consumed_at and the columns beside it then describe the first use. */
    restored_at: MaybeTime;
    /** The action of the latest use after a restore. Null until then: the first use continues the action that was held. */
    used_by_action_id: string | null;
    /** False when the approval was to be withdrawn while its call was in flight: it stays CONSUMED even if the call was never sent. */
    restorable: Generated<boolean>;
    /** Labels of the context when the approval was requested; null in an approval from before they were kept. */
    asked_labels: string[] | null;
  };
  /** Which checkpoints are anchored outside, and where. The checkpoint itself is in audit_checkpoints. */
  audit_anchored: {
    organization_id: string;
    size: number;
    anchor: string;
    /** The line that a witness signed (C2SP tlog-cosignature); null where the place signs nothing. */
    cosignature: string | null;
    anchored_at: TimeNow;
  };
  /** How far each log is anchored at each place outside, and when it is tried again. */
  audit_anchorings: {
    organization_id: string;
    /** The kind of the place and which one it is; another place has a row of its own. */
    anchor: string;
    /** Leaves of the last checkpoint that the place has taken; 0 before the first. */
    size: Generated<number>;
    anchored_at: MaybeTime;
    /** Attempts that failed since one succeeded, which say when the next one is. */
    failures: Generated<number>;
    failing_since: MaybeTime;
    /** Why the last attempt failed; null where it did not. */
    reason: string | null;
    /** Since when the place knows of another tree than the one that is kept here: the log was rolled back or written anew. */
    conflict_since: MaybeTime;
    /** When that was told in the record of the organization. */
    conflict_told_at: MaybeTime;
    /** Not before then; while an attempt is under way, when another worker may make it. */
    next_at: Time;
  };
  /** Checkpoints of the past, one of every few minutes in which something was sealed. */
  audit_checkpoints: {
    organization_id: string;
    size: number;
    root_hash: Buffer;
    note: string;
    created_at: TimeNow;
  };
  /** What happened, written in the transaction of the change. No role of the service may change or delete a row. */
  audit_events: {
    organization_id: string;
    id: string;
    type: string;
    occurred_at: Time;
    workspace_id: string | null;
    environment_id: string | null;
    actor_type: PrincipalType;
    actor_id: string;
    actor_name: string | null;
    subject_type: AuditSubject;
    subject_id: string;
    severity: Severity;
    request_id: string;
    trace_id: string;
    data: Json<Record<string, unknown>>;
    /** The transaction that wrote the event, by the count of this server; 0 for what is older than this count. */
    transaction_id: SetByDatabase<string>;
    /** The hash of its leaf, as who wrote it made it; null where the sealer makes it. */
    leaf_hash: Buffer | null;
    /** HMAC-SHA256, cut to 128 bits, by the writer; null for an event from before events had one. */
    mac: Buffer | null;
  };
  /** The place of each sealed event in the tree of its organization, and the hash of what it said then. */
  audit_leaves: {
    organization_id: string;
    /** From 0 on without a gap; what is told as sequence. */
    leaf_index: number;
    event_id: string;
    /** SHA-256 of a zero byte and the canonical JSON (RFC 8785) of the event as it is told, without its sequence. */
    leaf_hash: Buffer;
  };
  /** Months of events that are looked through, to be dropped if everything in them may go. */
  audit_partition_checks: {
    called: string;
    as_of: string;
    after_organization: Generated<string>;
    after_id: Generated<string>;
    is_whole: Generated<boolean>;
    is_mixed: Generated<boolean>;
  };
  /** Events that the sealer passed over because the service did not write them: their MAC is missing or wrong. */
  audit_rejected_events: {
    organization_id: string;
    event_id: string;
    rejected_at: TimeNow;
  };
  /** How many events of an organization were rejected, and how many of them its record reports. */
  audit_rejections: {
    organization_id: string;
    rejected: Generated<number>;
    reported: Generated<number>;
    reported_at: MaybeTime;
    /** Events from before events had a MAC that were not sealed at the migration and were authenticated then. */
    adopted: Generated<number>;
    adopted_reported: Generated<boolean>;
  };
  /** For how many days each organization keeps its events, and up to which leaf of its log they were removed. */
  audit_retention: {
    organization_id: string;
    /** Half a year at least; null for ever. */
    keep_days: number | null;
    changed_at: TimeNow;
    /** Events of the leaves before this one may be missing: an event of the record says so, signed. */
    announced_leaves: Generated<number>;
    /** The transaction of that event. */
    announced_in: string | null;
    /** Events of the leaves before this one have been removed. */
    removed_leaves: Generated<number>;
  };
  /** Where the next stretch of each organization is summed up. What is summed up the segments tell that are there. */
  audit_search_marks: {
    organization_id: string;
    leaves: Generated<number>;
    /** Until when a worker sums up the next stretch. */
    leased_until: TimeNow;
  };
  /** Signatures of 64 chunks of 128 leaves each: a search looks only at chunks that may hold what it asks for. */
  audit_search_segments: {
    organization_id: string;
    /** From 0 on: leaves segment * 8192 and those that follow. */
    segment: number;
    first_id: string;
    /** The highest identifier of an event in it; empty where all of its events are gone. */
    last_id: string;
    /** The lowest identifier of an event in each chunk. */
    first_ids: string[];
    last_ids: string[];
    /** Chunks that say too much to be told apart, and are always looked at. */
    full_chunks: string;
    /** How many blocks its bits have. */
    blocks: number;
    /** Bloom filters in blocks of 128 rows, a row a bit of each chunk. */
    bits: Buffer;
  };
  /** Searches of the audit record that are kept by name. */
  audit_searches: {
    organization_id: string;
    id: string;
    owner_type: PrincipalType;
    owner_id: string;
    name: string;
    /** As a search takes it, without its page. */
    filter: Json<Record<string, string>>;
    /** Whether all who may read the record of the whole organization see it. */
    shared: boolean;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Tiles of the tree above its leaves, by the numbers of C2SP tlog-tiles; the last of each level is not full. */
  audit_tiles: {
    organization_id: string;
    level: number;
    tile: number;
    /** Up to 256 hashes of 32 bytes, one after the other. */
    hashes: Buffer;
  };
  /** How far the events of an organization are sealed, with the newest signed checkpoint. */
  audit_trees: {
    organization_id: string;
    size: number;
    root_hash: Buffer;
    /** Hashes of the whole subtrees that the tree is made of, the largest first: what it grows from. */
    edge: Buffer;
    /** Signed note (C2SP tlog-checkpoint). */
    checkpoint: string;
    sealed_at: TimeNow;
    /** Since when nothing is sealed, because what is kept here is not what was signed; null while all is well. */
    held_since: MaybeTime;
    /** When it was told in the record that nothing is sealed; null where it was not, or all is well. */
    held_told_at: MaybeTime;
    /** How the operator let it go on, until that is told in the record. */
    lifted: MaybeJson<Record<string, unknown>>;
  };
  /** Destinations that an emergency control blocks for the whole organization. */
  blocked_destinations: {
    organization_id: string;
    id: string;
    /** The destination in its one spelling: a host, *.host or a network, with an optional port. */
    pattern: string;
    kind: 'HOST' | 'SUBDOMAINS' | 'NETWORK';
    /** The normalised host, the host below which names are blocked, or the network in CIDR form. */
    host: string;
    /** Null blocks every port. */
    port: number | null;
    reason: string;
    incident_id: string | null;
    created_by: string;
    created_at: Time;
    /** The block ends at this time by itself; null for one that a person lifts. */
    expires_at: MaybeTime;
  };
  /** Emergency access of people, requested, granted and ended. */
  break_glass_grants: {
    organization_id: string;
    id: string;
    user_id: string;
    /** The one session that has the permissions. */
    session_id: string;
    mode: string;
    status: string;
    reason: string;
    minutes: number;
    incident_id: string | null;
    requested_at: Time;
    request_expires_at: Time;
    decided_by: string | null;
    decided_at: MaybeTime;
    expires_at: MaybeTime;
    ended_at: MaybeTime;
    ended_by: string | null;
    /** The other person who reviewed a grant that its holder took alone. */
    reviewed_by: string | null;
    reviewed_at: MaybeTime;
    /** True if it is practice, which gives no permission. */
    drill: Generated<boolean>;
  };
  /** Rule of an organization for emergency access; none means that a second person approves. */
  break_glass_settings: {
    organization_id: string;
    mode: string;
    updated_by: string;
    updated_at: Time;
  };
  /** What is to be posted to each notification channel. */
  channel_messages: {
    organization_id: string;
    id: string;
    channel_id: string;
    /** The kind of notification; null of a test. */
    kind: NotificationKind | null;
    /** What it is about; null of a test, and of what is left to be told as a number since the rest was told. */
    subject_id: string | null;
    /** Names and numbers that its sentence tells. */
    facts: JsonOrDefault<unknown>;
    /** How many it stands for and that are not told yet: more than one where too many waited already. */
    gathered: Generated<number>;
    /** Where it is looked at. */
    link: string;
    created_at: TimeNow;
    /** The workspace that it is about; null of the whole organization, and of a test. */
    workspace_id: string | null;
    /** Where it came up; of what came up elsewhere in its workspace another message is told. */
    environment_id: string | null;
  };
  /** That a person approved or denied what a terminal asked, in the organization of the session it was decided in. */
  cli_decisions: {
    organization_id: string;
    request_id: string;
    user_id: string;
    session_id: string;
    is_approved: boolean;
    code_hash: Buffer | null;
    decided_at: Time;
    redeemed_at: MaybeTime;
    /** The session that a terminal got for it; null until it is redeemed. */
    issued_session_id: string | null;
  };
  /** What a terminal asks: to be signed in by a person in a browser. Only the keyed hash of the code that people compare is kept. */
  cli_requests: {
    id: string;
    flow: CliFlow;
    code_challenge: string;
    redirect_port: number | null;
    hostname: string | null;
    platform: string | null;
    version: string | null;
    user_code_hash: Buffer;
    source_ip: string;
    address_group: string;
    created_at: Time;
    expires_at: Time;
    /** Before this moment a terminal asks too soon, and then has to wait longer each time. */
    poll_after: Time;
    poll_seconds: number;
  };
  /** Requests to hosted code assist of each organization by hour. */
  code_assist_uses: {
    organization_id: string;
    hour: Time;
    requests: number;
  };
  /** The states of compliance controls when a job last looked at the organization. */
  compliance_judgements: {
    organization_id: string;
    /** By the name of the control: its state and since when it is so. Empty before the first look. */
    states: JsonOrDefault<Record<string, { state: ControlState; since: string }>>;
    judged_at: Time;
  };
  /** Time up to which decisions were folded into agent_conduct. */
  conduct_progress: {
    only_one: Generated<boolean>;
    folded_through: Time;
  };
  /** One use each of a counter with a window. */
  counter_uses: {
    organization_id: string;
    counter: string;
    /** Of the counter with this use: so that a single row tells whether enough has left a window, however many uses there are. */
    total: string;
    amount: string;
    used_at: Time;
    kept_until: Time;
    /** The action that took the use. Null in uses from before this was kept. */
    action_id: string | null;
  };
  /** What a limit or a ceiling counts, over all time. Whoever takes from one holds its row until the decision is recorded. */
  counters: {
    organization_id: string;
    counter: string;
    total: Generated<string>;
    last_used_at: TimeNow;
  };
  /** Records whose rows are covered by digests in events. A record from before that is added by its next change. */
  covered_records: {
    organization_id: string;
    record_type: string;
    record_id: string;
    /** Part of the digested document, so that an event says nothing of the values in a row. */
    salt: Generated<Buffer>;
    /** Counts the changes of the record. It orders its events, which may be sealed in another order. */
    revision: Generated<number>;
    /** The newest event that covers the record. */
    event_id: string;
  };
  /** A connection in the browser under way: taken once, by the browser and for the session that began it. */
  credential_attempts: {
    organization_id: string;
    state_hash: Buffer;
    browser_hash: Buffer;
    credential_id: string;
    user_id: string;
    session_id: string;
    redirect_uri: string;
    expires_at: Time;
  };
  /** When a credential was last sent to try it: counted, and dropped by the next test of the organization. */
  credential_tests: {
    organization_id: string;
    lease_id: string;
    credential_id: string;
    began_at: Time;
  };
  /** Refresh and access tokens of credentials, one row each. Whoever refreshes one has a lease on its row, and no connection meanwhile. */
  credential_tokens: {
    organization_id: string;
    credential_id: string;
    workspace_id: string;
    environment_id: string;
    state: OauthState;
    /** Moves whenever tokens are stored, and with the lease decides who may store some; tokens are sealed for it. */
    version: Generated<number>;
    sealed_refresh_token: Buffer | null;
    sealed_access_token: Buffer | null;
    access_ends_at: MaybeTime;
    granted_scope: string | null;
    connected_by: string | null;
    connected_at: MaybeTime;
    refreshed_at: MaybeTime;
    /** Of whoever asks the token endpoint now, until leased_until. */
    lease_id: string | null;
    leased_until: MaybeTime;
    /** When the last refresh was begun. */
    lease_began_at: MaybeTime;
    /** Refreshes that failed in a row. */
    failures: Generated<number>;
    /** Why, in a word of the service. */
    failure: string | null;
    retry_at: MaybeTime;
    /** The access token before the present one, hidden until previous_access_ends_at; sealed for previous_access_version. */
    sealed_previous_access_token: Buffer | null;
    previous_access_version: number | null;
    previous_access_ends_at: MaybeTime;
  };
  /** Secrets that the gateway sends to services, for the destinations and tools that each names. */
  credentials: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    description: string;
    scheme: CredentialScheme;
    /** Where in a request the secret stands; its members depend on the scheme. */
    placement: Json<Placement>;
    destinations: string[];
    /** Names of the tools it may serve. */
    tools: string[];
    status: Generated<'ACTIVE' | 'REVOKED'>;
    revoked_reason: string | null;
    /** Moves with each rotation. */
    generation: Generated<number>;
    /** Sealed under the data key of the organization, for this row and generation, and for what the row says that it may serve. The secrets of extra items are sealed with it. */
    sealed_secret: Buffer | null;
    /** The secret before the last rotation, until previous_ends_at. */
    sealed_previous_secret: Buffer | null;
    previous_ends_at: MaybeTime;
    rotated_at: MaybeTime;
    created_by: string;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Token endpoint, client and scope where access tokens are sent; null where the secret itself is. The sealed secret is then what the client proves itself with. */
    oauth: MaybeJson<StoredOauth>;
    /** Positions of the other secrets in a request, in the order in which they are sealed. */
    extras: JsonOrDefault<CredentialExtra[]>;
    /** Slugs of the MCP servers whose tools it may serve. */
    servers: Generated<string[]>;
  };
  /** What the secrets of an organization are sealed under. */
  data_keys: {
    organization_id: string;
    /** The data key, sealed under a key of the master key for this organization. */
    wrapped_key: Buffer;
    created_at: TimeNow;
  };
  /** Authority handed to an agent. A link narrows and never adds; null in a bound bounds nothing. */
  delegations: {
    organization_id: string;
    id: string;
    parent_id: string | null;
    /** Ids from the root to this one, joined by /. A row and all below it lie from its path up to its path followed by 0, the character after /. */
    path: SetByDatabase<string>;
    depth: SetByDatabase<number>;
    delegator_user_id: string | null;
    delegator_agent_id: string | null;
    delegate_agent_id: string;
    /** Of every agent in the chain, so that whoever sees a link sees all that hangs below it. */
    workspace_ids: SetByDatabase<string[]>;
    environment_ids: SetByDatabase<string[]>;
    capabilities: string[] | null;
    tools: string[] | null;
    environments: string[] | null;
    destinations: string[] | null;
    max_amount: number | null;
    currency: string | null;
    max_calls: number | null;
    window_seconds: number | null;
    expires_at: MaybeTime;
    can_redelegate: Generated<boolean>;
    max_depth: Generated<number>;
    status: Generated<DelegationStatus>;
    /** Moves with each change. */
    version: Generated<number>;
    created_by_type: PrincipalType;
    created_by_id: string;
    created_at: Time;
    updated_at: Time;
    ended_at: MaybeTime;
    ended_reason: string | null;
    /** It ended, and some that hang below it may not say so yet. They bind nothing: a chain holds only while every link does. */
    ends_below: Generated<boolean>;
    /** Whether the person at its root could make it now: HELD, LACKED while they may not, or GONE for good since they left. */
    backing: Generated<DelegationBacking>;
  };
  /** What was deleted of an organization, by table, and that nothing is left. Outlives it, for whoever operates the database. */
  deletion_certificates: {
    organization_id: string;
    asked_at: Time;
    asked_by: string;
    reason: string;
    began_at: Time;
    counts: JsonOrDefault<Record<string, number>>;
    people: Generated<string[]>;
    completed_at: MaybeTime;
    digest: string | null;
  };
  /** Sign-ins that ask a session of the same person for approval. */
  device_approvals: {
    organization_id: string;
    id: string;
    session_id: string;
    user_id: string;
    number: number;
    source_ip: string;
    user_agent: string | null;
    created_at: TimeNow;
    expires_at: Time;
    decided_at: MaybeTime;
    /** The session that decided. */
    decided_in: string | null;
    is_approved: Generated<boolean>;
  };
  /** Digests of proofs that were used, until none of them would be accepted again. */
  dpop_proofs: {
    organization_id: string;
    proof_hash: string;
    expires_at: Time;
  };
  /** Executions of emergency controls and drills of them. */
  emergency_executions: {
    organization_id: string;
    id: string;
    workspace_id: string | null;
    environment_id: string | null;
    control: EmergencyControl;
    target_type: EmergencyTargetType;
    target_id: string;
    target_name: string;
    /** The number that the person confirmed. */
    confirmed: number;
    /** The number at the time of the change. */
    actual: number;
    outcome: 'CHANGED' | 'UNCHANGED';
    reason: string;
    drill: Generated<boolean>;
    incident_id: string | null;
    executed_by_type: PrincipalType;
    executed_by_id: string;
    executed_at: Time;
    took_ms: number;
  };
  /** Single sessions ended before their time. Killing all of them moves agents.session_series instead. */
  ended_agent_sessions: {
    organization_id: string;
    agent_id: string;
    session_id: string;
    expires_at: Time;
  };
  /** Sign-ins that somebody ended from one of their sessions; none of these is accepted any more. */
  ended_sign_ins: {
    organization_id: string;
    session_id: string;
    sign_in_id: string;
    ended_at: TimeNow;
    /** Whether the terminals that the sign-in approved ended with it. */
    with_terminals: Generated<boolean>;
  };
  /** Moves with each change of what a decision in this environment reads; recording a decision compares it. Not narrowed by scope, so that a narrow caller still moves all it touches. */
  environment_epochs: {
    organization_id: string;
    environment_id: string;
    workspace_id: string;
    epoch: Generated<number>;
  };
  /** Where agents act; the enforcement mode lives here. */
  environments: {
    organization_id: string;
    id: string;
    workspace_id: string;
    name: string;
    type: EnvironmentType;
    mode: Generated<Mode>;
    paused_at: MaybeTime;
    paused_reason: string | null;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Whether an agent may act here only under a delegation. */
    requires_delegation: Generated<boolean>;
    archived_at: MaybeTime;
    /** Whether people behind an agent may approve what it asks of a high-risk tool when no one else can. */
    separation: Generated<Separation>;
    /** Trust evidence that every action in the environment requires; null if none. */
    requires_trust: MaybeJson<TrustRequirement>;
  };
  /** How the last fetch of automatic rates went. Whoever moves attempted_at is the one that fetches. */
  exchange_rate_refreshes: {
    organization_id: string;
    base_currency: string;
    attempted_at: Time;
    succeeded_at: MaybeTime;
    failure: string | null;
  };
  /** Every rate there ever was; none is changed. A deleted one is out of force and stays for those who ask what a decision rested on. */
  exchange_rates: {
    organization_id: string;
    id: string;
    base_currency: string;
    quote_currency: string;
    /** Decimal text, so that no floating point comes near it: units of the quote currency for one of the base currency. */
    rate: string;
    source: RateSource;
    effective_at: Time;
    created_at: Time;
    created_by: string;
    deleted_at: MaybeTime;
  };
  /** Up to which event each consumer of the feed has taken the events, and since when it could not. */
  feed_positions: {
    consumer: string;
    transaction_id: string;
    id: string;
    /** How often it broke off since it last took events. */
    failures: Generated<number>;
    /** Not before this is it tried again; null for at once. */
    retry_at: MaybeTime;
    updated_at: TimeNow;
    /** When it broke off first since it last took events; null while it does not. */
    failing_since: MaybeTime;
  };
  /** The first answer to an Idempotency-Key, written in the transaction of the change it answers. */
  idempotency_keys: {
    organization_id: string;
    principal_id: string;
    operation: string;
    key: string;
    request_hash: Buffer;
    status: number | null;
    body: MaybeJson<unknown>;
    created_at: TimeNow;
  };
  /** Tools that were taken over from documents, with what the document said then. */
  imported_tools: {
    organization_id: string;
    tool_id: string;
    workspace_id: string;
    environment_id: string;
    source: string;
    key: string;
    operation: string;
    declaration: Json<ProposedDeclaration>;
    hashes: Json<Readonly<Record<string, string>>>;
    updated_at: Time;
  };
  /** The timeline of an incident: notes, containment steps and events. */
  incident_entries: {
    organization_id: string;
    workspace_id: string | null;
    environment_id: string | null;
    incident_id: string;
    id: string;
    at: Time;
    kind: IncidentEntryKind;
    /** Events of the same key are one entry with a count. */
    fold_key: string | null;
    /** The first event of the entry. */
    event_id: string | null;
    pinned: Generated<boolean>;
    count: Generated<number>;
    last_at: Time;
    data: JsonOrDefault<Record<string, unknown>>;
  };
  /** Findings of rules that no job has taken into an incident yet. */
  incident_matches: {
    organization_id: string;
    rule_id: string;
    key_value: string;
    count: number;
    first_at: Time;
    last_at: Time;
    first_event_id: string;
    last_event_id: string;
    event_type: string;
  };
  /** Times of the newest findings of rules that count, at most as many as the rule counts. */
  incident_rule_windows: {
    organization_id: string;
    rule_id: string;
    key_value: string;
    found_at: Json<unknown>;
    last_at: Time;
  };
  /** Rules of environments that open incidents. */
  incident_rules: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    condition: string;
    score: number | null;
    code: string | null;
    /** Findings are grouped by it: one open incident for each. */
    key: string;
    count: number;
    within_seconds: number;
    severity: string;
    /** PAUSE_AGENT pauses the agent of the key. */
    contain: string | null;
    reopen_minutes: number;
    enabled: Generated<boolean>;
    created_by: string;
    created_at: Time;
    updated_by: string;
    updated_at: Time;
  };
  /** Ids whose events belong to the timeline of an incident that is not closed. */
  incident_subjects: {
    organization_id: string;
    incident_id: string;
    subject_id: string;
  };
  /** Incidents, opened by people or by rules. */
  incidents: {
    organization_id: string;
    id: string;
    workspace_id: string | null;
    environment_id: string | null;
    title: string;
    description: Generated<string>;
    severity: IncidentSeverity;
    status: Generated<IncidentStatus>;
    /** The agents, tools, environments and other things that it is about: type and id. */
    subjects: JsonOrDefault<IncidentSubject[]>;
    owner_id: string | null;
    drill: Generated<boolean>;
    opened_by_type: PrincipalType;
    opened_by_id: string;
    /** The rule that opened it; null for one that a person opened. */
    rule_id: string | null;
    /** The agent, tool or environment that the rule found. */
    rule_key: string | null;
    /** How often the rule matched. */
    matches: Generated<number>;
    resolution: IncidentResolution | null;
    duplicate_of: string | null;
    summary: string | null;
    /** Containment steps that stay in force after it was resolved. */
    left_in_force: Generated<string[]>;
    /** Time of the first action of a person on it. */
    acknowledged_at: MaybeTime;
    contained_at: MaybeTime;
    resolved_at: MaybeTime;
    closed_at: MaybeTime;
    /** The report as it was when the incident was closed. */
    report: MaybeJson<Record<string, unknown>>;
    created_at: Time;
    updated_at: Time;
    /** Time at which the rule paused the agent; null if it paused none. */
    agent_paused_at: MaybeTime;
  };
  /** Its one row: what the roles are named after, and by what the right master key is known. */
  installation: {
    id: string;
    key_check: string;
    created_at: TimeNow;
    /** Since when files of tables may hold what a former master key opens; null once they are written anew. */
    former_since: MaybeTime;
  };
  /** The key of the installation, wrapped under the master key, and which master keys there were. */
  installation_keys: {
    /** Tells one master key from another, and nothing of it. */
    id: string;
    /** KEY: wrapped here under a master key that is known here. COMMAND: wrapped by an external command. */
    kind: string;
    /** The wrapped key; null once the master key is retired. */
    wrapped: Buffer | null;
    made_at: TimeNow;
    made_by: string;
    reason: string;
    retired_at: MaybeTime;
    retired_by: string | null;
  };
  /** Applications of the catalogue that were set up. */
  integrations: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    application: string;
    name: string;
    /** First part of the names of its tools, and source of their imports. */
    source: string;
    entry_version: number;
    /** Entered values that are no secrets, such as a host. */
    values: Json<Readonly<Record<string, string>>>;
    credential_id: string;
    /** The newest import that its tools were applied from; null if it was deleted. */
    import_id: string | null;
    status: Generated<IntegrationStatus>;
    created_by: string;
    created_at: Time;
    updated_at: Time;
  };
  /** A person who was asked to join the organization, in a role. */
  invitations: {
    organization_id: string;
    id: string;
    email: string;
    role_id: string;
    /** The workspaces the member will be limited to; null for the whole organization. */
    workspace_ids: string[] | null;
    code_hash: Buffer;
    invited_by: string;
    invited_by_type: PrincipalType;
    created_at: TimeNow;
    sent_at: Time;
    sent_count: Generated<number>;
    expires_at: Time;
    ended_at: MaybeTime;
    ended_as: 'ACCEPTED' | 'WITHDRAWN' | null;
    /** True until a person confirms an invitation of an API key; no code is mailed before. */
    awaits_confirmation: Generated<boolean>;
  };
  /** Mails to be sent, and for a while what became of them. */
  mails: {
    /** Of a mail that nobody's organization sends, such as a sign-up, the one that is nobody's. */
    organization_id: string;
    id: string;
    template: string;
    /** Recipient and values of the template; null once nobody needs them. */
    sealed: Buffer | null;
    /** A keyed digest of the address. */
    recipient_key: string;
    /** Whose share of the mail server it takes: an organization, or the address a stranger asked from. */
    sender_key: string;
    /** How many of this template one recipient gets within an hour. */
    per_hour_max: number;
    /** WAITING, SENT or GIVEN_UP. */
    state: Generated<'WAITING' | 'SENT' | 'GIVEN_UP'>;
    attempts: Generated<number>;
    failure: string | null;
    created_at: TimeNow;
    expires_at: Time;
    /** When it is tried next. A plane that tries it moves this by its lease, so that no other does at the same time. */
    due_at: TimeNow;
    /** When it was tried first, from which it counts against its recipient and its sender. */
    started_at: MaybeTime;
    ended_at: MaybeTime;
  };
  /** Different listings of a server, the newest ones of each. */
  mcp_listings: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    server_id: string;
    hash: string;
    /** Name and pin of each tool. */
    definitions: Json<{ name: string; pin: string }[]>;
    taken_by_type: PrincipalType;
    taken_by_id: string;
    first_taken_at: Time;
    last_taken_at: Time;
  };
  /** MCP servers whose tools agents may call through the gateway. */
  mcp_servers: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    /** Derived from the name and never changed. The names of its tools begin with it. */
    slug: string;
    /** How the server is reached: {type: HTTP, url} or {type: STDIO, command, args, package, integrity}. */
    transport: Json<McpTransport>;
    credential_id: string | null;
    capability_prefix: string;
    settings: JsonOrDefault<McpSettings>;
    status: Generated<McpServerStatus>;
    status_reason: string | null;
    /** Generation of the protocol that the newest listing was taken with: MODERN has no sessions. */
    era: McpEra | null;
    protocol_version: string | null;
    server_info: MaybeJson<Record<string, unknown>>;
    instructions: string | null;
    /** SHA-256 over the name, capabilities and instructions of the newest listing, in hex. */
    server_pin: string | null;
    /** The pin that a person accepted. Clients get the accepted instructions and no others. */
    accepted_server_pin: string | null;
    accepted_instructions: string | null;
    /** The newest listing, in mcp_listings. */
    listing_hash: string | null;
    /** When the server last answered a complete listing. Gateways refuse calls when it is too long ago. */
    listing_checked_at: MaybeTime;
    /** When the next listing is taken. */
    listing_due_at: TimeNow;
    /** Listings in a row that failed; they postpone the next one. */
    listing_failures: Generated<number>;
    /** Why the last listing failed; null if it did not. */
    listing_failure: MaybeJson<McpListingFailure>;
    created_by: string;
    created_at: Time;
    updated_at: Time;
  };
  /** Tools that MCP servers offer, each with the definition that was authorized. */
  mcp_tools: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    server_id: string;
    /** Name at its server; the address of a resource, and the address of a template with its variables. */
    name: string;
    /** The definition in the newest listing, byte for byte. */
    definition: string;
    /** SHA-256 over the definition in canonical form, in hex. */
    pin: string;
    /** The definition that a person authorized. Clients get this one. */
    authorized_definition: string | null;
    authorized_pin: string | null;
    status: Generated<McpToolStatus>;
    /** The governed tool. Null until the tool is first authorized. */
    tool_id: string | null;
    /** Findings in the definition: kind, severity, place and explanation. */
    findings: JsonOrDefault<McpFinding[]>;
    first_seen_at: Time;
    last_seen_at: Time;
    authorized_by: string | null;
    authorized_at: MaybeTime;
    disabled_reason: string | null;
    /** What the server offers: a tool, a resource, a template of resources, or a prompt. */
    kind: Generated<McpOfferKind>;
  };
  /** The workspaces that a limited member sees. */
  member_workspaces: {
    organization_id: string;
    member_id: string;
    workspace_id: string;
    created_at: TimeNow;
  };
  /** A person's membership of an organization, with the role they act in. */
  members: {
    organization_id: string;
    id: string;
    user_id: string;
    role_id: string;
    created_at: TimeNow;
    /** Whether the member sees the workspaces in member_workspaces alone; otherwise the whole organization. */
    is_limited: Generated<boolean>;
    /** Moves when every session of the member in this organization ends. */
    session_epoch: Generated<number>;
    /** Nobody switches into the organization from a sign-in that began before; null for no bound. */
    sign_ins_since: MaybeTime;
    /** A password that was set before lets nobody into the organization; null for no bound. */
    password_since: MaybeTime;
    /** SSO or SCIM where the person was made by the organization's provider or directory; null where they came by themselves. */
    provisioned_by: 'SSO' | 'SCIM' | null;
  };
  /** Sign-ins that wait for their second factor. Only the SHA-256 of the token is kept. */
  mfa_challenges: {
    organization_id: string;
    session_id: string;
    user_id: string;
    token_hash: Buffer;
    proofs: Proof[];
    /** The network that the first factor came from; the second has to come from there too. */
    source: string;
    failures: Generated<number>;
    created_at: TimeNow;
    expires_at: Time;
    used_at: MaybeTime;
    /** As sessions.epoch: the session it becomes is of it, and is none when the password was changed meanwhile. */
    epoch: Generated<number>;
  };
  /** What somebody is to be told of, until it is known who, and for a while after so that it is not told again. */
  notices: {
    organization_id: string;
    kind: NotificationKind;
    /** What it is told of once: an event, a day of a subject, or the end of one. */
    about: string;
    subject_type: AuditSubject;
    subject_id: string;
    workspace_id: string | null;
    environment_id: string | null;
    event_id: string | null;
    facts: JsonOrDefault<Record<string, string>>;
    created_at: TimeNow;
    /** When it was put before people. */
    done_at: MaybeTime;
    kept_until: Time;
  };
  /** Chats that are sent notifications, and which kinds of them. */
  notification_channels: {
    organization_id: string;
    id: string;
    name: string;
    kind: Generated<ChannelKind>;
    /** Where it leads, as people are shown it: the host, and the last characters of its URL. */
    address: string;
    /** The incoming webhook, sealed under the data key of the organization for this row. */
    sealed_url: Buffer;
    /** The kinds of notifications that it is sent. */
    notices: NotificationKind[];
    /** What is about this workspace alone; null for the whole organization. */
    workspace_id: string | null;
    environment_id: string | null;
    status: Generated<'ACTIVE' | 'DISABLED'>;
    disabled_reason: ChannelDisabledReason | null;
    vouched_by_type: PrincipalType;
    /** Who made it, put it back or last said what is sent and to where: nothing is posted that this person or key may not read at that moment. */
    vouched_by: string;
    created_by: string;
    /** Posts in a row that did not arrive, which say when the next one is made. */
    failures: Generated<number>;
    /** Of these the last ones by which the receiver said that it is gone. */
    gone_answers: Generated<number>;
    failing_since: MaybeTime;
    last_error: string | null;
    last_sent_at: MaybeTime;
    /** Before then nothing is posted to it. */
    due_at: TimeNow;
    /** The lease under which a worker posts to it until leased_until: another word with each. */
    leased_by: string | null;
    leased_until: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** How each person wants to be told. */
  notification_preferences: {
    user_id: string;
    /** What they said; for whatever they did not, there is a default. */
    preferences: JsonOrDefault<ChosenPreferences>;
    hour_began_at: MaybeTime;
    /** Mails of notifications since hour_began_at, from all organizations. */
    mails_in_hour: Generated<number>;
    last_mail_at: MaybeTime;
    updated_at: TimeNow;
  };
  /** What each person was told. */
  notifications: {
    organization_id: string;
    id: string;
    user_id: string;
    kind: NotificationKind;
    subject_type: AuditSubject | null;
    subject_id: string | null;
    workspace_id: string | null;
    environment_id: string | null;
    event_id: string | null;
    /** Names and numbers that its sentence tells. */
    facts: JsonOrDefault<Record<string, string>>;
    /** How many it stands for; 0 where it is about one subject. */
    gathered: Generated<number>;
    /** How many of these were mailed. */
    gathered_mailed: Generated<number>;
    in_inbox: Generated<boolean>;
    /** When it is to be mailed; null where it is not, or was. */
    mail_due_at: MaybeTime;
    read_at: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** First steps of a person in an organization. */
  onboardings: {
    organization_id: string;
    user_id: string;
    /** By step; what was not answered is not there. */
    answers: JsonOrDefault<Record<string, { answered_at: string; answers: Record<string, unknown> }>>;
    /** The environment that the chosen mode was applied to; null where none was named. */
    environment_id: string | null;
    completed_at: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** A tenant. Every other tenant row names its organization in its key. */
  organizations: {
    id: string;
    name: string;
    require_mfa: Generated<boolean>;
    base_currency: Generated<string>;
    time_zone: Generated<string>;
    created_at: TimeNow;
    updated_at: TimeNow;
    allowed_networks: Generated<string[]>;
    deletes_at: MaybeTime;
    deletion_asked_at: MaybeTime;
    deletion_asked_by: string | null;
    deletion_reason: string | null;
    /** LAPSED refuses requests that create something; decisions and stops do not depend on it. */
    subscription: Generated<Subscription>;
  };
  /** Signed statements of who an agent is; a new version at each change of what it states. */
  passports: {
    organization_id: string;
    id: string;
    agent_id: string;
    version: number;
    token: string;
    issued_at: Time;
    expires_at: Time;
    /** Whether its end is still to come: no other version took its place, and that it ended was not told. */
    end_pending: Generated<boolean>;
  };
  /** The code by which an address may set a new password, by a digest of the address, whether it has an account or not. Only a keyed hash of the code is kept. */
  password_resets: {
    key: string;
    code_hash: Buffer;
    attempts: Generated<number>;
    sent_at: Time;
    sent_in_hour: Generated<number>;
    hour_began_at: Time;
    expires_at: Time;
    used_at: MaybeTime;
  };
  /** Ed25519 keys the service signs agent tokens and passports with; the private part is sealed by the master key. */
  platform_keys: {
    key_id: string;
    public_key: string;
    private_key_sealed: Buffer;
    created_at: TimeNow;
    retired_at: MaybeTime;
  };
  /** A named set of rules with versions; what binds is its active version. */
  policies: {
    organization_id: string;
    id: string;
    name: string;
    description: Generated<string>;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Since when the policy is out of force, after it had been in force. */
    suspended_at: MaybeTime;
    /** A deleted policy stays, since recorded actions name it; nothing shows it, binds it or brings it back. */
    deleted_at: MaybeTime;
  };
  /** Where a policy applies. */
  policy_bindings: {
    organization_id: string;
    id: string;
    policy_id: string;
    scope: PolicyScope;
    target_id: string;
    created_at: TimeNow;
  };
  /** What was proved of every decision and has to stay true: no change of what binds that breaks one is committed. */
  policy_invariants: {
    organization_id: string;
    id: string;
    name: string;
    description: Generated<string>;
    /** A condition of the policy language; null when every request meets it. */
    condition: MaybeJson<Record<string, unknown>>;
    if_missing: 'match' | null;
    at_least: Effect | null;
    at_most: Effect | null;
    currency: string;
    /** Where it holds: the workspace, or with environment_id the environment of it; null for the whole organization. */
    workspace_id: string | null;
    environment_id: string | null;
    created_by: string;
    created_at: TimeNow;
  };
  /** Rules and tests of one version; unchangeable once it has been active. */
  policy_versions: {
    organization_id: string;
    id: string;
    policy_id: string;
    version_number: number;
    status: Generated<VersionStatus>;
    rules: Json<unknown[]>;
    tests: Json<unknown[]>;
    created_by: string;
    created_at: TimeNow;
    activated_at: MaybeTime;
    /** What the amounts of the version are written in. */
    currency: Generated<string>;
  };
  /** Codes that each stand for a second factor once. Only a keyed hash is kept. */
  recovery_codes: {
    user_id: string;
    code_hash: Buffer;
    created_at: TimeNow;
    used_at: MaybeTime;
    /** As second_factors.vouched_by, of the session that these codes were made in. */
    vouched_by: string | null;
  };
  /** What risk signals found, one open row per agent, signal and subject, counted up. */
  risk_events: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    agent_id: string;
    signal: string;
    subject: string;
    points: number;
    score: number;
    sentence: string;
    evidence: Json<unknown>;
    count: number;
    first_at: Time;
    last_at: Time;
    last_action_id: string | null;
    status: Generated<string>;
    verdict: string | null;
    comment: string | null;
    acknowledged_by: string | null;
    acknowledged_at: MaybeTime;
  };
  /** Exceptions of risk signals for one agent and subject, until a time. */
  risk_mutes: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    agent_id: string;
    signal: string;
    subject: string;
    muted_until: Time;
    risk_event_id: string;
    created_by: string;
    created_at: Time;
  };
  /** Findings of risk signals that are not yet counted in risk events. */
  risk_notices: {
    organization_id: string;
    agent_id: string;
    workspace_id: string;
    environment_id: string;
    signal: string;
    subject: string;
    points: number;
    score: number;
    sentence: string;
    evidence: Json<unknown>;
    count: number;
    first_at: Time;
    last_at: Time;
    last_action_id: string | null;
  };
  /** Risk and flow settings of environments: thresholds, points of signals, own destinations. */
  risk_settings: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    /** Chosen members only. */
    settings: Json<ChosenRiskSettings>;
    updated_at: Time;
    updated_by: string;
    /** Counts the changes. A change may state the version that it is based on. */
    version: Generated<number>;
  };
  /** What whoever holds a role may do. Built in where organization_id is null. */
  roles: {
    id: string;
    organization_id: string | null;
    name: string;
    description: Generated<string>;
    permissions: string[];
    /** Whether an API key may have it; that of an owner is for people alone. */
    for_keys: Generated<boolean>;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Changes of the enforcement status of runtimes. */
  runtime_assessments: {
    organization_id: string;
    id: Generated<string>;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    at: Time;
    before: EnforcementStatus;
    status: EnforcementStatus;
    cause: AssessmentCause;
    reasons: Json<EnforcementReason[]>;
    run_id: string | null;
  };
  /** Test workflows. The row is stored before the workflow is created, so that it is always removed. */
  runtime_canaries: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    run_id: string;
    name: string;
    kind: string;
    workflow_id: string | null;
    planned_at: Time;
    outcome: string | null;
    removed_at: MaybeTime;
  };
  /** Observations of verification runs. Never changed. */
  runtime_evidence: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    run_id: string;
    seq: number;
    name: EvidenceName;
    holds: boolean | null;
    observed_at: Time;
    source: string;
    detail: string;
    hash: string;
    data: JsonOrDefault<Record<string, unknown>>;
  };
  /** Ways around the service that verification found. */
  runtime_findings: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    /** SHA-256 over the kind, workflow, node and subject, so that later runs recognize it. */
    fingerprint: string;
    kind: FindingKind;
    severity: FindingSeverity;
    status: Generated<FindingStatus>;
    dormant: Generated<boolean>;
    contained_by: EvidenceName | null;
    workflow: MaybeJson<{ id: string; name: string }>;
    node: MaybeJson<{ id: string; name: string; type: string }>;
    evidence: JsonOrDefault<Record<string, unknown>>;
    /** What an acceptance is bound to: another hash ends it. */
    evidence_hash: string;
    via: JsonOrDefault<string[]>;
    first_run_id: string | null;
    last_run_id: string | null;
    first_seen_at: Time;
    last_seen_at: Time;
    resolved_at: MaybeTime;
    accepted_by: string | null;
    accepted_at: MaybeTime;
    accepted_reason: string | null;
    accepted_until: MaybeTime;
    accepted_hash: string | null;
    acceptance_ended_at: MaybeTime;
    acceptance_ended_because: AcceptanceEnd | null;
  };
  /** The newest heartbeat of each process of a managed runtime. */
  runtime_heartbeats: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    process_id: string;
    at: Time;
    product_version: string | null;
    /** SHA-256 of the hook file that runs. */
    hook_sha256: string;
    /** SHA-256 of the value of each setting of the bundle; null for one that is not set. */
    levers: Json<Readonly<Record<string, string | null>>>;
    /** Result of the last connection that the process tried to an address that its network must not reach. */
    probe: MaybeJson<{ target: string; result: string; at: string }>;
  };
  /** Refused requests of hook files, one of a workflow and hour, so that one event is written for them. */
  runtime_hook_refusals: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    subject: string;
    hour: Time;
  };
  /** Configuration that clients, platforms and programs report, reduced to names, hosts, commands and hashes. */
  runtime_reports: {
    organization_id: string;
    id: Generated<string>;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    source: ReportSource;
    reported_by: string;
    at: Time;
    body: Json<Record<string, unknown>>;
    hash: string;
  };
  /** Workflows of instances as they were last inspected. The workflow itself is not stored. */
  runtime_workflows: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    workflow_id: string;
    name: string;
    active: boolean;
    archived: boolean;
    version_id: string | null;
    active_version_id: string | null;
    hash: string;
    changed_at: Time;
    first_seen_at: Time;
    last_seen_at: Time;
    last_run_id: string | null;
    gone_at: MaybeTime;
    inventory: Json<Record<string, unknown>>;
  };
  /** Runtimes that agents run in. */
  runtimes: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    agent_id: string | null;
    kind: RuntimeKind;
    product: string;
    name: string;
    base_url: string | null;
    status: Generated<RuntimeStatus>;
    fail_closed: Generated<boolean>;
    admin_access: Generated<AdminAccess>;
    settings: JsonOrDefault<RuntimeSettings>;
    credential_id: string | null;
    health: Generated<ConnectionHealth>;
    health_detail: Generated<string>;
    health_at: MaybeTime;
    key_facts: MaybeJson<NonNullable<Connection['key']>>;
    /** Evidence from before this time does not count, such as that of another address. */
    evidence_since: Time;
    enforcement: Generated<EnforcementStatus>;
    enforcement_reasons: JsonOrDefault<EnforcementReason[]>;
    /** The current status and those to which it falls without new evidence: {from, status}. Readers take the one of their own time. */
    enforcement_forecast: JsonOrDefault<EnforcementForecast>;
    assessed_at: MaybeTime;
    /** When the status next falls; a job then writes the assessment and the event. */
    falls_at: MaybeTime;
    next_verification_at: MaybeTime;
    /** The last PAUSE, DISABLE or RECOVER, and its result at the instance. */
    operated: MaybeJson<Operated>;
    /** When the instance is next asked to apply it, or whether it still does. */
    operate_due_at: MaybeTime;
    created_by: string;
    created_at: Time;
    updated_at: Time;
    /** What heartbeats showed when the status was last computed. Verification runs keep them as evidence. */
    hook_observations: JsonOrDefault<{ at: string; name: EvidenceName; holds: boolean | null; source: string; detail: string }[]>;
  };
  schema_migrations: {
    name: string;
    checksum: string;
    applied_at: TimeNow;
  };
  /** Who is in a group of a directory. */
  scim_group_members: {
    organization_id: string;
    group_id: string;
    member_id: string;
  };
  /** A group of a directory; which role it stands for is said in scim_settings. */
  scim_groups: {
    organization_id: string;
    id: string;
    display_name: string;
    external_id: string | null;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** How a directory provisions members. Only the SHA-256 of its token is kept. */
  scim_settings: {
    organization_id: string;
    token_hash: Buffer | null;
    token_created_at: MaybeTime;
    default_role_id: string;
    group_roles: JsonOrDefault<readonly { readonly group: string; readonly role_id: string }[]>;
    updated_at: TimeNow;
    /** Who made the token: it opens nothing once they are gone, or may not make one any more. */
    token_created_by: string | null;
  };
  /** What a directory says of a person. Its id is that of the membership, and the person is active while that is there. */
  scim_users: {
    organization_id: string;
    id: string;
    user_id: string;
    user_name: string;
    external_id: string | null;
    email: string;
    given_name: string | null;
    family_name: string | null;
    display_name: string | null;
    /** Whether the account was made by the directory. Known of those who were deleted too, should they come back. */
    made_user: boolean;
    deleted_at: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** What a person proves who they are with besides a password: generators of one-time codes (RFC 6238) and passkeys (WebAuthn). */
  second_factors: {
    user_id: string;
    id: string;
    kind: FactorKind;
    name: string;
    created_at: TimeNow;
    /** When the first code of it was right; until then it proves nothing. */
    confirmed_at: MaybeTime;
    last_used_at: MaybeTime;
    /** The session that enrolled it, and the only one that can confirm it. */
    enrolled_in: string;
    /** Of a generator of codes, sealed under the master key for this person and row. */
    sealed_secret: Buffer | null;
    /** The time step of the last code that was taken; none up to it is taken again. */
    last_step: number | null;
    credential_id: Buffer | null;
    public_key: Buffer | null;
    /** What the passkey last counted; zero where it does not count. */
    sign_count: number | null;
    transports: string[] | null;
    /** The organization whose provider vouched for the session that enrolled it, and in which alone it counts; null where it counts in all. */
    vouched_by: string | null;
  };
  /** A signed-in person. Only the SHA-256 of the token is kept. */
  sessions: {
    organization_id: string;
    id: string;
    user_id: string;
    token_hash: Buffer;
    created_at: TimeNow;
    last_used_at: TimeNow;
    expires_at: Time;
    stepped_up_until: MaybeTime;
    revoked_at: MaybeTime;
    source_ip: string | null;
    user_agent: string | null;
    /** Wrong proofs at a step-up since the last right one. */
    step_up_failures: Generated<number>;
    /** The first session of the sign-in; null where it is this one. */
    sign_in_id: string | null;
    /** The sum of the epochs of the person and of the member when whoever opened it was proved; it holds while they are so. */
    epoch: Generated<number>;
    /** The address of the latest use that was noted. */
    last_used_from: string | null;
    /** The proofs it rests on (RFC 8176), by the words of the contract. */
    amr: Generated<Proof[]>;
    /** The sign-in that approved this session of a terminal; null for every other session. */
    approved_by_sign_in_id: string | null;
    /** Those of the proofs in amr that count in this organization only, because its provider vouched for them. */
    vouched_amr: Generated<Proof[]>;
    step_up_requested_at: MaybeTime;
    /** Source address of the pending step-up request. */
    step_up_requested_from: string | null;
    /** Random value from which the code of the pending step-up request derives; null without one. */
    step_up_request: string | null;
  };
  /** The one-time link a first start prints; dead as soon as an organization exists. */
  setup_links: {
    token_hash: Buffer;
    created_at: TimeNow;
    used_at: MaybeTime;
  };
  /** Failed proofs per account and per source address; the lockout rests on it. */
  sign_in_failures: {
    key: string;
    failures: number;
    first_failed_at: Time;
    locked_until: MaybeTime;
  };
  /** Sign-ups whose address is not proved yet. */
  sign_ups: {
    id: string;
    /** A keyed digest of the address. */
    email_key: string;
    /** Name, organization, address and the hash of the password. */
    sealed: Buffer;
    /** A keyed hash of the code. */
    code_hash: Buffer;
    /** Codes that were compared with it. */
    attempts: Generated<number>;
    /** Whether somebody with another password began a sign-up of the same address meanwhile: then the code alone is not enough. */
    is_contested: Generated<boolean>;
    /** When the organization was founded. The row stays until its end, so that the code sent twice is not taken for a guess. */
    used_at: MaybeTime;
    created_at: TimeNow;
    expires_at: Time;
  };
  /** Assertions that were used, by the SHA-256 of their id, for as long as they could be used. */
  sso_assertions: {
    organization_id: string;
    connection_id: string;
    assertion_hash: Buffer;
    expires_at: Time;
  };
  /** A sign-in at a provider under way: taken once, by the browser that began it. */
  sso_attempts: {
    state_hash: Buffer;
    browser_hash: Buffer;
    organization_id: string;
    connection_id: string;
    redirect_uri: string;
    link_user_id: string | null;
    link_session_id: string | null;
    return_to: string | null;
    expires_at: Time;
    /** SHA-256 of the id of the request that the answer has to name (InResponseTo); null with OpenID Connect. */
    request_hash: Buffer | null;
    /** When an answer was taken up, before it was read: there is no second one. */
    answered_at: MaybeTime;
    sealed_answer: Buffer | null;
  };
  /** A provider by which members of an organization sign in. Its issuer never changes: identities are told by it. */
  sso_connections: {
    organization_id: string;
    id: string;
    kind: 'OIDC' | 'SAML';
    name: string;
    status: Generated<'ACTIVE' | 'DISABLED'>;
    issuer: string;
    client_id: string | null;
    sealed_client_secret: Buffer | null;
    scopes: string[];
    jit: boolean;
    default_role_id: string | null;
    role_claim: string | null;
    role_mapping: Json<readonly { readonly value: string; readonly role_id: string }[]>;
    trusts_mfa: boolean;
    enforce: Generated<boolean>;
    break_glass_user_id: string | null;
    created_by: string;
    created_at: TimeNow;
    updated_at: TimeNow;
    sso_url: string | null;
    /** PEM, of the keys by which the provider signs assertions: two while one takes over from the other. */
    certificates: Generated<string[]>;
    /** CLAIM: the provider states email_verified. VERIFIED_DOMAINS: an address in a verified domain of the connection counts without that claim. */
    email_trust: Generated<'CLAIM' | 'VERIFIED_DOMAINS'>;
  };
  /** Domains of e-mail addresses that an organization claims. It has those that are verified, which are nobody else's. */
  sso_domains: {
    organization_id: string;
    domain: string;
    connection_id: string;
    challenge: string;
    verified_at: MaybeTime;
    created_at: TimeNow;
  };
  /** Who a subject of a provider is in one organization. Never told by e-mail address. */
  sso_identities: {
    organization_id: string;
    id: string;
    connection_id: string;
    subject: string;
    user_id: string;
    created_at: TimeNow;
  };
  /** Sessions opened by a connection: accepted only while it is active, and in no other organization. */
  sso_sessions: {
    organization_id: string;
    session_id: string;
    connection_id: string;
    user_id: string;
  };
  /** Stops of agents and tools that a person or an operator made and that no person has lifted. */
  stops_by_people: {
    organization_id: string;
    /** The agent or tool. */
    subject_id: string;
    /** STATUS: paused, suspended, isolated or disabled. END: an agent has an end. capability NAME: withdrawn from the agent. agent ID: withdrawn from the tool. */
    stop: string;
    /** Null for a stop from before this was kept: its maker is not known. */
    stopped_by: string | null;
    stopped_at: Time;
  };
  /** Agents authorized for a tool; apart from holding its capability. */
  tool_agents: {
    organization_id: string;
    tool_id: string;
    agent_id: string;
    authorized_by: string;
    authorized_at: TimeNow;
  };
  /** Documents of services that tools are proposed from. */
  tool_imports: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    /** What the document is of; the next one of the same source is compared with what was taken over. */
    source: string;
    format: string;
    title: string;
    version: string;
    origin: ImportOrigin;
    /** Where it was fetched, without its query. */
    address: string | null;
    base_url: string | null;
    document_hash: string;
    created_by: string;
    created_at: TimeNow;
  };
  /** Operations of imported documents: a declaration that could be taken over, or why there is none. */
  tool_proposals: {
    organization_id: string;
    import_id: string;
    key: string;
    workspace_id: string;
    environment_id: string;
    /** Of the operation in its document. */
    position: number;
    operation: string;
    summary: string;
    reason: string | null;
    declaration: MaybeJson<ProposedDeclaration>;
    /** Of each member of the declaration, to tell what a later document says otherwise. */
    hashes: MaybeJson<Readonly<Record<string, string>>>;
    credentials: Json<WantedCredential[]>;
    risk_reasons: string[];
    notes: string[];
  };
  /** What tools declared, each time it was changed. That of a tool never changed may stand in tools alone. */
  tool_versions: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    tool_id: string;
    version_number: number;
    /** As it may be shown: without anything that is a secret. */
    declaration: Json<ToolDeclared>;
    created_at: Time;
    /** Who declared it so. Null in declarations from before this was kept. */
    created_by: string | null;
  };
  /** A protected action that agents may ask for. */
  tools: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    description: Generated<string>;
    required_capability: string;
    kind: ToolKind;
    destination_allowlist: Generated<string[]>;
    risk_rating: Generated<RiskRating>;
    dangerous: Generated<boolean>;
    parameters_schema: JsonOrDefault<Record<string, unknown>>;
    amount_from: string | null;
    currency_from: string | null;
    destination_from: string | null;
    execution: MaybeJson<unknown>;
    status: Generated<'ACTIVE' | 'DISABLED'>;
    disabled_reason: string | null;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Number of the declaration that stands here; approvals asked for under another one serve no more. */
    declaration_version: Generated<number>;
    /** JSON Pointers into the parameters; an approver may narrow what they name and what lies below. */
    narrowable: Generated<string[]>;
    /** Time of the last change of the declaration; null if it is as it was registered. */
    declared_at: MaybeTime;
    /** Labels of results, reach, readers, recipients and side effects, as a person declared them. */
    flow: JsonOrDefault<Partial<ToolFlow>>;
    /** Trust evidence that every action with the tool requires; null if none. */
    requires_trust: MaybeJson<TrustRequirement>;
    /** Requests that are decided as calls of the tool: mapping, method and path. */
    routes: JsonOrDefault<ToolRoute[]>;
  };
  /** Evidence about agents. Verified facts never change; a piece is revoked once. */
  trust_evidence: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    agent_id: string;
    provider_id: string;
    kind: EvidenceKind;
    format: EvidenceFormat;
    result: EvidenceResult | null;
    level: number;
    /** A failed result or an open vulnerability: while it is in force, the level of the agent is at most 1. */
    is_lowering: boolean;
    bound_by: EvidenceBinding;
    /** Thumbprint of the key of the agent, or digest of its artifact. The piece counts only while the agent has it. */
    bound_to: string | null;
    /** The signed document as it was sent; null for a statement by a person. */
    document: string | null;
    /** SHA-256 in hex of the signed statement. No statement is added twice for one agent, in any envelope, also after it was revoked. */
    document_hash: string;
    /** Verified facts: key or identity, log entry and type of the statement. */
    proof: Json<EvidenceProof>;
    note: Generated<string>;
    issued_at: Time;
    expires_at: Time;
    added_by_type: PrincipalType;
    added_by_id: string;
    created_at: Time;
    revoked_at: MaybeTime;
    revoked_by: string | null;
    revoked_reason: string | null;
    /** When the next event about its expiry is due; null if none is left. */
    notice_due_at: MaybeTime;
  };
  /** Providers whose evidence about agents counts: keys, identities of a signing service, or people. */
  trust_providers: {
    organization_id: string;
    id: string;
    name: string;
    kind: TrustProviderKind;
    /** Public JSON Web Keys, each with its kid. */
    keys: JsonOrDefault<TrustKey[]>;
    /** Identities of certificates that are compared exactly: issuer, and subject or a prefix of it. */
    identities: JsonOrDefault<TrustIdentity[]>;
    /** Certificate authorities and logs of the signing service. */
    trusted_root: MaybeJson<Record<string, unknown>>;
    evidence_kinds: EvidenceKind[];
    max_level: number;
    /** Its key is held by no member of the organization, as the person who registered it stated. */
    independent: Generated<boolean>;
    created_by: string;
    created_at: Time;
    disabled_at: MaybeTime;
    disabled_by: string | null;
    disabled_reason: string | null;
    /** True until a job has revoked the evidence of a disabled provider. Its evidence counts for nothing meanwhile. */
    is_revoking: Generated<boolean>;
  };
  /** Actions that agents execute themselves are closed in the order they were made in; everything before the mark was. */
  unreported_marks: {
    organization_id: string;
    action_id: Generated<string>;
    consumed_at: TimeNow;
  };
  /** Usage of each organization on each day in UTC, counted once after the day has ended. */
  usage_days: {
    organization_id: string;
    day: string;
    /** Recorded decisions of all environments and modes. */
    decisions: number;
    recorded_at: Time;
  };
  /** Challenges that a passkey has met; none is met twice. */
  used_passkey_challenges: {
    challenge_hash: Buffer;
    expires_at: Time;
  };
  /** A person, whatever the organizations they belong to. */
  users: {
    id: string;
    email: string;
    name: string;
    /** Null for a person who has no password: every one is wrong for them. */
    password_hash: string | null;
    created_at: TimeNow;
    /** Since when the password is this one. */
    password_changed_at: TimeNow;
    /** Whether it is shorter than one has to be that is the only proof: it holds beside a second factor alone. */
    password_is_short: Generated<boolean>;
    /** Moves when every session of the person ends, in whichever organization. */
    session_epoch: Generated<number>;
    /** When somebody proved the address first; null while nobody has, and then nothing of the account outlives the proof. */
    email_verified_at: MaybeTime;
  };
  /** Verification runs of runtimes. A run is a sequence of steps; what it still has to do is in step and cursor. */
  verification_runs: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    trigger: RunTrigger;
    state: Generated<RunState>;
    step: RunStep;
    cursor: JsonOrDefault<Record<string, unknown>>;
    canaries: Generated<boolean>;
    requests: Generated<number>;
    workflows: Generated<number>;
    findings: Generated<number>;
    tries: Generated<number>;
    /** When the next step may begin; a process that takes it moves this time into the future. */
    due_at: Time;
    started_by: string;
    created_at: Time;
    started_at: MaybeTime;
    ended_at: MaybeTime;
    failure: string | null;
    evidence_root: string | null;
    status_before: EnforcementStatus | null;
    status_after: EnforcementStatus | null;
  };
  /** What each receiver is to be told, and how that went. */
  webhook_deliveries: {
    organization_id: string;
    id: string;
    /** The order of the feed. */
    position: SetByDatabase<number>;
    subscription_id: string;
    event_id: string;
    event_type: string;
    subject_id: string;
    workspace_id: string | null;
    environment_id: string | null;
    is_test: Generated<boolean>;
    /** WAITING, DELIVERED or FAILED. */
    state: Generated<'WAITING' | 'DELIVERED' | 'FAILED'>;
    /** Attempts that were begun, of which the last may be under way or lost with its worker. */
    attempts: Generated<number>;
    /** Attempts that failed since it was last asked for, which say when the next one is. */
    failures: Generated<number>;
    due_at: TimeNow;
    /** Until when an attempt is under way. */
    leased_until: MaybeTime;
    reason: string | null;
    /** The last attempts, as they went. */
    tries: JsonOrDefault<DeliveryAttempt[]>;
    created_at: TimeNow;
    ended_at: MaybeTime;
  };
  /** Parts of the feed for which deliveries are still to be made: of an organization that had many events at once. */
  webhook_stretches: {
    organization_id: string;
    after_transaction_id: Generated<string>;
    /** The last event for which they were made; with the transaction before it, its position. */
    after_id: string;
    until_transaction_id: Generated<string>;
    /** The last event of the part, which belongs to it. */
    until_id: string;
    /** Whose turn was longest ago comes first. */
    due_at: TimeNow;
  };
  /** Receivers that are told of events, and of which. */
  webhook_subscriptions: {
    organization_id: string;
    id: string;
    name: string;
    url: string;
    event_types: string[];
    /** Events of this workspace alone; null for the whole organization. */
    workspace_id: string | null;
    environment_id: string | null;
    body_format: Generated<BodyFormat>;
    status: Generated<'ACTIVE' | 'DISABLED'>;
    disabled_reason: DisabledReason | null;
    /** What deliveries are signed with, sealed under the master key for this row. */
    sealed_secret: Buffer;
    sealed_previous_secret: Buffer | null;
    previous_secret_ends_at: MaybeTime;
    vouched_by_type: PrincipalType;
    /** Who made it or last changed it: what that person or key may read no longer is not delivered any more. */
    vouched_by: string;
    created_by: string;
    /** Since when no delivery has arrived; null where the last one did. */
    failing_since: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** The worker that serves it, until leased_until. */
    leased_by: string | null;
    leased_until: MaybeTime;
    /** Since when its receiver says that it is gone: nothing is sent, and it is about to be disabled. */
    gone_since: MaybeTime;
    /** Until when its receiver asked to be left alone. */
    paused_until: MaybeTime;
  };
  /** A part of an organization. */
  workspaces: {
    organization_id: string;
    id: string;
    name: string;
    slug: string;
    created_at: TimeNow;
    updated_at: TimeNow;
    archived_at: MaybeTime;
  };
};
