/** Columns whose change no verification detects, each with the reason. SECURITY.md lists the same. */
export const UNCOVERED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  a2a_connections: {
    checks: 'results of the last verification, renewed by each',
    updated_at: 'changes with what is covered',
  },
  actions: {
    held_until: 'lease of the gateway that executes it',
    idempotency_hash: 'forgotten after a day',
    idempotency_key: 'forgotten after a day',
  },
  api_keys: {
    last_used_at: 'changes with each use',
    last_used_from: 'changes with each use',
    warned_at: 'when its end was announced',
  },
  approvals: {
    consumed_by_hash: 'forgotten after a day',
    consumed_by_key: 'forgotten after a day',
    reminded_at: 'when people were reminded',
  },
  credentials: {
    previous_ends_at: 'cleared by a job',
    sealed_previous_secret: 'cleared by a job; sealed under a key that is not in the database',
  },
  delegations: {
    backing: 'derived from the role of the person whom it rests on',
    ends_below: 'mark of a job that has not finished',
  },
  mcp_servers: {
    era: 'stated by the server, renewed by each listing',
    instructions: 'stated by the server, renewed by each listing',
    listing_checked_at: 'changes with each listing',
    listing_due_at: 'changes with each listing',
    listing_failure: 'changes with each listing',
    listing_failures: 'changes with each listing',
    listing_hash: 'changes with each listing',
    protocol_version: 'stated by the server, renewed by each listing',
    server_info: 'stated by the server, renewed by each listing',
    server_pin: 'stated by the server, renewed by each listing',
    updated_at: 'changes with what is covered',
  },
  mcp_tools: {
    definition: 'stated by the server, renewed by each listing',
    findings: 'derived from the newest definition',
    last_seen_at: 'changes with listings',
    pin: 'derived from the newest definition',
  },
  members: {
    password_since: 'when signing in with a password was reset',
    session_epoch: 'counts ended sessions',
    sign_ins_since: 'when sign-ins were reset',
  },
  runtimes: {
    assessed_at: 'changes with verification',
    enforcement: 'computed from evidence',
    enforcement_forecast: 'computed from evidence',
    enforcement_reasons: 'computed from evidence',
    evidence_since: 'mark of a change that voided evidence',
    falls_at: 'computed from evidence',
    health: 'changes with connection tests',
    health_at: 'changes with connection tests',
    health_detail: 'changes with connection tests',
    key_facts: 'stated by the instance, renewed by connection tests',
    next_verification_at: 'changes with verification',
    hook_observations: 'computed from reports of the hook file',
    operate_due_at: 'changes with verification',
    operated: 'the operation is in an event; its result at the instance changes with verification',
    updated_at: 'changes with what is covered',
  },
  trust_evidence: {
    document: 'what was signed is covered by its SHA-256',
    notice_due_at: 'when the next event is due',
  },
  trust_providers: {
    is_revoking: 'mark of a job that has not finished',
  },
  webhook_subscriptions: {
    failing_since: 'changes with deliveries',
    gone_since: 'changes with deliveries',
    leased_by: 'lease of a worker',
    leased_until: 'lease of a worker',
    paused_until: 'changes with deliveries',
    previous_secret_ends_at: 'cleared by a job',
    sealed_previous_secret: 'cleared by a job; sealed under a key that is not in the database',
    updated_at: 'changes with deliveries',
  },
};

export const isUncovered = (table: string, column: string): boolean => Object.hasOwn(UNCOVERED[table] ?? {}, column);
