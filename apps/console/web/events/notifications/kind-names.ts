/** What people are told of, in words. */
export const KIND_NAMES: Readonly<Record<string, string>> = {
  approval_waiting: 'Approvals that wait',
  approval_question: 'Questions of approvers',
  emergency: 'Emergency stops',
  webhook_failing: 'Webhooks that fail',
  channel_failing: 'Notification channels that fail',
  key_expiring: 'API keys that expire',
  agent_expiring: 'Agents that reach their end',
  passport_expiring: 'Passports that end',
  delegation_expiring: 'Delegations that end',
};
