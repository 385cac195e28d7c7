import type { CredentialExtra, CredentialScheme, Placement } from '@svc/contract/credentials/credentials.ts';
import type { A2aDirection, A2aKey, A2aStatus } from '@svc/contract/peers/a2a/a2a-connections.ts';
import type { McpEra, McpServerStatus } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpOfferKind, McpToolStatus } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { TrustRequirement } from '@svc/contract/risk/trust/trust-shapes.ts';
import type { RuntimeKind } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { AgentStatus, EnvironmentType, Mode, Separation } from '@svc/contract/tables/vocabulary.ts';
import type { ToolRoute } from '@svc/contract/tools/tool-routes.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import type { ReadyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import type { ChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';
import type { AgentSigningKey } from '@svc/domain/agents/identity/check-assertion.ts';
import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import type { DestinationBlock } from '@svc/domain/incidents/emergency/blocked-destination.ts';
import type { RateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { ToolFlow } from '@svc/domain/risk/contexts/flow-context.ts';
import type { RiskRules } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import type { EvidenceFacts } from '@svc/domain/risk/trust/trust-level.ts';
import type { RuntimeTerms } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import type { AllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { ParsedExecution } from '@svc/domain/tools/request/parse-execution.ts';
import type { PolicySet } from '@svc/policy/judge/compile-set.ts';

export type ParameterFault = { readonly pointer: string; readonly message: string };

/** Credential of a tool's calls. The secret is sealed, and opened by the executor. */
export type CredentialSnapshot = {
  readonly id: string;
  readonly scheme: CredentialScheme;
  readonly placement: Placement;
  readonly extras: readonly CredentialExtra[];
  /** Names of the tools it may serve. */
  readonly tools: readonly string[];
  /** Slugs of the MCP servers whose tools it may serve. */
  readonly servers: readonly string[];
  readonly destinations: readonly AllowlistEntry[];
  /** The stored terms, to which its secrets are bound. */
  readonly terms: CredentialTerms;
  readonly generation: number;
  /** Data key of the organization, sealed. */
  readonly wrapped_key: Uint8Array;
  /** Null if it is revoked. */
  readonly sealed_secret: Uint8Array | null;
  readonly sealed_previous_secret: Uint8Array | null;
  readonly previous_ends_at: string | null;
  /** True if access tokens are sent that are obtained with the secret, and not the secret itself. */
  readonly takes_tokens: boolean;
};

/** The MCP server of a tool, and the authorized tool. */
export type McpToolSnapshot = {
  readonly server_id: string;
  readonly server_name: string;
  readonly slug: string;
  readonly server_status: McpServerStatus;
  readonly tool_status: McpToolStatus;
  /** Time of the last complete listing; null if there was none. */
  readonly listing_checked_at: string | null;
  readonly url: string;
  readonly era: McpEra;
  readonly protocol_version: string;
  readonly offer_kind: McpOfferKind;
  /** Name of the tool or prompt at the server; the address of a resource or of a template of resources. */
  readonly upstream_name: string;
  /** The authorized definition, byte for byte. */
  readonly definition: string;
  readonly timeout_ms: number;
  readonly hold_seconds: number;
  /** Instructions of the server that a person accepted. */
  readonly instructions: string | null;
};

/** The connection to a remote agent that a tool sends messages over. */
export type A2aSnapshot = {
  readonly connection_id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: A2aStatus;
  readonly status_reason: string | null;
  readonly direction: A2aDirection;
  /** Agent that receives the messages of an inbound connection; null for an outbound one. */
  readonly agent_id: string | null;
  /** Registered keys of the remote agent, and the number of changes. */
  readonly keys: readonly A2aKey[];
  readonly key_series: number;
  /**
   * Address that messages are sent to: of the verified card, or of the own agent of an inbound connection. Null if no card was verified.
   */
  readonly url: string | null;
  readonly tenant: string | null;
  readonly streaming: boolean;
  /** True if the remote agent sends push notifications, which the gateway receives. */
  readonly push_notifications: boolean;
  readonly description: string;
};

/** A tool for decisions: everything that can be prepared is prepared when the snapshot is created. */
export type ToolSnapshot = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly required_capability: string;
  readonly kind: Tool['kind'];
  readonly risk_rating: Tool['risk_rating'];
  readonly dangerous: boolean;
  /** Increases with each change of the declaration; approvals are bound to it. */
  readonly declaration_version: number;
  /** Time of the last change of the declaration; null if it never changed. */
  readonly declared_at: string | null;
  /** Labels and reach that a person declared. */
  readonly flow: ToolFlow;
  /** Trust evidence that it requires of agents; null if none. */
  readonly requires_trust: TrustRequirement | null;
  /** Requests at a proxy that are decided as calls of it. */
  readonly routes: readonly ToolRoute[];
  readonly status: Tool['status'];
  readonly disabled_reason: string | null;
  readonly parameters_schema: Record<string, unknown>;
  readonly amount_from: string | null;
  readonly currency_from: string | null;
  readonly destination_from: string | null;
  /** Parameters that an approver may edit, as JSON Pointers. */
  readonly narrowable: readonly string[];
  readonly allowlist: readonly AllowlistEntry[];
  readonly execution: ParsedExecution | null;
  /** Null if its calls need none; undefined if it names a missing one. */
  readonly credential: CredentialSnapshot | null | undefined;
  /** Null for a tool of another kind, and for one whose server was removed. */
  readonly mcp: McpToolSnapshot | null;
  /** Null for a tool of another kind, and for one whose connection was removed. */
  readonly a2a: A2aSnapshot | null;
  readonly checkParameters: (parameters: Readonly<Record<string, unknown>>) => readonly ParameterFault[];
};

/** Everything that a decision reads about an environment, at one epoch. Immutable. */
export type EnvironmentSnapshot = {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly type: EnvironmentType;
  readonly mode: Mode;
  /** Why every request is refused: paused, archived, or awaiting the deletion of the organization. Null otherwise. */
  readonly paused_reason: string | null;
  /**
   * True if it is archived, itself or with its workspace, or awaits deletion with its organization: then none of its agents can sign in
   * either.
   */
  readonly is_archived: boolean;
  /** True if an agent may act here only under a delegation. */
  readonly requires_delegation: boolean;
  /** Who may approve requests of agents for high-risk tools here. */
  readonly separation: Separation;
  readonly base_currency: string;
  /** Risk and flow settings. */
  readonly risk: RiskRules;
  /** IANA name of the time zone of rules about time. */
  readonly time_zone: string;
  /** Exchange rates of the organization; read with the clock of the decision, since some take effect later. */
  readonly rates: RateTable;
  /** Trust evidence that every action here requires; null if none. */
  readonly requires_trust: TrustRequirement | null;
  /** Providers of trust evidence that the organization disabled. */
  readonly disabled_providers: ReadonlySet<string>;
  /** Destinations that the organization blocks; read with the clock of the decision, since some blocks expire. */
  readonly blocked: readonly DestinationBlock[];
  readonly epoch: number;
  /** Keyed by name and by id. */
  readonly tools: ReadonlyMap<string, ToolSnapshot>;
  /** Every active version bound to the organization, the workspace, the environment or an agent in it. */
  readonly policies: PolicySet;
};

/** A runtime that the agent runs in, with the statuses that it decays to over time. */
export type RuntimeSnapshot = RuntimeTerms & { readonly runtime_id: string; readonly name: string; readonly kind: RuntimeKind };

/** Everything that a decision reads about an agent, at one epoch. Immutable. */
export type AgentSnapshot = {
  readonly organization_id: string;
  readonly environment_id: string;
  readonly agent_id: string;
  readonly name: string;
  readonly status: AgentStatus;
  /** Time from which it may not act, by the clock of the decision; null if it has no end. */
  readonly expires_at: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly created_at: string;
  /** True if its tokens are bound to a key that each use proves (DPoP). */
  readonly require_dpop: boolean;
  readonly key_generation: number;
  /** Time of the current key; null if there is none. */
  readonly key_created_at: string | null;
  readonly keys: readonly AgentSigningKey[];
  readonly capabilities: ReadonlySet<string>;
  readonly capability_names: readonly string[];
  readonly tool_ids: ReadonlySet<string>;
  /** When the agent was authorized for tools, those of the day before the snapshot was read. */
  readonly new_tools?: Readonly<Record<string, string>> | null;
  readonly passport_version: number;
  /** Null if no passport was issued. */
  readonly passport_expires_at: string | null;
  /** Tokens of another series are invalid. */
  readonly session_series: number;
  readonly ended_sessions: ReadonlySet<string>;
  /** True if it has a flow context, or another agent delegated to it. */
  readonly has_contexts: boolean;
  /** Delegations to the agent by id, each with all its ancestors. */
  readonly chains: ReadonlyMap<string, ReadyChain | ChainFault>;
  /** Delegations that a person gave it directly, in the order in which they are tried if none is named. */
  readonly root_chains: readonly ReadyChain[];
  /** Ordered by id. */
  readonly runtimes: readonly RuntimeSnapshot[];
  /** Evidence that is not revoked, the latest expiry first; read with the clock of the decision. */
  readonly evidence: readonly EvidenceFacts[];
  readonly epoch: number;
};
