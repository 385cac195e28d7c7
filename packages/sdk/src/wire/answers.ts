import type { ACTION_STATUSES, APPROVAL_STATUSES, EFFECTS, MODES } from './wire-format.ts';

/** Effect of the rules on a request. */
export type Effect = (typeof EFFECTS)[number];

/** How an environment applies decisions: `ENFORCE` enforces them, `OBSERVE` only records, `SIMULATE` decides and executes nothing. */
export type Mode = (typeof MODES)[number];

/** Status of an action. */
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** Status of an approval. `CONSUMED`: its request was executed. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** One stage of the enforcement pipeline and its finding. */
export type StageFinding = {
  readonly stage: string;
  readonly outcome: 'passed' | 'refused' | 'relaxed' | 'held' | 'skipped';
  readonly code?: string;
  readonly note?: string;
  /** Details of an error with this code. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Paths that rules mask: dotted, `*` for every element or member; null if there are none. And the limits applied to the request. */
export type Obligations = {
  readonly mask: { readonly parameters: readonly string[]; readonly result: readonly string[] } | null;
  readonly limits: readonly {
    readonly rule_id: string;
    readonly policy_id: string;
    readonly version_id: string;
    /** Minor units of `currency`. */
    readonly max_amount?: number;
    /** ISO 4217 currency of the amount. Absent if no amount is limited. */
    readonly currency?: string;
    readonly max_calls?: number;
    readonly window_seconds?: number;
    /** Subject of the counter; defaults to `agent`. */
    readonly per?: 'agent' | 'root_principal';
  }[];
};

/** An amount in another currency, in its minor units, and the exchange rates of the conversion. */
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

/** Reasons for a decision. */
export type Explanation = {
  readonly decision: Effect;
  /** The rule that decided, with its id, policy, version, effect and reason; null if no rule matched. */
  readonly matched_rule: Readonly<Record<string, unknown>> | null;
  /** Every evaluated rule, with the outcome of each of its conditions. */
  readonly matched_rules: readonly Readonly<Record<string, unknown>>[];
  /** Active rules that cannot match this tool and capability. */
  readonly skipped_rules: number;
  /** The grant or delegation chain of the request. */
  readonly authority: Readonly<Record<string, unknown>>;
  /** Risk signals that fired. */
  readonly risk: Readonly<Record<string, unknown>>;
  /** The amount in each other currency that it was compared in. Absent if it was not converted. */
  readonly conversions?: readonly Conversion[];
  readonly stages: readonly StageFinding[];
  /** Obligations of all matching rules except approvals, also of rules that did not decide. Absent if there are none. */
  readonly obligations?: Obligations;
  /** Fields that a rule read and the request left undefined. */
  readonly unknown_fields?: readonly string[];
};

/** The approval a request is held for. */
export type ApprovalHint = {
  readonly approval_id: string;
  readonly status: string;
  /** Seconds between polls. */
  readonly poll_after_seconds: number;
  /** ISO-8601 UTC. */
  readonly expires_at: string;
  /** No one who may vote can approve it: `remedy` states what to do. */
  readonly no_approver?: true;
  readonly remedy?: string;
};

/** Result of the call itself. `BY_AGENT`: permitted, and the agent's own process executes it. */
export type Execution = {
  readonly state: 'EXECUTED' | 'NOT_EXECUTED' | 'BY_AGENT' | 'FAILED' | 'UNKNOWN';
  readonly reason?: string;
  readonly http_status?: number;
  readonly duration_ms?: number;
  /** Response of the downstream system, or the agent's report. */
  readonly result?: unknown;
  /** Size of the destination's response. */
  readonly response_bytes?: number;
  /** Part of the response that the tool did not expect; `reason` states why. */
  readonly expectation_failed?: 'STATUS' | 'CONTENT_TYPE' | 'SIZE' | 'BODY';
  /** Members of the response that the tool keeps. */
  readonly kept?: readonly string[];
  /** Number of attempts, if the tool permits several. */
  readonly tries?: number;
};

/** The gateway's response to one request. */
export type Decision = {
  /** Id of the action record; null if nothing was stored, as after a dry run. */
  readonly action_id: string | null;
  readonly decision: Effect;
  readonly status: ActionStatus;
  readonly mode: Mode;
  /** The error code that the request is refused with; null if there is none. In OBSERVE and SIMULATE it stops nothing. */
  readonly code: string | null;
  /** Text that may be shown to the people concerned. */
  readonly reason: string;
  readonly explanation: Explanation;
  readonly approval?: ApprovalHint;
  readonly execution?: Execution;
  /** Details of the code, if the decision is the response and no error. */
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
  /** The approval that it used, and the request that used it; null if it needed none or is still pending. */
  readonly approval: {
    readonly id: string;
    /** Omitted for agents. */
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

/** The request as an approver edited it. `amount` in whole minor units of the request's currency; null if it has none. */
export type ApprovedRequest = { readonly parameters: Readonly<Record<string, unknown>>; readonly amount: number | null };

/** An approval of the agent. */
export type Approval = {
  readonly id: string;
  readonly action_id: string;
  readonly status: ApprovalStatus;
  /** Why an approval is required, in the words of the rule. */
  readonly reason: string;
  readonly denial_reason: string | null;
  /** Seconds before the next poll. */
  readonly poll_after_seconds: number;
  /** ISO-8601 UTC. */
  readonly expires_at: string;
  /** True while it is pending and no one who may vote can approve it. */
  readonly no_approver: boolean;
  /** Question of an approver; null if there is none. */
  readonly question: { readonly question_number: number; readonly question: string; readonly asked_at: string } | null;
  /** The edited request: only exactly this may be sent with the approval. Null if it was not edited. */
  readonly approved_request: ApprovedRequest | null;
};

/** Authority delegated to an agent. Null is no limit; amounts are whole minor units; times are ISO-8601 UTC. */
export type Delegation = {
  readonly id: string;
  /** The delegation it derives from. */
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
  /** For a person's delegation: whether they could make it now. One that is LACKED or GONE is invalid, and so is everything below it. */
  readonly backing: 'HELD' | 'LACKED' | 'GONE' | null;
  readonly version: number;
  readonly created_by: { readonly type: 'USER' | 'API_KEY' | 'AGENT' | 'SYSTEM'; readonly id: string };
  readonly created_at: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
  readonly ended_reason: string | null;
};

/** Part of a request that may look narrowed and is not. It did not prevent the creation. */
export type DelegationWarning = {
  /**
   * `narrows_nothing`: without naming the delegation the agent has wider grants of its own. `grants_come_back`: it will once this one ends.
   */
  readonly kind: 'narrows_nothing' | 'grants_come_back';
  /** Fields in which the grants of the agent are wider. */
  readonly fields: readonly string[];
  /** Environment of the agent, which does not require delegated authority. */
  readonly environment_id: string;
  readonly message: string;
};

/** A new delegation with its warnings. */
export type NewDelegation = Delegation & { readonly warnings: readonly DelegationWarning[] };

/** A tool the agent may ask for. */
export type UsableTool = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `SDK`: executed by the agent's own process; the others by the service. */
  readonly kind: 'HTTP' | 'MCP' | 'SDK' | 'A2A';
  readonly required_capability: string;
  /** JSON Schema, draft-04 to 2020-12, as registered. */
  readonly parameters_schema: Readonly<Record<string, unknown>>;
};

/** The agent as the gateway knows it, and what it may use. The token itself is never exposed. */
export type Handshake = {
  readonly agent_id: string;
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly mode: Mode;
  readonly capabilities: readonly string[];
  readonly tools: readonly UsableTool[];
  readonly passport_version: number;
  /** Expiry of its token, which the client renews itself. ISO-8601 UTC. */
  readonly expires_at: string;
};
