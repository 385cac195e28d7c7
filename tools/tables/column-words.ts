/** What a column holds where its type in the database says less: a word of the contract, or the shape of its JSON. */
export const COLUMN_WORDS: Readonly<Record<string, string>> = {
  'actions.decision': 'Effect',
  'actions.mode': 'Mode',
  'actions.parameters': 'Record<string, unknown>',
  'actions.principal_type': 'PrincipalType',
  'actions.status': 'ActionStatus',
  'agent_sessions.sdk': '{ name: string; version: string; runtime: string }',
  'agents.labels': 'Record<string, string>',
  'agents.status': 'AgentStatus',
  'approval_votes.vote': "'APPROVE' | 'DENY'",
  'approvals.requested_by_type': 'PrincipalType',
  'approvals.status': 'ApprovalStatus',
  'audit_events.actor_type': 'PrincipalType',
  'audit_events.data': 'Record<string, unknown>',
  'audit_events.severity': 'Severity',
  'audit_events.subject_type': 'AuditSubject',
  'delegations.created_by_type': 'PrincipalType',
  'delegations.status': 'DelegationStatus',
  'environments.mode': 'Mode',
  'environments.type': 'EnvironmentType',
  'exchange_rates.source': 'RateSource',
  'invitations.ended_as': "'ACCEPTED' | 'WITHDRAWN'",
  'invitations.invited_by_type': 'PrincipalType',
  'mfa_challenges.proofs': 'Proof[]',
  'policy_bindings.scope': 'PolicyScope',
  'policy_invariants.at_least': 'Effect',
  'policy_invariants.at_most': 'Effect',
  'policy_invariants.condition': 'Record<string, unknown>',
  'policy_invariants.if_missing': "'match'",
  'policy_versions.rules': 'unknown[]',
  'policy_versions.status': 'VersionStatus',
  'policy_versions.tests': 'unknown[]',
  'sso_connections.kind': "'OIDC'",
  'sso_connections.role_mapping': 'readonly { readonly value: string; readonly role_id: string }[]',
  'sso_connections.status': "'ACTIVE' | 'DISABLED'",
  'members.provisioned_by': "'SSO' | 'SCIM'",
  'second_factors.kind': 'FactorKind',
  'sessions.amr': 'Proof[]',
  'tools.kind': 'ToolKind',
  'tools.parameters_schema': 'Record<string, unknown>',
  'tools.risk_rating': 'RiskRating',
  'tools.status': "'ACTIVE' | 'DISABLED'",
};

/** Columns that triggers fill and nobody else may write. */
export const SET_BY_DATABASE: ReadonlySet<string> = new Set([
  'audit_events.transaction_id',
  'delegations.depth',
  'delegations.environment_ids',
  'delegations.path',
  'delegations.workspace_ids',
]);

/** Columns that triggers fill when they are left out, as a default would. */
export const FILLED_BY_DATABASE: ReadonlySet<string> = new Set(['policy_versions.currency']);

/** Where the words come from. */
export const WORDS_FROM: Readonly<Record<string, readonly string[]>> = {
  '@svc/contract/audit-subjects.ts': ['AuditSubject'],
  '@svc/contract/money/fx-rates.ts': ['RateSource'],
  '@svc/contract/tables/proofs.ts': ['FactorKind', 'Proof'],
  '@svc/contract/tables/vocabulary.ts': [
    'ActionStatus',
    'AgentStatus',
    'ApprovalStatus',
    'DelegationStatus',
    'Effect',
    'EnvironmentType',
    'Mode',
    'PolicyScope',
    'PrincipalType',
    'RiskRating',
    'Severity',
    'ToolKind',
    'VersionStatus',
  ],
};
