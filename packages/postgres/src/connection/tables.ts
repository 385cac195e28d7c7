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
  /** Digests of the ids of accepted assertions of remote agents (replay protection), kept until each assertion has expired. */
  a2a_assertions: {
    organization_id: string;
    connection_id: string;
    jti_hash: string;
    expires_at: Time;
  };
  /** Remote agents that agents of an environment may send messages to, or that may send messages to them. */
  a2a_connections: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    slug: string;
    card_url: string;
    /** Public JSON Web Keys that may sign the card, each with its kid. */
    keys: Json<A2aKey[]>;
    credential_id: string | null;
    /** The governed tool under which messages are decided. */
    tool_id: string;
    status: Generated<A2aStatus>;
    status_reason: string | null;
    proof: A2aProof | null;
    /** Facts of the verified card: the address that messages are sent to, and the digest of its bytes. */
    card: MaybeJson<A2aCard>;
    /** Digests of replaced cards, newest first. A replaced card is never accepted again. */
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
    /** URL of the A2A endpoint of that agent. */
    agent_url: string | null;
    /** Increments when the registered keys change. Tokens of the remote agent carry it, so that older tokens become invalid. */
    key_series: Generated<number>;
  };
  /** Push notifications that agents requested of remote agents, each for one task. */
  a2a_push_configs: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    connection_id: string;
    id: string;
    agent_id: string;
    action_id: string;
    /** The task; null until the remote agent names it in its answer or its first notification. */
    task_id: string | null;
    /** HMAC-SHA256 of the token that each notification carries, under a key of the installation. */
    token_hash: string;
    /** SHA-256 of each accepted notification (replay protection). */
    seen: Generated<string[]>;
    created_at: Time;
    /** Address, token and authentication of the partner, sealed under a key of the installation for this row; null for a push config of an agent. */
    sealed_target: Buffer | null;
    /** Id by which the partner knows the task. */
    told_task_id: string | null;
    /** State of the task that the partner is notified of. */
    told_state: string | null;
    /** The approval that the message of the partner waits for; null if it was delivered. */
    approval_id: string | null;
    /** When the partner is notified next; null if it knows the state. */
    due_at: MaybeTime;
    /** Attempts to notify the partner of this state. */
    attempts: Generated<number>;
  };
  /** Tasks of remote agents, each with the agent that started it. No other agent can read, continue or cancel the task. */
  a2a_tasks: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    connection_id: string;
    task_id: string;
    agent_id: string;
    action_id: string;
    created_at: Time;
    /** Last known state of the task; null if none is known. */
    state: string | null;
    context_id: string | null;
    /** The approval that a message is waiting for; null for a task that an agent started. */
    approval_id: string | null;
    updated_at: Time;
  };
  /** One decision per row: request, authority, rules consulted, approval and outcome. */
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
    /** Epoch of the environment that the decision is based on, compared by the statement that writes the row (optimistic concurrency). */
    environment_epoch: number;
    agent_epoch: number;
    created_at: Time;
    completed_at: MaybeTime;
    /** End of the lease of the gateway that executes the action. An action whose lease has expired was abandoned. */
    held_until: MaybeTime;
    /** Version of the tool declaration that the decision is based on; null if no tool was found. */
    declaration_version: number | null;
    /** HMAC-SHA256 of the request as received, before masking, under a key of the installation. */
    request_hmac: Buffer | null;
    /** Salt of the digests in the events of this action; null for actions recorded before digests existed. */
    digest_salt: Buffer | null;
    /** Number of changes of this row whose events carry a digest. */
    digest_revision: Generated<number>;
    /** Time at which the approval and the consumed amounts of limits and ceilings were returned, because no byte of the call was sent. */
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
  /** Baseline of each agent that risk signals compare with. Holds hashes and counts, never names. */
  agent_conduct: {
    organization_id: string;
    agent_id: string;
    /** Increments with each change. */
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
    /** True if there are more sources than are kept. Every outgoing request then counts as a transfer of the labels. */
    is_overflowing: Generated<boolean>;
    started_at: Time;
    last_used_at: Time;
    /** Name stated by the assertion; empty if it states none, * if the labels count in all contexts of the agent. */
    name: Generated<string>;
  };
  /** Increments with each change of the data that a decision about this agent reads; compared when a decision is recorded. */
  agent_epochs: {
    organization_id: string;
    agent_id: string;
    environment_id: string;
    epoch: Generated<number>;
  };
  /** Public keys by generation. Retired keys are kept to distinguish a stale assertion from a forged one; they are never reactivated. */
  agent_keys: {
    organization_id: string;
    agent_id: string;
    generation: number;
    public_key: string;
    thumbprint: string;
    created_at: TimeNow;
    retired_at: MaybeTime;
    /** The person or API key that registered the key; null for keys from before this was recorded. */
    made_by: string | null;
    /** True if the registrant had just re-authenticated (step-up). */
    made_stepped_up: Generated<boolean>;
  };
  /** Agents whose Agent2Agent card is published. */
  agent_listings: {
    organization_id: string;
    agent_id: string;
    workspace_id: string;
    environment_id: string;
    /** Name, description, version, provider and skills in the card of the agent. */
    card: Json<ListedCard>;
    published_by: string;
    published_at: Time;
  };
  /** One row per redeemed assertion. Its insertion consumes the nonce for all gateways at once. */
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
  /** An identity that authenticates with an Ed25519 key and has no other credential. */
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
    /** Increments, like an epoch, when all sessions are ended, so that no value occurs twice. A token carries the series in which it was issued. */
    session_series: Generated<number>;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Time from which the agent may not act; null for an agent without expiry. */
    expires_at: MaybeTime;
    /** SHA-256 digests in hex of the artifacts of the agent, such as its image. Evidence about an artifact names one of them. */
    artifact_digests: Generated<string[]>;
    /** True if tokens are bound to a key (DPoP) and sign-ins without a proof of possession are refused. */
    require_dpop: Generated<boolean>;
  };
  /** A bearer key with a role. Only the SHA-256 of the token is stored. */
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
    /** Workspaces that the key is limited to; null for all workspaces that its creator can see. Immutable. */
    workspace_ids: string[] | null;
    /** Networks in CIDR notation from which the key is accepted; empty allows all. */
    allowed_networks: Generated<string[]>;
    /** Source address of the last recorded use. */
    last_used_from: string | null;
    /** Hash of the token before the last rotation, which is accepted until previous_ends_at. */
    previous_token_hash: Buffer | null;
    previous_ends_at: MaybeTime;
    /** Time at which people were notified that the key is about to expire. */
    warned_at: MaybeTime;
  };
  /** Reassignments of single approvals: who votes on behalf of whom. */
  approval_handovers: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    approval_id: string;
    from_user_id: string;
    to_user_id: string;
    comment: string | null;
    handed_over_at: Time;
    /** Time at which the original approver decided because the substitute could no longer vote; null if that did not happen. */
    returned_at: MaybeTime;
  };
  /** Questions of approvers to the requester, with the answers. An answer by an agent is untrusted text. */
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
  /** One vote per person and approval; the quorum counts these rows. */
  approval_votes: {
    organization_id: string;
    approval_id: string;
    user_id: string;
    vote: 'APPROVE' | 'DENY';
    comment: string | null;
    voted_at: Time;
    wording: Generated<number>;
    /** Time at which the voter withdrew the vote; null if it was not withdrawn. */
    withdrawn_at: MaybeTime;
  };
  /** The original request and its edited versions, stored from the first edit on. */
  approval_wordings: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    approval_id: string;
    wording: number;
    parameters: Json<Record<string, unknown>>;
    amount: number | null;
    request_hash: Buffer;
    /** Null for the original request. */
    edited_by: string | null;
    edited_at: MaybeTime;
  };
  /** Permission of people for one request, bound to its hash and used at most once. */
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
    /** Number of people required of each of approver_roles, in the same order. Null in older approvals: quorum if there is one role, otherwise one of each. */
    role_quorums: number[] | null;
    /** People whose votes completed the quorum. Null until then, and in approvals from before this was recorded. */
    approved_by: string[] | null;
    /** Request that consumed the approval. Null until then, and in approvals from before this was recorded. */
    consumed_request_id: string | null;
    consumed_trace_id: string | null;
    /** Additional approvers of each of approver_roles, in the same order. Null if there are none, and in approvals from before this was recorded. */
    approver_groups: MaybeJson<ApproverGroup[]>;
    /** Time of the next escalation, which adds a role to one of its groups. Null if none remains. */
    escalates_at: MaybeTime;
    /** Time at which the approvers were reminded. Null until then. */
    reminded_at: MaybeTime;
    /** Number of the version that is voted on; 1 is the original request. */
    wording: Generated<number>;
    questions_asked: Generated<number>;
    /** Number of the unanswered question. Null if there is none. */
    open_question: number | null;
    /** The person or key that authorized the agent for the tool, or granted it the capability, at the time of the request. Null in approvals from before this was recorded. */
    authorized_by: string[] | null;
    /** Separation-of-duties rule under which it was approved. Null until then, and in approvals from before this was recorded. */
    separation: Separation | null;
    /** Time at which a use of the approval was undone because its call was never sent. The columns of the consumption then describe the first use. */
    restored_at: MaybeTime;
    /** Action of the last use after a restore. Null until then: the first use continues the held action. */
    used_by_action_id: string | null;
    /** False if the approval was withdrawn during its call: it stays CONSUMED even if the call was never sent. */
    restorable: Generated<boolean>;
    /** Labels of the context when the approval was requested; null in approvals from before labels were recorded. */
    asked_labels: string[] | null;
  };
  /** Checkpoints that are anchored at external anchors. The checkpoint itself is in audit_checkpoints. */
  audit_anchored: {
    organization_id: string;
    size: number;
    anchor: string;
    /** Line signed by a witness (C2SP tlog-cosignature); null for an anchor that signs nothing. */
    cosignature: string | null;
    anchored_at: TimeNow;
  };
  /** Progress of each log at each external anchor, and the time of the next attempt. */
  audit_anchorings: {
    organization_id: string;
    /** Kind and identity of the external anchor; each anchor has its own row. */
    anchor: string;
    /** Tree size of the last checkpoint that the anchor accepted; 0 before the first. */
    size: Generated<number>;
    anchored_at: MaybeTime;
    /** Consecutive failures, which determine the backoff. */
    failures: Generated<number>;
    failing_since: MaybeTime;
    /** Cause of the last failure; null after a success. */
    reason: string | null;
    /** Time since which the anchor knows a different tree than the stored one: the log was rolled back or rewritten. */
    conflict_since: MaybeTime;
    /** Time at which the conflict was recorded in the audit log of the organization. */
    conflict_told_at: MaybeTime;
    /** Earliest time of the next attempt. While an attempt is running: the end of its lease, after which another worker may retry. */
    next_at: Time;
  };
  /** Past checkpoints, one for every few minutes in which events were sealed. */
  audit_checkpoints: {
    organization_id: string;
    size: number;
    root_hash: Buffer;
    note: string;
    created_at: TimeNow;
  };
  /** Audit events, each written in the transaction of its change. No role of the service may update or delete a row. */
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
    /** Id of the transaction that wrote the event on this database server; 0 for events from before the server counted. */
    transaction_id: SetByDatabase<string>;
    /** Leaf hash as computed by the writer of the event; null if the sealer computes it. */
    leaf_hash: Buffer | null;
    /** HMAC-SHA256 of the writer, truncated to 128 bits; null for events from before MACs existed. */
    mac: Buffer | null;
  };
  /** Position of each sealed event in the Merkle tree of its organization, with the hash of its content when it was sealed. */
  audit_leaves: {
    organization_id: string;
    /** Zero-based and without gaps; published as sequence. */
    leaf_index: number;
    event_id: string;
    /** SHA-256 of a zero byte and the canonical JSON (RFC 8785) of the published event without its sequence. */
    leaf_hash: Buffer;
  };
  /** Monthly partitions of events that are examined for retention: dropped once every event in them has expired. */
  audit_partition_checks: {
    called: string;
    as_of: string;
    after_organization: Generated<string>;
    after_id: Generated<string>;
    is_whole: Generated<boolean>;
    is_mixed: Generated<boolean>;
  };
  /** Events that the sealer skipped because the service did not write them: their MAC is missing or invalid. */
  audit_rejected_events: {
    organization_id: string;
    event_id: string;
    rejected_at: TimeNow;
  };
  /** Number of rejected events of each organization, and the number that its log reports. */
  audit_rejections: {
    organization_id: string;
    rejected: Generated<number>;
    reported: Generated<number>;
    reported_at: MaybeTime;
    /** Number of events from before MACs existed that were unsealed at the migration and were authenticated then. */
    adopted: Generated<number>;
    adopted_reported: Generated<boolean>;
  };
  /** Retention of each organization in days, and the leaf of its log up to which events were removed. */
  audit_retention: {
    organization_id: string;
    /** At least half a year; null keeps events forever. */
    keep_days: number | null;
    changed_at: TimeNow;
    /** Events of leaves below this index may be missing: a signed event in the log announces their removal. */
    announced_leaves: Generated<number>;
    /** Transaction of that event. */
    announced_in: string | null;
    /** Events of leaves below this index have been removed. */
    removed_leaves: Generated<number>;
  };
  /** Lease on the next segment of each organization to index. The existing segments show what is already indexed. */
  audit_search_marks: {
    organization_id: string;
    leaves: Generated<number>;
    /** End of the lease of the worker that indexes the next segment. */
    leased_until: TimeNow;
  };
  /** Bloom-filter signatures of 64 chunks of 128 leaves each. A search reads only chunks that may contain matches. */
  audit_search_segments: {
    organization_id: string;
    /** Zero-based number: the segment starts at leaf segment * 8192. */
    segment: number;
    first_id: string;
    /** Highest event id in the segment; empty if all of its events were removed. */
    last_id: string;
    /** Lowest event id of each chunk. */
    first_ids: string[];
    last_ids: string[];
    /** Chunks with too many terms for a signature, which every search reads. */
    full_chunks: string;
    /** Number of blocks in bits. */
    blocks: number;
    /** Bloom filters in blocks of 128 rows; each row holds one bit of every chunk. */
    bits: Buffer;
  };
  /** Saved searches of the audit log. */
  audit_searches: {
    organization_id: string;
    id: string;
    owner_type: PrincipalType;
    owner_id: string;
    name: string;
    /** Query parameters of the search, without the page. */
    filter: Json<Record<string, string>>;
    /** True if visible to all who may read the audit log of the whole organization. */
    shared: boolean;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Tiles of the tree above its leaves, numbered as in C2SP tlog-tiles; the last tile of each level is partial. */
  audit_tiles: {
    organization_id: string;
    level: number;
    tile: number;
    /** Up to 256 concatenated hashes of 32 bytes. */
    hashes: Buffer;
  };
  /** Size of the sealed log of each organization, with its newest signed checkpoint. */
  audit_trees: {
    organization_id: string;
    size: number;
    root_hash: Buffer;
    /** Hashes of the complete subtrees (the right edge), largest first, from which the tree grows. */
    edge: Buffer;
    /** Signed note (C2SP tlog-checkpoint). */
    checkpoint: string;
    sealed_at: TimeNow;
    /** Time since which sealing is suspended because the stored tree differs from the signed one; null while sealing works. */
    held_since: MaybeTime;
    /** Time at which the suspension was recorded in the audit log; null if it was not, or if sealing works. */
    held_told_at: MaybeTime;
    /** How the operator resumed sealing, until this is recorded in the audit log. */
    lifted: MaybeJson<Record<string, unknown>>;
  };
  /** Destinations that an emergency control blocks for the whole organization. */
  blocked_destinations: {
    organization_id: string;
    id: string;
    /** The destination in canonical form: a host, *.host or a network, with an optional port. */
    pattern: string;
    kind: 'HOST' | 'SUBDOMAINS' | 'NETWORK';
    /** The normalized host, the parent of the blocked host names, or the network in CIDR notation. */
    host: string;
    /** Null blocks all ports. */
    port: number | null;
    reason: string;
    incident_id: string | null;
    created_by: string;
    created_at: Time;
    /** Time at which the block ends; null for a block that a person must lift. */
    expires_at: MaybeTime;
  };
  /** Emergency access of people: requested, granted and ended. */
  break_glass_grants: {
    organization_id: string;
    id: string;
    user_id: string;
    /** The only session that has the permissions. */
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
    /** Reviewer of a grant that was taken without a second person. */
    reviewed_by: string | null;
    reviewed_at: MaybeTime;
    /** True for a drill, which gives no permission. */
    drill: Generated<boolean>;
  };
  /** Emergency access rule of an organization. Without a row, a second person must approve. */
  break_glass_settings: {
    organization_id: string;
    mode: string;
    updated_by: string;
    updated_at: Time;
  };
  /** Queue of messages to notification channels. */
  channel_messages: {
    organization_id: string;
    id: string;
    channel_id: string;
    /** The kind of notification; null for a test. */
    kind: NotificationKind | null;
    /** Subject of the message; null for a test, and for a message that only counts further notifications of its kind. */
    subject_id: string | null;
    /** Names and numbers used in the sentence of the message. */
    facts: JsonOrDefault<unknown>;
    /** Number of notifications that the message stands for: above one if too many were already waiting. */
    gathered: Generated<number>;
    /** Address of the page that shows the subject. */
    link: string;
    created_at: TimeNow;
    /** Workspace of the subject; null for the whole organization, and for a test. */
    workspace_id: string | null;
    /** Environment of the subject. Subjects in other environments of the workspace get their own message. */
    environment_id: string | null;
  };
  /** Decisions of people on terminal requests, in the organization of the deciding session. */
  cli_decisions: {
    organization_id: string;
    request_id: string;
    user_id: string;
    session_id: string;
    is_approved: boolean;
    code_hash: Buffer | null;
    decided_at: Time;
    redeemed_at: MaybeTime;
    /** Session issued to the terminal; null until it is redeemed. */
    issued_session_id: string | null;
  };
  /** Requests of terminals to be authorized by a person in a browser. Only the keyed hash of the comparison code is stored. */
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
    /** Earliest time of the next poll. A terminal that polls too early must wait longer each time. */
    poll_after: Time;
    poll_seconds: number;
  };
  /** Number of requests to hosted code assist per organization and hour. */
  code_assist_uses: {
    organization_id: string;
    hour: Time;
    requests: number;
  };
  /** States of compliance controls when a job last evaluated the organization. */
  compliance_judgements: {
    organization_id: string;
    /** State of each control, by name, and the time since which it has it. Empty before the first evaluation. */
    states: JsonOrDefault<Record<string, { state: ControlState; since: string }>>;
    judged_at: Time;
  };
  /** Time up to which decisions have been aggregated into agent_conduct. */
  conduct_progress: {
    only_one: Generated<boolean>;
    folded_through: Time;
  };
  /** Single uses of a counter with a sliding window. */
  counter_uses: {
    organization_id: string;
    counter: string;
    /** Running total of the counter including this use, so that one row shows whether enough uses have left the window. */
    total: string;
    amount: string;
    used_at: Time;
    kept_until: Time;
    /** Action of the use. Null for uses from before this was recorded. */
    action_id: string | null;
  };
  /** Lifetime totals of limits and ceilings. A decision that consumes from a counter locks its row until it is recorded. */
  counters: {
    organization_id: string;
    counter: string;
    total: Generated<string>;
    last_used_at: TimeNow;
  };
  /** Records whose rows are covered by digests in events. A record from before digests is added at its next change. */
  covered_records: {
    organization_id: string;
    record_type: string;
    record_id: string;
    /** Part of the digested document, so that the digest reveals nothing of the values. */
    salt: Generated<Buffer>;
    /** Number of changes of the record. It orders its events, which may be sealed in a different order. */
    revision: Generated<number>;
    /** The newest event that covers the record. */
    event_id: string;
  };
  /** Pending OAuth connections in browsers. Each is used once, by the browser and session that started it. */
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
  /** Times of credential tests, for the rate limit; pruned by the next test of the organization. */
  credential_tests: {
    organization_id: string;
    lease_id: string;
    credential_id: string;
    began_at: Time;
  };
  /** Refresh and access tokens of credentials. The worker that refreshes a token holds a lease on the row, and no database connection meanwhile. */
  credential_tokens: {
    organization_id: string;
    credential_id: string;
    workspace_id: string;
    environment_id: string;
    state: OauthState;
    /** Increments whenever tokens are stored. Together with the lease it decides who may store tokens; tokens are sealed for one version. */
    version: Generated<number>;
    sealed_refresh_token: Buffer | null;
    sealed_access_token: Buffer | null;
    access_ends_at: MaybeTime;
    granted_scope: string | null;
    connected_by: string | null;
    connected_at: MaybeTime;
    refreshed_at: MaybeTime;
    /** Lease of the process that is calling the token endpoint, until leased_until. */
    lease_id: string | null;
    leased_until: MaybeTime;
    /** Start of the last refresh. */
    lease_began_at: MaybeTime;
    /** Consecutive failed refreshes. */
    failures: Generated<number>;
    /** Code of the cause of the last failure. */
    failure: string | null;
    retry_at: MaybeTime;
    /** The previous access token, masked in responses until previous_access_ends_at; sealed for previous_access_version. */
    sealed_previous_access_token: Buffer | null;
    previous_access_version: number | null;
    previous_access_ends_at: MaybeTime;
  };
  /** Secrets that the gateway sends to services, limited to named destinations and tools. */
  credentials: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    description: string;
    scheme: CredentialScheme;
    /** Position of the secret in a request; its members depend on the scheme. */
    placement: Json<Placement>;
    destinations: string[];
    /** Names of the tools that may use the credential. */
    tools: string[];
    status: Generated<'ACTIVE' | 'REVOKED'>;
    revoked_reason: string | null;
    /** Increments with each rotation. */
    generation: Generated<number>;
    /** Secret sealed under the data key of the organization, bound to the row, the generation and the permitted uses. The secrets of extras are sealed with it. */
    sealed_secret: Buffer | null;
    /** The secret before the last rotation, valid until previous_ends_at. */
    sealed_previous_secret: Buffer | null;
    previous_ends_at: MaybeTime;
    rotated_at: MaybeTime;
    created_by: string;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Token endpoint, client and scope if access tokens are sent; null if the secret itself is sent. The sealed secret then authenticates the client. */
    oauth: MaybeJson<StoredOauth>;
    /** Positions of the additional secrets in a request, in the order in which they are sealed. */
    extras: JsonOrDefault<CredentialExtra[]>;
    /** Slugs of the MCP servers whose tools may use the credential. */
    servers: Generated<string[]>;
  };
  /** Data keys under which the secrets of organizations are sealed. */
  data_keys: {
    organization_id: string;
    /** The data key, wrapped under a key that is derived from the master key for this organization. */
    wrapped_key: Buffer;
    created_at: TimeNow;
  };
  /** Authority delegated to an agent. A link can only narrow authority; null in a bound means no limit. */
  delegations: {
    organization_id: string;
    id: string;
    parent_id: string | null;
    /** Ids from the root to this delegation, joined by /. The subtree of a row is the range from its path to its path followed by 0, the character after /. */
    path: SetByDatabase<string>;
    depth: SetByDatabase<number>;
    delegator_user_id: string | null;
    delegator_agent_id: string | null;
    delegate_agent_id: string;
    /** Workspaces of all agents in the chain, so that a member who can read a link can read its whole subtree. */
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
    /** Increments with each change. */
    version: Generated<number>;
    created_by_type: PrincipalType;
    created_by_id: string;
    created_at: Time;
    updated_at: Time;
    ended_at: MaybeTime;
    ended_reason: string | null;
    /** True if it ended and descendants may still be marked as active. Those are without effect: a chain is valid only while every link is. */
    ends_below: Generated<boolean>;
    /** Authority of the person at the root: HELD if they could delegate now, LACKED while they could not, GONE if they left, which is permanent. */
    backing: Generated<DelegationBacking>;
    /** Flow context of the session in which the agent delegated; empty if it named none, null if it is unknown. */
    context_name: string | null;
  };
  /** Number of deleted rows of an organization by table, and the proof that none is left. Kept after the deletion for the operator. */
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
  /** Sign-ins that wait for approval by another session of the same person. */
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
    /** The session in which it was decided. */
    decided_in: string | null;
    is_approved: Generated<boolean>;
  };
  /** Digests of used DPoP proofs (replay protection), kept until the proofs have expired. */
  dpop_proofs: {
    organization_id: string;
    proof_hash: string;
    expires_at: Time;
  };
  /** Executions and drills of emergency controls. */
  emergency_executions: {
    organization_id: string;
    id: string;
    workspace_id: string | null;
    environment_id: string | null;
    control: EmergencyControl;
    target_type: EmergencyTargetType;
    target_id: string;
    target_name: string;
    /** Number of affected items that the person confirmed. */
    confirmed: number;
    /** Number of affected items at the time of the change. */
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
  /** Single sessions that were ended before they expired. Ending all sessions increments agents.session_series instead. */
  ended_agent_sessions: {
    organization_id: string;
    agent_id: string;
    session_id: string;
    expires_at: Time;
  };
  /** Sign-ins ended by a user from one of their sessions; all sessions of the sign-in are invalid. */
  ended_sign_ins: {
    organization_id: string;
    session_id: string;
    sign_in_id: string;
    ended_at: TimeNow;
    /** True if the terminal sessions that the sign-in approved were ended too. */
    with_terminals: Generated<boolean>;
  };
  /** Increments with each change of the data that a decision in the environment reads; compared when a decision is recorded. Row-level security does not narrow it by workspace, so that callers with limited access can still increment it. */
  environment_epochs: {
    organization_id: string;
    environment_id: string;
    workspace_id: string;
    epoch: Generated<number>;
  };
  /** Environments in which agents act, each with its enforcement mode. */
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
    /** True if agents may act here only under a delegation. */
    requires_delegation: Generated<boolean>;
    archived_at: MaybeTime;
    /** Rule for whether people behind an agent may approve its requests for high-risk tools if no one else can. */
    separation: Generated<Separation>;
    /** Trust evidence that every action in the environment requires; null if none. */
    requires_trust: MaybeJson<TrustRequirement>;
  };
  /** Result of the last automatic fetch of exchange rates. The process that updates attempted_at performs the fetch. */
  exchange_rate_refreshes: {
    organization_id: string;
    base_currency: string;
    attempted_at: Time;
    succeeded_at: MaybeTime;
    failure: string | null;
  };
  /** All exchange rates ever set; rows are immutable. A deleted rate is out of force and is kept to explain the decisions that used it. */
  exchange_rates: {
    organization_id: string;
    id: string;
    base_currency: string;
    quote_currency: string;
    /** Decimal as text, to avoid floating-point errors: units of the quote currency for one of the base currency. */
    rate: string;
    source: RateSource;
    effective_at: Time;
    created_at: Time;
    created_by: string;
    deleted_at: MaybeTime;
  };
  /** Position of each feed consumer, and the time since which it has been failing. */
  feed_positions: {
    consumer: string;
    transaction_id: string;
    id: string;
    /** Consecutive failures since the last processed batch. */
    failures: Generated<number>;
    /** Earliest time of the next attempt; null for no delay. */
    retry_at: MaybeTime;
    updated_at: TimeNow;
    /** Time of the first failure since the last processed batch; null while the consumer works. */
    failing_since: MaybeTime;
  };
  /** First response to each Idempotency-Key, written in the transaction of the change. */
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
  /** Tools created from imported documents, with their declaration in the document at that time. */
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
    /** Events with the same key are merged into one entry with a count. */
    fold_key: string | null;
    /** The first event of the entry. */
    event_id: string | null;
    pinned: Generated<boolean>;
    count: Generated<number>;
    last_at: Time;
    data: JsonOrDefault<Record<string, unknown>>;
  };
  /** Matches of rules that no job has added to an incident yet. */
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
  /** Times of the newest matches of rules with a threshold, at most as many as the threshold. */
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
    /** Grouping key of matches: at most one incident is open for each value. */
    key: string;
    count: number;
    within_seconds: number;
    severity: string;
    /** PAUSE_AGENT pauses the agent that matched. */
    contain: string | null;
    reopen_minutes: number;
    enabled: Generated<boolean>;
    created_by: string;
    created_at: Time;
    updated_by: string;
    updated_at: Time;
  };
  /** Ids whose events are added to the timeline of an open incident. */
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
    /** Type and id of the agents, tools, environments and other subjects of the incident. */
    subjects: JsonOrDefault<IncidentSubject[]>;
    owner_id: string | null;
    drill: Generated<boolean>;
    opened_by_type: PrincipalType;
    opened_by_id: string;
    /** The rule that opened the incident; null if a person opened it. */
    rule_id: string | null;
    /** The agent, tool or environment that matched the rule. */
    rule_key: string | null;
    /** Number of matches of the rule. */
    matches: Generated<number>;
    resolution: IncidentResolution | null;
    duplicate_of: string | null;
    summary: string | null;
    /** Containment steps that remain in force after the incident was resolved. */
    left_in_force: Generated<string[]>;
    /** Time of the first action by a person. */
    acknowledged_at: MaybeTime;
    contained_at: MaybeTime;
    resolved_at: MaybeTime;
    closed_at: MaybeTime;
    /** Report at the time the incident was closed. */
    report: MaybeJson<Record<string, unknown>>;
    created_at: Time;
    updated_at: Time;
    /** Time at which the rule paused the agent; null if it did not. */
    agent_paused_at: MaybeTime;
  };
  /** Single row: the id that the names of the database roles are derived from, and the check value of the master key. */
  installation: {
    id: string;
    key_check: string;
    created_at: TimeNow;
    /** Time since which data files may contain values that a former master key can decrypt; null after the tables were rewritten. */
    former_since: MaybeTime;
  };
  /** The installation key, wrapped under each master key, and all master keys there have been. */
  installation_keys: {
    /** Fingerprint of the master key. It reveals nothing about the key. */
    id: string;
    /** KEY: wrapped in this process under a master key that it has. COMMAND: wrapped by an external command. */
    kind: string;
    /** The wrapped key; null after the master key was retired. */
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
    /** Prefix of the names of its tools, and source of its imports. */
    source: string;
    entry_version: number;
    /** Entered values that are not secret, such as a host. */
    values: Json<Readonly<Record<string, string>>>;
    credential_id: string;
    /** The latest import from which its tools were created; null if the import was deleted. */
    import_id: string | null;
    status: Generated<IntegrationStatus>;
    created_by: string;
    created_at: Time;
    updated_at: Time;
  };
  /** Invitations of people to an organization, each with a role. */
  invitations: {
    organization_id: string;
    id: string;
    email: string;
    role_id: string;
    /** Workspaces that the member will be limited to; null for the whole organization. */
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
    /** True until a person confirms an invitation created by an API key. No code is mailed before that. */
    awaits_confirmation: Generated<boolean>;
  };
  /** Labels of data that agents stored under a key of a store. */
  kept_labels: {
    organization_id: string;
    environment_id: string;
    workspace_id: string;
    /** Keyed hash of the key; * for data stored under no readable key, or beyond the maximum number of keys. */
    key_mark: string;
    labels: Generated<string[]>;
    /** Tool, host, readers (hashes) and action of each label, at most 32. */
    sources: JsonOrDefault<unknown>;
    /** True if there are more sources than are kept. Every outgoing request then counts as a transfer of the labels. */
    is_overflowing: Generated<boolean>;
    stored_at: Time;
  };
  /** Mail queue (transactional outbox), with the results of recent mails. */
  mails: {
    /** Organization of the sender. Mails without one, such as those of a sign-up, belong to a reserved organization. */
    organization_id: string;
    id: string;
    template: string;
    /** Recipient and values of the template; null when no longer needed. */
    sealed: Buffer | null;
    /** Keyed hash of the address. */
    recipient_key: string;
    /** Fair-queue key of the sender: an organization, or the source address of an unauthenticated client. */
    sender_key: string;
    /** Rate limit: number of mails of this template to one recipient within an hour. */
    per_hour_max: number;
    /** WAITING, SENT or GIVEN_UP. */
    state: Generated<'WAITING' | 'SENT' | 'GIVEN_UP'>;
    attempts: Generated<number>;
    failure: string | null;
    created_at: TimeNow;
    expires_at: Time;
    /** Time of the next attempt. A worker that starts an attempt moves it by its lease, so that no other worker sends the mail at the same time. */
    due_at: TimeNow;
    /** Time of the first attempt, from which it counts against the rate limits of its recipient and its sender. */
    started_at: MaybeTime;
    ended_at: MaybeTime;
  };
  /** The newest distinct tool listings of each server. */
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
  /** MCP servers whose tools agents can call through the gateway. */
  mcp_servers: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    name: string;
    /** Derived from the name and immutable. Prefix of the names of its tools. */
    slug: string;
    /** Connection to the server: {type: HTTP, url} or {type: STDIO, command, args, package, integrity}. */
    transport: Json<McpTransport>;
    credential_id: string | null;
    capability_prefix: string;
    settings: JsonOrDefault<McpSettings>;
    status: Generated<McpServerStatus>;
    status_reason: string | null;
    /** Protocol generation of the newest listing: MODERN has no sessions. */
    era: McpEra | null;
    protocol_version: string | null;
    server_info: MaybeJson<Record<string, unknown>>;
    instructions: string | null;
    /** SHA-256 in hex of the name, capabilities and instructions in the newest listing. */
    server_pin: string | null;
    /** The pin that a person accepted. Clients get only the accepted instructions. */
    accepted_server_pin: string | null;
    accepted_instructions: string | null;
    /** Hash of the newest listing, which is in mcp_listings. */
    listing_hash: string | null;
    /** Time of the last complete listing. Gateways refuse calls if it is too old. */
    listing_checked_at: MaybeTime;
    /** Time of the next listing. */
    listing_due_at: TimeNow;
    /** Consecutive failed listings, which determine the backoff. */
    listing_failures: Generated<number>;
    /** Cause of the last failed listing; null if it succeeded. */
    listing_failure: MaybeJson<McpListingFailure>;
    created_by: string;
    created_at: Time;
    updated_at: Time;
  };
  /** Tools offered by MCP servers, each with its authorized definition. */
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
    /** SHA-256 in hex of the definition in canonical form. */
    pin: string;
    /** The definition that a person authorized, which clients get. */
    authorized_definition: string | null;
    authorized_pin: string | null;
    status: Generated<McpToolStatus>;
    /** The governed tool; null until the tool is first authorized. */
    tool_id: string | null;
    /** Findings in the definition: kind, severity, position and explanation. */
    findings: JsonOrDefault<McpFinding[]>;
    first_seen_at: Time;
    last_seen_at: Time;
    authorized_by: string | null;
    authorized_at: MaybeTime;
    disabled_reason: string | null;
    /** Kind of offer of the server: a tool, a resource, a template of resources, or a prompt. */
    kind: Generated<McpOfferKind>;
  };
  /** Workspaces that a limited member can see. */
  member_workspaces: {
    organization_id: string;
    member_id: string;
    workspace_id: string;
    created_at: TimeNow;
  };
  /** Membership of a person in an organization, with the role. */
  members: {
    organization_id: string;
    id: string;
    user_id: string;
    role_id: string;
    created_at: TimeNow;
    /** True if the member sees only the workspaces in member_workspaces; otherwise the whole organization. */
    is_limited: Generated<boolean>;
    /** Increments when all sessions of the member in this organization are ended. */
    session_epoch: Generated<number>;
    /** The member can switch into the organization only from a sign-in after this time; null for no limit. */
    sign_ins_since: MaybeTime;
    /** A password that was set before this time gives no access to the organization; null for no limit. */
    password_since: MaybeTime;
    /** SSO or SCIM if the identity provider or directory of the organization provisioned the person; null otherwise. */
    provisioned_by: 'SSO' | 'SCIM' | null;
  };
  /** Sign-ins that wait for their second factor. Only the SHA-256 of the token is stored. */
  mfa_challenges: {
    organization_id: string;
    session_id: string;
    user_id: string;
    token_hash: Buffer;
    proofs: Proof[];
    /** Network of the first factor; the second factor must come from the same network. */
    source: string;
    failures: Generated<number>;
    created_at: TimeNow;
    expires_at: Time;
    used_at: MaybeTime;
    /** Value for sessions.epoch of the resulting session, which is invalid if the password was changed in the meantime. */
    epoch: Generated<number>;
  };
  /** Queue of notifications whose recipients are not determined yet. Kept for some time afterwards for deduplication. */
  notices: {
    organization_id: string;
    kind: NotificationKind;
    /** Deduplication key: an event, a day of a subject, or the end of a subject. */
    about: string;
    subject_type: AuditSubject;
    subject_id: string;
    workspace_id: string | null;
    environment_id: string | null;
    event_id: string | null;
    facts: JsonOrDefault<Record<string, string>>;
    created_at: TimeNow;
    /** Time at which the recipients were notified. */
    done_at: MaybeTime;
    kept_until: Time;
  };
  /** Chat channels that receive notifications, with the kinds they receive. */
  notification_channels: {
    organization_id: string;
    id: string;
    name: string;
    kind: Generated<ChannelKind>;
    /** Displayed address: the host, and the last characters of the URL. */
    address: string;
    /** Incoming webhook URL, sealed under the data key of the organization for this row. */
    sealed_url: Buffer;
    /** Kinds of notifications that the channel receives. */
    notices: NotificationKind[];
    /** Limits the channel to notifications of this workspace; null for the whole organization. */
    workspace_id: string | null;
    environment_id: string | null;
    status: Generated<'ACTIVE' | 'DISABLED'>;
    disabled_reason: ChannelDisabledReason | null;
    vouched_by_type: PrincipalType;
    /** Person or key that created, re-enabled or last configured the channel. Only notifications that this person or key may read at the time are posted. */
    vouched_by: string;
    created_by: string;
    /** Consecutive failed posts, which determine the backoff. */
    failures: Generated<number>;
    /** Number of the latest consecutive failures in which the receiver answered that it is gone. */
    gone_answers: Generated<number>;
    failing_since: MaybeTime;
    last_error: string | null;
    last_sent_at: MaybeTime;
    /** Earliest time of the next post. */
    due_at: TimeNow;
    /** Random id of the lease under which a worker posts, until leased_until; each lease has a new one. */
    leased_by: string | null;
    leased_until: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Notification preferences of each person. */
  notification_preferences: {
    user_id: string;
    /** Chosen preferences; the others have their defaults. */
    preferences: JsonOrDefault<ChosenPreferences>;
    hour_began_at: MaybeTime;
    /** Number of notification mails since hour_began_at, from all organizations. */
    mails_in_hour: Generated<number>;
    last_mail_at: MaybeTime;
    updated_at: TimeNow;
  };
  /** Notifications of each person. */
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
    /** Names and numbers used in the sentence of the notification. */
    facts: JsonOrDefault<Record<string, string>>;
    /** Number of notifications that it stands for; 0 if it is about one subject. */
    gathered: Generated<number>;
    /** Number of these that were mailed. */
    gathered_mailed: Generated<number>;
    in_inbox: Generated<boolean>;
    /** Time at which it is mailed; null if it is not to be mailed or was mailed. */
    mail_due_at: MaybeTime;
    read_at: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Progress of a person in the setup assistant of an organization. */
  onboardings: {
    organization_id: string;
    user_id: string;
    /** Answers by step; unanswered steps are absent. */
    answers: JsonOrDefault<Record<string, { answered_at: string; answers: Record<string, unknown> }>>;
    /** Environment that the chosen mode was applied to; null if none was named. */
    environment_id: string | null;
    completed_at: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Tenants. The key of every other tenant row includes its organization. */
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
    /** LAPSED refuses requests that create resources; decisions and stops do not depend on it. */
    subscription: Generated<Subscription>;
  };
  /** Signed statements about the identity of an agent, with a new version at each change of the stated facts. */
  passports: {
    organization_id: string;
    id: string;
    agent_id: string;
    version: number;
    token: string;
    issued_at: Time;
    expires_at: Time;
    /** True if the end of the version is still to be recorded: no other version replaced it. */
    end_pending: Generated<boolean>;
  };
  /** Codes that allow an address to set a new password, by keyed hash of the address, with or without an account. Only a keyed hash of the code is stored. */
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
  /** Ed25519 keys with which the service signs agent tokens and passports; the private part is sealed under the master key. */
  platform_keys: {
    key_id: string;
    public_key: string;
    private_key_sealed: Buffer;
    created_at: TimeNow;
    retired_at: MaybeTime;
  };
  /** Named sets of rules with versions; the active version is in force. */
  policies: {
    organization_id: string;
    id: string;
    name: string;
    description: Generated<string>;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Time since which a policy that was in force is suspended. */
    suspended_at: MaybeTime;
    /** Time of deletion. The row is kept because recorded actions refer to it; it cannot be read, bound or restored. */
    deleted_at: MaybeTime;
  };
  /** Scopes in which policies are in force. */
  policy_bindings: {
    organization_id: string;
    id: string;
    policy_id: string;
    scope: PolicyScope;
    target_id: string;
    created_at: TimeNow;
  };
  /** Proved invariants of all decisions. A change of the policies in force that violates one is rejected at commit. */
  policy_invariants: {
    organization_id: string;
    id: string;
    name: string;
    description: Generated<string>;
    /** A condition of the policy language; null for all requests. */
    condition: MaybeJson<Record<string, unknown>>;
    if_missing: 'match' | null;
    at_least: Effect | null;
    at_most: Effect | null;
    currency: string;
    /** Scope of the invariant: the workspace, or with environment_id one of its environments; null for the whole organization. */
    workspace_id: string | null;
    environment_id: string | null;
    created_by: string;
    created_at: TimeNow;
  };
  /** Rules and tests of one version; immutable once it has been active. */
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
    /** Currency of the amounts in the version. */
    currency: Generated<string>;
  };
  /** Single-use codes that replace a second factor. Only a keyed hash is stored. */
  recovery_codes: {
    user_id: string;
    code_hash: Buffer;
    created_at: TimeNow;
    used_at: MaybeTime;
    /** Like second_factors.vouched_by, for the session in which the codes were created. */
    vouched_by: string | null;
  };
  /** Findings of risk signals: one open row with a count per agent, signal and subject. */
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
  /** Exceptions from risk signals for one agent and subject, until a given time. */
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
    /** Only the settings that were chosen. */
    settings: Json<ChosenRiskSettings>;
    updated_at: Time;
    updated_by: string;
    /** Number of changes. An update can state the version that it is based on (optimistic concurrency). */
    version: Generated<number>;
  };
  /** Sets of permissions. Roles without organization_id are built in. */
  roles: {
    id: string;
    organization_id: string | null;
    name: string;
    description: Generated<string>;
    permissions: string[];
    /** True if API keys may have the role; that of an owner is for people only. */
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
  /** Test workflows. The row is stored before the workflow is created, so that the workflow is always removed. */
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
  /** Observations of verification runs. Immutable. */
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
  /** Ways to bypass the service that verification runs found. */
  runtime_findings: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    /** SHA-256 over the kind, workflow, node and subject, by which later runs recognize the finding. */
    fingerprint: string;
    kind: FindingKind;
    severity: FindingSeverity;
    status: Generated<FindingStatus>;
    dormant: Generated<boolean>;
    contained_by: EvidenceName | null;
    workflow: MaybeJson<{ id: string; name: string }>;
    node: MaybeJson<{ id: string; name: string; type: string }>;
    evidence: JsonOrDefault<Record<string, unknown>>;
    /** Hash that an acceptance is bound to; a different hash ends the acceptance. */
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
    /** SHA-256 of the running hook file. */
    hook_sha256: string;
    /** SHA-256 of the value of each setting of the bundle; null for an unset one. */
    levers: Json<Readonly<Record<string, string | null>>>;
    /** Result of the last connection attempt of the process to an address that its network must not reach. */
    probe: MaybeJson<{ target: string; result: string; at: string }>;
    /** SHA-256 over the files of the governed node that are installed; null if it is not. */
    node_sha256: string | null;
    /** The nonce that the next heartbeat of the process answers. */
    nonce: string | null;
    /** The nonce before, for a process that did not receive the last answer. */
    previous_nonce: string | null;
    /** True if the heartbeat answered a nonce with the content of the hook file; null for the first one of a process. */
    proven: boolean | null;
  };
  /** Requests refused by hook files, one row per workflow and hour, so that one event is written for them. */
  runtime_hook_refusals: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    runtime_id: string;
    subject: string;
    hour: Time;
  };
  /** Configurations reported by clients, platforms and programs, reduced to names, hosts, commands and hashes. */
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
  /** Inventories of workflows at their last inspection. The workflow itself is not stored. */
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
    /** Evidence from before this time does not count, such as that of a previous address. */
    evidence_since: Time;
    enforcement: Generated<EnforcementStatus>;
    enforcement_reasons: JsonOrDefault<EnforcementReason[]>;
    /** The current status and the statuses it falls to without new evidence: {from, status}. Readers use the entry of the current time. */
    enforcement_forecast: JsonOrDefault<EnforcementForecast>;
    assessed_at: MaybeTime;
    /** Time at which the status next falls; a job then writes the assessment and the event. */
    falls_at: MaybeTime;
    next_verification_at: MaybeTime;
    /** The last PAUSE, DISABLE or RECOVER, and its result at the instance. */
    operated: MaybeJson<Operated>;
    /** Time at which the instance is next requested to apply it, or checked for whether it still applies it. */
    operate_due_at: MaybeTime;
    created_by: string;
    created_at: Time;
    updated_at: Time;
    /** Observations from heartbeats when the status was last computed. Verification runs store them as evidence. */
    hook_observations: JsonOrDefault<{ at: string; name: EvidenceName; holds: boolean | null; source: string; detail: string }[]>;
  };
  schema_migrations: {
    name: string;
    checksum: string;
    applied_at: TimeNow;
  };
  /** Members of directory groups. */
  scim_group_members: {
    organization_id: string;
    group_id: string;
    member_id: string;
  };
  /** Groups of a directory. The role of each group is in scim_settings. */
  scim_groups: {
    organization_id: string;
    id: string;
    display_name: string;
    external_id: string | null;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Provisioning settings of a directory. Only the SHA-256 of its token is stored. */
  scim_settings: {
    organization_id: string;
    token_hash: Buffer | null;
    token_created_at: MaybeTime;
    default_role_id: string;
    group_roles: JsonOrDefault<readonly { readonly group: string; readonly role_id: string }[]>;
    updated_at: TimeNow;
    /** Creator of the token. The token becomes invalid when the creator leaves or may no longer create one. */
    token_created_by: string | null;
  };
  /** Directory attributes of people. The id is that of the membership; the person is active while the membership exists. */
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
    /** True if the directory created the account. Also kept for deleted people, in case they return. */
    made_user: boolean;
    deleted_at: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
  };
  /** Second factors of people: generators of one-time codes (TOTP, RFC 6238) and passkeys (WebAuthn). */
  second_factors: {
    user_id: string;
    id: string;
    kind: FactorKind;
    name: string;
    created_at: TimeNow;
    /** Time of the first correct code; the factor is invalid until then. */
    confirmed_at: MaybeTime;
    last_used_at: MaybeTime;
    /** The session that enrolled the factor, and the only one that can confirm it. */
    enrolled_in: string;
    /** Secret of a code generator, sealed under the master key for this person and row. */
    sealed_secret: Buffer | null;
    /** Time step of the last accepted code; codes of this step and earlier ones are rejected (replay protection). */
    last_step: number | null;
    credential_id: Buffer | null;
    public_key: Buffer | null;
    /** Last signature counter of the passkey; zero if it has none. */
    sign_count: number | null;
    transports: string[] | null;
    /** Organization whose identity provider vouched for the enrolling session. The factor counts in this organization only; null if it counts in all. */
    vouched_by: string | null;
  };
  /** Sessions of signed-in people. Only the SHA-256 of the token is stored. */
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
    /** Failed step-up attempts since the last success. */
    step_up_failures: Generated<number>;
    /** First session of the sign-in; null if it is this session. */
    sign_in_id: string | null;
    /** Sum of the epochs of the person and the member at authentication; the session is valid while the sum is the same. */
    epoch: Generated<number>;
    /** Source address of the last recorded use. */
    last_used_from: string | null;
    /** Authentication methods of the session (RFC 8176), with the values of the contract. */
    amr: Generated<Proof[]>;
    /** Sign-in that approved this terminal session; null for all other sessions. */
    approved_by_sign_in_id: string | null;
    /** Authentication methods in amr that count in this organization only, because its identity provider vouched for them. */
    vouched_amr: Generated<Proof[]>;
    step_up_requested_at: MaybeTime;
    /** Source address of the pending step-up request. */
    step_up_requested_from: string | null;
    /** Random value from which the code of the pending step-up request derives; null without one. */
    step_up_request: string | null;
  };
  /** One-time link that the first start prints; invalid once an organization exists. */
  setup_links: {
    token_hash: Buffer;
    created_at: TimeNow;
    used_at: MaybeTime;
  };
  /** Failed sign-in attempts per account and per source address, which determine the lockout. */
  sign_in_failures: {
    key: string;
    failures: number;
    first_failed_at: Time;
    locked_until: MaybeTime;
  };
  /** Sign-ups whose address is not verified yet. */
  sign_ups: {
    id: string;
    /** Keyed hash of the address. */
    email_key: string;
    /** Name, organization, address and password hash. */
    sealed: Buffer;
    /** Keyed hash of the code. */
    code_hash: Buffer;
    /** Number of codes that were compared with it. */
    attempts: Generated<number>;
    /** True if a sign-up of the same address with another password was started: the code alone is then insufficient. */
    is_contested: Generated<boolean>;
    /** Time at which the organization was created. The row is kept until it expires, so that a repeated code does not count as a guess. */
    used_at: MaybeTime;
    created_at: TimeNow;
    expires_at: Time;
  };
  /** SHA-256 of the ids of used assertions (replay protection), kept until the assertions have expired. */
  sso_assertions: {
    organization_id: string;
    connection_id: string;
    assertion_hash: Buffer;
    expires_at: Time;
  };
  /** Pending sign-ins at identity providers. Each is used once, by the browser that started it. */
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
    /** SHA-256 of the request id that the response must name (InResponseTo); null with OpenID Connect. */
    request_hash: Buffer | null;
    /** Time at which a response was accepted for processing; further responses are rejected. */
    answered_at: MaybeTime;
    sealed_answer: Buffer | null;
  };
  /** Identity providers through which members of an organization sign in. The issuer is immutable: it is part of the identity of a person. */
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
    /** PEM certificates of the keys that sign assertions; two during a key rotation. */
    certificates: Generated<string[]>;
    /** CLAIM: the provider states email_verified. VERIFIED_DOMAINS: an address in a verified domain of the connection counts without that claim. */
    email_trust: Generated<'CLAIM' | 'VERIFIED_DOMAINS'>;
  };
  /** E-mail domains claimed by an organization. A verified domain belongs to one organization only. */
  sso_domains: {
    organization_id: string;
    domain: string;
    connection_id: string;
    challenge: string;
    verified_at: MaybeTime;
    created_at: TimeNow;
  };
  /** Member that a subject of an identity provider stands for in one organization. Never matched by e-mail address. */
  sso_identities: {
    organization_id: string;
    id: string;
    connection_id: string;
    subject: string;
    user_id: string;
    created_at: TimeNow;
  };
  /** Sessions opened through a connection, valid only while it is active, and only in its organization. */
  sso_sessions: {
    organization_id: string;
    session_id: string;
    connection_id: string;
    user_id: string;
  };
  /** Stops of agents and tools by a person or an operator that no person has lifted. */
  stops_by_people: {
    organization_id: string;
    /** The agent or tool. */
    subject_id: string;
    /** STATUS: paused, suspended, isolated or disabled. END: an agent has an end. capability NAME: withdrawn from the agent. agent ID: withdrawn from the tool. */
    stop: string;
    /** Null for a stop from before this was recorded: its author is unknown. */
    stopped_by: string | null;
    stopped_at: Time;
  };
  /** Agents authorized for a tool, independent of its capability. */
  tool_agents: {
    organization_id: string;
    tool_id: string;
    agent_id: string;
    authorized_by: string;
    authorized_at: TimeNow;
  };
  /** Imported documents of services, from which tools are proposed. */
  tool_imports: {
    organization_id: string;
    id: string;
    workspace_id: string;
    environment_id: string;
    /** Name of the service; a document is compared with the last applied document of the same source. */
    source: string;
    format: string;
    title: string;
    version: string;
    origin: ImportOrigin;
    /** URL of the document, without its query. */
    address: string | null;
    base_url: string | null;
    document_hash: string;
    created_by: string;
    created_at: TimeNow;
  };
  /** Operations of imported documents: the proposed declaration, or the reason why there is none. */
  tool_proposals: {
    organization_id: string;
    import_id: string;
    key: string;
    workspace_id: string;
    environment_id: string;
    /** Position of the operation in its document. */
    position: number;
    operation: string;
    summary: string;
    reason: string | null;
    declaration: MaybeJson<ProposedDeclaration>;
    /** Hash of each member of the declaration, to detect changes in a later document. */
    hashes: MaybeJson<Readonly<Record<string, string>>>;
    credentials: Json<WantedCredential[]>;
    risk_reasons: string[];
    notes: string[];
  };
  /** All declarations of each tool. The declaration of a tool that never changed may be in tools only. */
  tool_versions: {
    organization_id: string;
    workspace_id: string;
    environment_id: string;
    tool_id: string;
    version_number: number;
    /** The declaration without secrets. */
    declaration: Json<ToolDeclared>;
    created_at: Time;
    /** Author of the declaration. Null in declarations from before this was recorded. */
    created_by: string | null;
  };
  /** Protected actions that agents can request. */
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
    /** Version of the current declaration. Approvals that were requested under another version are invalid. */
    declaration_version: Generated<number>;
    /** JSON Pointers of the parameters that approvers may edit, including everything below them. */
    narrowable: Generated<string[]>;
    /** Time of the last change of the declaration; null if it is unchanged since registration. */
    declared_at: MaybeTime;
    /** Labels of results, reach, readers, recipients and side effects, as declared by a person. */
    flow: JsonOrDefault<Partial<ToolFlow>>;
    /** Trust evidence that every action with the tool requires; null if none. */
    requires_trust: MaybeJson<TrustRequirement>;
    /** Requests that are decided as calls of the tool: mapping, method and path. */
    routes: JsonOrDefault<ToolRoute[]>;
  };
  /** Evidence about agents. Verified facts are immutable; evidence can be revoked once. */
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
    /** True for a failed result or an open vulnerability. While it is in force, the trust level of the agent is at most 1. */
    is_lowering: boolean;
    bound_by: EvidenceBinding;
    /** Thumbprint of the key of the agent, or digest of its artifact. The evidence counts only while the agent has it. */
    bound_to: string | null;
    /** The signed document as received; null for a statement by a person. */
    document: string | null;
    /** SHA-256 in hex of the signed statement. A statement is accepted once per agent, in any envelope, also after its revocation. */
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
    /** Time of the next event about its expiry; null if none is left. */
    notice_due_at: MaybeTime;
  };
  /** Providers of evidence about agents: keys, identities of a signing service, or people. */
  trust_providers: {
    organization_id: string;
    id: string;
    name: string;
    kind: TrustProviderKind;
    /** Public JSON Web Keys, each with its kid. */
    keys: JsonOrDefault<TrustKey[]>;
    /** Certificate identities, compared exactly: issuer, and subject or a prefix of it. */
    identities: JsonOrDefault<TrustIdentity[]>;
    /** Certificate authorities and logs of the signing service. */
    trusted_root: MaybeJson<Record<string, unknown>>;
    evidence_kinds: EvidenceKind[];
    max_level: number;
    /** True if no member of the organization has the key, as stated by the person who registered it. */
    independent: Generated<boolean>;
    created_by: string;
    created_at: Time;
    disabled_at: MaybeTime;
    disabled_by: string | null;
    disabled_reason: string | null;
    /** True until a job has revoked the evidence of a disabled provider. The evidence does not count in the meantime. */
    is_revoking: Generated<boolean>;
  };
  /** Progress mark: actions that agents execute themselves are closed in the order of their creation, and all before the mark are closed. */
  unreported_marks: {
    organization_id: string;
    action_id: Generated<string>;
    consumed_at: TimeNow;
  };
  /** Usage per organization and UTC day, counted once after the end of the day. */
  usage_days: {
    organization_id: string;
    day: string;
    /** Recorded decisions of all environments and modes. */
    decisions: number;
    recorded_at: Time;
  };
  /** Passkey challenges that were used (replay protection). */
  used_passkey_challenges: {
    challenge_hash: Buffer;
    expires_at: Time;
  };
  /** People, independent of the organizations they belong to. */
  users: {
    id: string;
    email: string;
    name: string;
    /** Null for a person without a password: every password is wrong. */
    password_hash: string | null;
    created_at: TimeNow;
    /** Time at which the current password was set. */
    password_changed_at: TimeNow;
    /** True if the password is too short to be the only factor; it is valid only with a second factor. */
    password_is_short: Generated<boolean>;
    /** Increments when all sessions of the person end, in every organization. */
    session_epoch: Generated<number>;
    /** Time of the first proof of the address; null until then. An account without a verified address is reset when its owner proves the address. */
    email_verified_at: MaybeTime;
  };
  /** Verification runs of runtimes. A run is a sequence of steps; the remaining work is in step and cursor. */
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
    /** Earliest time of the next step. A worker that starts it moves this time into the future (lease). */
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
  /** Deliveries of events to webhook receivers, with their results. */
  webhook_deliveries: {
    organization_id: string;
    id: string;
    /** Position in the order of the feed. */
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
    /** Number of attempts that were started. The last one may be in progress or lost with its worker. */
    attempts: Generated<number>;
    /** Failed attempts since the delivery was last requested, which determine the backoff. */
    failures: Generated<number>;
    due_at: TimeNow;
    /** End of the lease of the attempt in progress. */
    leased_until: MaybeTime;
    reason: string | null;
    /** Results of the latest attempts. */
    tries: JsonOrDefault<DeliveryAttempt[]>;
    created_at: TimeNow;
    ended_at: MaybeTime;
  };
  /** Ranges of the feed for which deliveries are still to be created, for organizations that had many events at once. */
  webhook_stretches: {
    organization_id: string;
    after_transaction_id: Generated<string>;
    /** Last event with deliveries; with the transaction column it forms the position. */
    after_id: string;
    until_transaction_id: Generated<string>;
    /** Last event of the range, inclusive. */
    until_id: string;
    /** Scheduling key (round-robin): the range that has waited longest comes first. */
    due_at: TimeNow;
  };
  /** Receivers of events, with the event types they receive. */
  webhook_subscriptions: {
    organization_id: string;
    id: string;
    name: string;
    url: string;
    event_types: string[];
    /** Limits the subscription to events of this workspace; null for the whole organization. */
    workspace_id: string | null;
    environment_id: string | null;
    body_format: Generated<BodyFormat>;
    status: Generated<'ACTIVE' | 'DISABLED'>;
    disabled_reason: DisabledReason | null;
    /** Secret that signs deliveries, sealed under the master key for this row. */
    sealed_secret: Buffer;
    sealed_previous_secret: Buffer | null;
    previous_secret_ends_at: MaybeTime;
    vouched_by_type: PrincipalType;
    /** Person or key that created or last changed the subscription. Only events that this person or key may read are delivered. */
    vouched_by: string;
    created_by: string;
    /** Time since which no delivery succeeded; null if the last one did. */
    failing_since: MaybeTime;
    created_at: TimeNow;
    updated_at: TimeNow;
    /** Worker that is delivering to it, until leased_until. */
    leased_by: string | null;
    leased_until: MaybeTime;
    /** Time since which the receiver answers that it is gone: nothing is sent, and the subscription is about to be disabled. */
    gone_since: MaybeTime;
    /** Time until which the receiver requested a pause. */
    paused_until: MaybeTime;
  };
  /** Subdivisions of an organization that contain environments. */
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
