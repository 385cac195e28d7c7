/** Kinds of notifications, in words. */
export const KIND_NAMES: Readonly<Record<string, string>> = {
  approval_waiting: 'Approvals waiting',
  approval_question: 'Questions about approvals',
  emergency: 'Emergency stops',
  incident_opened: 'Incidents',
  webhook_failing: 'Failing webhooks',
  channel_failing: 'Failing notification channels',
  mcp_server_quarantined: 'Quarantined MCP servers',
  key_expiring: 'Expiring API keys',
  agent_expiring: 'Expiring agents',
  passport_expiring: 'Expiring passports',
  delegation_expiring: 'Expiring delegations',
  evidence_expiring: 'Expiring trust evidence',
};
