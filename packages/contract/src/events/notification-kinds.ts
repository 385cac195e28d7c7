/** Kinds of notifications. */
export const NOTIFICATION_KINDS = [
  'approval_waiting',
  'approval_question',
  'emergency',
  'incident_opened',
  'webhook_failing',
  'channel_failing',
  'mcp_server_quarantined',
  'key_expiring',
  'agent_expiring',
  'passport_expiring',
  'delegation_expiring',
  'evidence_expiring',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Choices for the inbox. */
export const INBOX_CHOICES = ['AT_ONCE', 'OFF'] as const;
/** Choices for mail. */
export const MAIL_CHOICES = ['AT_ONCE', 'DIGEST', 'OFF'] as const;

export type NotificationChoice = { readonly inbox: (typeof INBOX_CHOICES)[number]; readonly mail: (typeof MAIL_CHOICES)[number] };
