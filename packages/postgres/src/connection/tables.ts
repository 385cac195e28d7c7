import type { AuditSubject } from '@svc/contract/audit-subjects.ts';
import type {
  ActionStatus,
  AgentStatus,
  DelegationStatus,
  Effect,
  EnvironmentType,
  Mode,
  PolicyScope,
  PrincipalType,
  RiskRating,
  Severity,
  ToolKind,
  VersionStatus,
} from '@svc/contract/tables/vocabulary.ts';
import type { ColumnType, Generated } from 'kysely';
import type { ApprovalTables } from './approval-tables.ts';
import type { Json, MaybeJson, MaybeTime, Tenant, Time, TimeNow } from './column-types.ts';
import type { ExchangeRateTables } from './exchange-rate-tables.ts';

/** Every table, one row type each; column names are those of the wire. */
export type Tables = ApprovalTables &
  ExchangeRateTables & {
    organizations: {
      id: string;
      name: string;
      require_mfa: Generated<boolean>;
      base_currency: Generated<string>;
      time_zone: Generated<string>;
      created_at: TimeNow;
      updated_at: TimeNow;
    };
    users: { id: string; email: string; name: string; password_hash: string; created_at: TimeNow };
    roles: {
      id: string;
      /** Null for a built-in role. */
      organization_id: string | null;
      name: string;
      description: Generated<string>;
      permissions: string[];
      for_keys: Generated<boolean>;
      created_at: TimeNow;
      updated_at: TimeNow;
    };
    members: Tenant & { id: string; user_id: string; role_id: string; is_limited: Generated<boolean>; created_at: TimeNow };
    member_workspaces: Tenant & { member_id: string; workspace_id: string; created_at: TimeNow };
    sessions: Tenant & {
      id: string;
      user_id: string;
      token_hash: Buffer;
      created_at: TimeNow;
      last_used_at: TimeNow;
      expires_at: Time;
      stepped_up_until: MaybeTime;
      step_up_failures: Generated<number>;
      revoked_at: MaybeTime;
      source_ip: string | null;
      user_agent: string | null;
      sign_in_id: string | null;
    };
    ended_sign_ins: Tenant & { session_id: string; sign_in_id: string; ended_at: TimeNow };
    api_keys: Tenant & {
      id: string;
      workspace_ids: string[] | null;
      name: string;
      role_id: string;
      token_hash: Buffer;
      created_by: string;
      created_at: TimeNow;
      expires_at: Time;
      last_used_at: MaybeTime;
      revoked_at: MaybeTime;
    };
    sign_in_failures: { key: string; failures: number; first_failed_at: Time; locked_until: MaybeTime };
    setup_links: { token_hash: Buffer; created_at: TimeNow; used_at: MaybeTime };
    workspaces: Tenant & { id: string; name: string; slug: string; created_at: TimeNow; updated_at: TimeNow };
    environments: Tenant & {
      id: string;
      workspace_id: string;
      name: string;
      type: EnvironmentType;
      mode: Generated<Mode>;
      paused_at: MaybeTime;
      paused_reason: string | null;
      requires_delegation: Generated<boolean>;
      created_at: TimeNow;
      updated_at: TimeNow;
    };
    environment_epochs: Tenant & { environment_id: string; workspace_id: string; epoch: Generated<number> };
    idempotency_keys: Tenant & {
      principal_id: string;
      operation: string;
      key: string;
      request_hash: Buffer;
      status: number | null;
      body: MaybeJson<unknown>;
      created_at: TimeNow;
    };
    platform_keys: {
      key_id: string;
      public_key: string;
      private_key_sealed: Buffer;
      created_at: TimeNow;
      retired_at: MaybeTime;
    };
    audit_events: Tenant & {
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
      /** Set by the database. */
      transaction_id: ColumnType<string, never, never>;
    };
    agents: Tenant & {
      id: string;
      workspace_id: string;
      environment_id: string;
      name: string;
      description: Generated<string>;
      status: Generated<AgentStatus>;
      labels: ColumnType<Record<string, string>, string | undefined, string>;
      key_generation: Generated<number>;
      passport_version: Generated<number>;
      session_series: Generated<number>;
      created_at: TimeNow;
      updated_at: TimeNow;
    };
    agent_epochs: Tenant & { agent_id: string; environment_id: string; epoch: Generated<number> };
    agent_keys: Tenant & {
      agent_id: string;
      generation: number;
      public_key: string;
      thumbprint: string;
      created_at: TimeNow;
      retired_at: MaybeTime;
    };
    agent_capabilities: Tenant & { agent_id: string; capability: string; granted_by: string; granted_at: TimeNow };
    delegations: Tenant & {
      id: string;
      parent_id: string | null;
      /** Set by the database, as are the depth and the places. */
      path: ColumnType<string, never, never>;
      depth: ColumnType<number, never, never>;
      delegator_user_id: string | null;
      delegator_agent_id: string | null;
      delegate_agent_id: string;
      workspace_ids: ColumnType<string[], never, never>;
      environment_ids: ColumnType<string[], never, never>;
      capabilities: string[] | null;
      tools: string[] | null;
      environments: string[] | null;
      destinations: string[] | null;
      max_amount: number | null;
      currency: string | null;
      max_calls: number | null;
      window_seconds: number | null;
      expires_at: MaybeTime;
      can_redelegate: boolean;
      max_depth: number;
      status: Generated<DelegationStatus>;
      version: Generated<number>;
      created_by_type: PrincipalType;
      created_by_id: string;
      created_at: Time;
      updated_at: Time;
      ended_at: MaybeTime;
      ended_reason: ColumnType<string | null, string | null | undefined, string | null>;
      ends_below: Generated<boolean>;
    };
    passports: Tenant & {
      id: string;
      agent_id: string;
      version: number;
      token: string;
      issued_at: Time;
      expires_at: Time;
      end_pending: Generated<boolean>;
    };
    agent_sessions: Tenant & {
      id: string;
      agent_id: string;
      nonce_hash: Buffer;
      generation: number;
      series: number;
      sdk: Json<{ name: string; version: string; runtime: string }>;
      created_at: Time;
      expires_at: Time;
    };
    ended_agent_sessions: Tenant & { agent_id: string; session_id: string; expires_at: Time };
    tools: Tenant & {
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
      parameters_schema: ColumnType<Record<string, unknown>, string | undefined, string>;
      amount_from: string | null;
      currency_from: string | null;
      destination_from: string | null;
      execution: MaybeJson<unknown>;
      status: Generated<'ACTIVE' | 'DISABLED'>;
      disabled_reason: string | null;
      created_at: TimeNow;
      updated_at: TimeNow;
    };
    tool_agents: Tenant & { tool_id: string; agent_id: string; authorized_by: string; authorized_at: TimeNow };
    policies: Tenant & {
      id: string;
      name: string;
      description: Generated<string>;
      created_at: TimeNow;
      updated_at: TimeNow;
      suspended_at: MaybeTime;
      deleted_at: MaybeTime;
    };
    policy_versions: Tenant & {
      id: string;
      policy_id: string;
      version_number: number;
      status: Generated<VersionStatus>;
      rules: Json<unknown[]>;
      tests: Json<unknown[]>;
      currency: Generated<string>;
      created_by: string;
      created_at: TimeNow;
      activated_at: MaybeTime;
    };
    policy_bindings: Tenant & { id: string; policy_id: string; scope: PolicyScope; target_id: string; created_at: TimeNow };
    policy_invariants: Tenant & {
      id: string;
      name: string;
      description: Generated<string>;
      condition: MaybeJson<Record<string, unknown>>;
      if_missing: 'match' | null;
      at_least: Effect | null;
      at_most: Effect | null;
      currency: string;
      workspace_id: string | null;
      environment_id: string | null;
      created_by: string;
      created_at: TimeNow;
    };
    actions: Tenant & {
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
      environment_epoch: number;
      agent_epoch: number;
      created_at: Time;
      completed_at: MaybeTime;
      held_until: MaybeTime;
    };
    counters: Tenant & { counter: string; total: string; last_used_at: Time };
    counter_uses: Tenant & { counter: string; total: string; amount: string; used_at: Time; kept_until: Time };
  };
