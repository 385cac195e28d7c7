import type { ACTION_STATUSES, APPROVAL_STATUSES, EFFECTS, MODES } from './wire-format.ts';

/** What the rules made of a request. */
export type Effect = (typeof EFFECTS)[number];

/** How an environment applies decisions: `ENFORCE` holds to them, `OBSERVE` only records, `SIMULATE` decides and executes nothing. */
export type Mode = (typeof MODES)[number];

/** Where an action stands. */
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** Where an approval stands. `CONSUMED`: the request it was given for has gone ahead with it. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** One stage of the enforcement pipeline and what it found. */
export type StageFinding = {
  readonly stage: string;
  readonly outcome: 'passed' | 'refused' | 'relaxed' | 'held' | 'skipped';
  readonly code?: string;
  readonly note?: string;
  /** Details of an error with this code. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Paths that rules mask: dotted, `*` for every element or member. Null when none does. And the limits kept for the request. */
export type Obligations = {
  readonly mask: { readonly parameters: readonly string[]; readonly result: readonly string[] } | null;
  readonly limits: readonly {
    readonly rule_id: string;
    readonly policy_id: string;
    readonly version_id: string;
    /** Minor units of `currency`. */
    readonly max_amount?: number;
    /** ISO 4217: what the amount is in. Absent where no amount is bounded. */
    readonly currency?: string;
    readonly max_calls?: number;
    readonly window_seconds?: number;
    /** Whose uses add up; `agent` where it is left out. */
    readonly per?: 'agent' | 'root_principal';
  }[];
};

/** An amount in another currency, in its minor units, and the exchange rates it was reckoned with. */
export type Conversion = {
  readonly currency: string;
  readonly amount: number;
  readonly rates: readonly {
    readonly id: string;
    readonly base_currency: string;
    readonly quote_currency: string;
    /** Decimal: units of the quote currency for one of the base currency. */
    readonly rate: string;
    readonly source: 'MANUAL' | 'AUTOMATIC';
    readonly effective_at: string;
    readonly age_seconds: number;
  }[];
};

/** Why a decision is what it is. */
export type Explanation = {
  readonly decision: Effect;
  /** The rule that decided, with its id, policy, version, effect and reason; null when no rule matched. */
  readonly matched_rule: Readonly<Record<string, unknown>> | null;
  /** Every rule consulted, with the outcome of each of its conditions. */
  readonly matched_rules: readonly Readonly<Record<string, unknown>>[];
  /** Active rules that cannot match this tool and capability. */
  readonly skipped_rules: number;
  /** The grant or chain of delegations the request rests on. */
  readonly authority: Readonly<Record<string, unknown>>;
  /** Risk signals that fired. */
  readonly risk: Readonly<Record<string, unknown>>;
  /** What the amount is in each other currency that it was compared in. Absent when it was compared as it came. */
  readonly conversions?: readonly Conversion[];
  readonly stages: readonly StageFinding[];
  /** What matching rules ask for besides people, whichever of them decided. Absent when they ask for nothing. */
  readonly obligations?: Obligations;
  /** Fields that a rule read and the request left open. */
  readonly unknown_fields?: readonly string[];
};

/** The approval a request is held for. */
export type ApprovalHint = {
  readonly approval_id: string;
  readonly status: string;
  /** Seconds to wait between two looks. */
  readonly poll_after_seconds: number;
  /** ISO-8601 UTC. */
  readonly expires_at: string;
  /** No one who may vote can approve it: `remedy` says what to do. */
  readonly no_approver?: true;
  readonly remedy?: string;
};

/** What became of the call itself. `BY_AGENT`: permitted, and the agent's own process carries it out. */
export type Execution = {
  readonly state: 'EXECUTED' | 'NOT_EXECUTED' | 'BY_AGENT' | 'FAILED' | 'UNKNOWN';
  readonly reason?: string;
  readonly http_status?: number;
  readonly duration_ms?: number;
  /** What the downstream system answered, or what the agent reported. */
  readonly result?: unknown;
  /** Size of the answer of the destination. */
  readonly response_bytes?: number;
  /** What of the answer was not as the tool expects it; why is in `reason`. */
  readonly expectation_failed?: 'STATUS' | 'CONTENT_TYPE' | 'SIZE' | 'BODY';
  /** Members of the response that the tool keeps. */
  readonly kept?: readonly string[];
  /** How often the call was made, where the tool allows more than once. */
  readonly tries?: number;
};

/** The gateway's answer to one request. */
export type Decision = {
  /** Id of the action record; null when nothing was stored, as after a dry run. */
  readonly action_id: string | null;
  readonly decision: Effect;
  readonly status: ActionStatus;
  readonly mode: Mode;
  /** The error code of what stands against the request; null when nothing does. In OBSERVE and SIMULATE it stops nothing. */
  readonly code: string | null;
  /** In words that may be shown to the people concerned. */
  readonly reason: string;
  readonly explanation: Explanation;
  readonly approval?: ApprovalHint;
  readonly execution?: Execution;
  /** What the code has to say besides, where the decision is an answer and no error. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly request_id: string;
};

/** The record of one action with its full lineage. Amounts are whole minor units of their currency; times are ISO-8601 UTC. */
export type Action = {
  readonly id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly tool_id: string | null;
  readonly tool: string;
  readonly decision: Effect;
  readonly status: ActionStatus;
  readonly mode: Mode;
  readonly code: string | null;
  readonly reason: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly destination: string | null;
  readonly approval_id: string | null;
  readonly request_id: string;
  readonly trace_id: string;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly principal: { readonly type: 'USER' | 'API_KEY' | 'AGENT' | 'SYSTEM'; readonly id: string };
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly explanation: Explanation;
  readonly execution: Execution | null;
  /** The approval it went on by, and the request that used it; null when it needed none or still waits. */
  readonly approval: {
    readonly id: string;
    /** Left out where an agent reads. */
    readonly given_by?: readonly {
      readonly user_id: string;
      readonly user_name: string;
      readonly comment: string | null;
      readonly voted_at: string;
    }[];
    readonly used_at: string | null;
    readonly request_id: string | null;
    readonly trace_id: string | null;
  } | null;
  readonly idempotency_key: string | null;
};

/** What an approver narrowed a request to. `amount` in whole minor units of the request's currency; null where it has none. */
export type ApprovedRequest = { readonly parameters: Readonly<Record<string, unknown>>; readonly amount: number | null };

/** What an agent sees of the approval it waits for. */
export type Approval = {
  readonly id: string;
  readonly action_id: string;
  readonly status: ApprovalStatus;
  /** Why a person was asked, in the words of the rule. */
  readonly reason: string;
  readonly denial_reason: string | null;
  /** Seconds to wait before the next look. */
  readonly poll_after_seconds: number;
  /** ISO-8601 UTC. */
  readonly expires_at: string;
  /** True while it is pending and no one who may vote can approve it. */
  readonly no_approver: boolean;
  /** What an approver wants to know; null where nothing is open. */
  readonly question: { readonly question_number: number; readonly question: string; readonly asked_at: string } | null;
  /** Where an approver narrowed the request: only exactly this may be sent with the approval. Null where it stands as it was asked. */
  readonly approved_request: ApprovedRequest | null;
};

/** Authority handed to an agent. Null bounds nothing; amounts are whole minor units; times are ISO-8601 UTC. */
export type Delegation = {
  readonly id: string;
  /** The delegation it is derived from. */
  readonly parent_id: string | null;
  readonly delegator: { readonly type: 'USER' | 'AGENT'; readonly id: string };
  readonly delegate_agent_id: string;
  readonly scope: {
    readonly capabilities: readonly string[] | null;
    readonly tools: readonly string[] | null;
    readonly environments: readonly string[] | null;
    readonly destinations: readonly string[] | null;
  };
  readonly ceiling: {
    readonly max_amount: number | null;
    readonly currency: string | null;
    readonly max_calls: number | null;
    readonly window_seconds: number | null;
  };
  readonly expires_at: string | null;
  readonly can_redelegate: boolean;
  readonly max_depth: number;
  /** Delegations above it. */
  readonly depth: number;
  readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
  /** Of one that a person gave: whether they could give it now. What is LACKED or GONE holds nothing, nor does anything below it. */
  readonly backing: 'HELD' | 'LACKED' | 'GONE' | null;
  readonly version: number;
  readonly created_by: { readonly type: 'USER' | 'API_KEY' | 'AGENT' | 'SYSTEM'; readonly id: string };
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
  readonly ended_reason: string | null;
};

/** What whoever delegates may take for narrowed, and is not. Nothing of it stopped the making. */
export type DelegationWarning = {
  /** `narrows_nothing`: without naming the delegation the agent acts on wider grants of its own. `grants_come_back`: it does once this ends. */
  readonly kind: 'narrows_nothing' | 'grants_come_back';
  /** In which the grants of the agent are wider. */
  readonly fields: readonly string[];
  /** Environment of the agent, which does not demand delegated authority. */
  readonly environment_id: string;
  readonly message: string;
};

/** A delegation as it was just made. */
export type NewDelegation = Delegation & { readonly warnings: readonly DelegationWarning[] };

/** A tool the agent may ask for. */
export type UsableTool = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `SDK`: carried out by the agent's own process; the others by the service. */
  readonly kind: 'HTTP' | 'MCP' | 'SDK' | 'A2A';
  readonly required_capability: string;
  /** JSON Schema, draft-04 to 2020-12, as registered. */
  readonly parameters_schema: Readonly<Record<string, unknown>>;
};

/** Who the agent is to the gateway, and what it may use there. The token itself stays inside the client. */
export type Handshake = {
  readonly agent_id: string;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly mode: Mode;
  readonly capabilities: readonly string[];
  readonly tools: readonly UsableTool[];
  readonly passport_version: number;
  /** When the token ends that came with it; the client renews it by itself. ISO-8601 UTC. */
  readonly expires_at: string;
};
