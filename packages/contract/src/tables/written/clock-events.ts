import type { EventType } from '../events.ts';

/** Events that scheduled jobs write, by the name of the job. Events of requests are in the rows of their endpoints. */
export const CLOCK_EVENTS = {
  'close-stuck-actions': ['action.failed', 'credential.lease_expired'],
  'close-unreported-actions': ['action.failed'],
  'delete-organizations': ['organization.updated'],
  'disable-webhooks': ['webhook.subscription_updated'],
  'escalate-approvals': ['approval.escalated'],
  'expire-agents': ['agent.expired', 'approval.cancelled'],
  'expire-approvals': ['approval.expired'],
  'expire-delegations': ['delegation.expired', 'delegation.revoked'],
  'judge-controls': ['compliance.control_updated'],
  'list-mcp-servers': ['mcp.tools_discovered', 'mcp.server_quarantined', 'credential.issued'],
  'record-usage': ['usage.recorded'],
  'end-break-glass': ['security.break_glass_expired'],
  'open-incidents': ['incident.created', 'incident.updated', 'agent.paused'],
  'raise-risk-events': ['risk.event_created', 'risk.threshold_exceeded'],
  'refresh-automatic-rates': ['fx_rate.refreshed', 'fx_rate.refresh_failed'],
  'refresh-credentials': ['credential.rotation_failed'],
  'remove-audit-events': ['audit.retention_updated'],
  'renew-passports': ['passport.issued', 'passport.expired'],
  'send-a2a-notifications': ['a2a.interaction_allowed', 'a2a.interaction_blocked'],
  'send-to-channels': ['notification_channel.disabled'],
  'send-webhooks': ['webhook.delivery_failed'],
  'spread-notices': ['notification.created', 'notification_channel.disabled'],
  'tell-log-alarms': ['audit.integrity_verified', 'audit.event_rejected', 'audit.events_adopted'],
  'watch-evidence': ['trust.evidence_expiring', 'trust.evidence_expired', 'trust.evidence_revoked'],
  'verify-runtimes': ['credential.issued', 'integration.updated', 'compliance.control_updated'],
} as const satisfies Record<string, readonly EventType[]>;

type Told = typeof CLOCK_EVENTS;

/** Events of the named job; of all jobs without a name. */
export type ClockEvent<Name extends keyof Told = keyof Told> = Told[Name][number];
