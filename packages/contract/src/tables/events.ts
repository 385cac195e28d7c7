import type { Severity } from './vocabulary.ts';

/** One row of the table of events. */
export type EventRow = {
  /** Whether a webhook subscription may name the type. */
  readonly webhook: boolean;
  /** The severity an event is recorded with, unless the operation has reason to raise it. */
  readonly severity: Severity;
  /** What has happened when the event is written. */
  readonly when: string;
};

/** The 156 types of audit events, 32 of them for webhooks. Consumers branch on the names, so a name is never changed. */
export const EVENTS = {
  'a2a.connection_created': {
    webhook: false,
    severity: 'info',
    when: 'A connection to a remote agent was registered; it cannot be used yet.',
  },
  'a2a.connection_updated': { webhook: false, severity: 'info', when: 'The settings of a connection to a remote agent were changed.' },
  'a2a.connection_blocked': { webhook: true, severity: 'warning', when: 'A connection was blocked, including running sessions.' },
  'a2a.passport_verified': {
    webhook: false,
    severity: 'info',
    when: 'The passport of a remote agent was verified against its registered key.',
  },
  'a2a.interaction_allowed': { webhook: false, severity: 'info', when: 'A message between agents was allowed.' },
  'a2a.interaction_blocked': { webhook: false, severity: 'warning', when: 'A message between agents was refused.' },
  'action.requested': { webhook: true, severity: 'info', when: 'An agent requested a protected action.' },
  'action.allowed': { webhook: true, severity: 'info', when: 'A decision permitted an action.' },
  'action.blocked': { webhook: true, severity: 'warning', when: 'A decision refused an action.' },
  'action.limited': { webhook: false, severity: 'info', when: 'A decision permitted an action within a limit.' },
  'action.masked': { webhook: false, severity: 'info', when: 'A decision permitted an action with values masked.' },
  'action.approval_required': { webhook: true, severity: 'info', when: 'A decision held an action until a person approves it.' },
  'action.completed': { webhook: true, severity: 'info', when: 'A permitted action was executed.' },
  'action.failed': { webhook: false, severity: 'warning', when: 'A permitted action failed, or its outcome is unknown.' },
  'action.observed': {
    webhook: false,
    severity: 'info',
    when: 'In OBSERVE mode, an action was executed and the decision was only recorded.',
  },
  'action.simulated': { webhook: false, severity: 'info', when: 'In SIMULATE mode, a decision was made and nothing was executed.' },
  'agent.created': { webhook: true, severity: 'info', when: 'An agent was registered.' },
  'agent.updated': { webhook: true, severity: 'info', when: 'Metadata of an agent was changed.' },
  'agent.paused': { webhook: true, severity: 'warning', when: 'An agent was paused.' },
  'agent.resumed': { webhook: true, severity: 'info', when: 'An agent was resumed.' },
  'agent.suspended': { webhook: true, severity: 'warning', when: 'An agent was suspended for security.' },
  'agent.revoked': { webhook: true, severity: 'critical', when: 'The identity of an agent was revoked permanently.' },
  'agent.decommissioned': { webhook: false, severity: 'warning', when: 'An agent was decommissioned permanently.' },
  'agent.expired': { webhook: false, severity: 'warning', when: 'An agent passed its expiry.' },
  'agent.isolated': { webhook: false, severity: 'critical', when: 'An emergency control isolated an agent.' },
  'agent.capability_granted': { webhook: false, severity: 'info', when: 'A capability was granted to an agent.' },
  'agent.capability_revoked': { webhook: false, severity: 'info', when: 'A capability was withdrawn from an agent.' },
  'agent.identity_rotated': { webhook: false, severity: 'warning', when: 'The key of an agent was replaced and its sessions ended.' },
  'apikey.created': { webhook: false, severity: 'info', when: 'An API key was created.' },
  'apikey.revoked': { webhook: false, severity: 'info', when: 'An API key was revoked.' },
  'approval.requested': { webhook: true, severity: 'info', when: 'A person was asked to decide on an action.' },
  'approval.approved': { webhook: true, severity: 'info', when: 'The required number of people approved; the action can continue.' },
  'approval.denied': { webhook: true, severity: 'info', when: 'An approval was denied.' },
  'approval.expired': { webhook: true, severity: 'info', when: 'An approval expired before it was granted or used.' },
  'approval.cancelled': { webhook: false, severity: 'info', when: 'A pending approval was withdrawn.' },
  'approval.escalated': {
    webhook: false,
    severity: 'warning',
    when: 'A pending approval was escalated because it was not decided in time.',
  },
  'approval.info_requested': { webhook: false, severity: 'info', when: 'An approver asked the requester a question.' },
  'approval.delegated': { webhook: false, severity: 'info', when: 'An approver reassigned a decision to another approver.' },
  'audit.exported': { webhook: false, severity: 'warning', when: 'Audit events were exported.' },
  'audit.retention_updated': {
    webhook: false,
    severity: 'critical',
    when: 'The retention of audit events was changed, or expired events were removed.',
  },
  'audit.integrity_verified': { webhook: false, severity: 'info', when: 'The audit events were verified against the log.' },
  'cli.authorization_approved': { webhook: false, severity: 'info', when: 'A person approved a command-line sign-in.' },
  'cli.authorization_denied': { webhook: false, severity: 'warning', when: 'A person denied a command-line sign-in.' },
  'cli.session_issued': { webhook: false, severity: 'info', when: 'The command line exchanged an approved sign-in for a session.' },
  'code_assist.requested': { webhook: false, severity: 'info', when: 'A rewrite of guard code was requested from hosted code assist.' },
  'compliance.control_updated': { webhook: false, severity: 'info', when: 'The state of a compliance control was changed.' },
  'credential.created': { webhook: false, severity: 'info', when: 'A credential was stored.' },
  'credential.issued': { webhook: true, severity: 'info', when: 'A credential was leased for one action.' },
  'credential.rotated': { webhook: true, severity: 'warning', when: 'The secret of a credential was replaced.' },
  'credential.revoked': { webhook: true, severity: 'warning', when: 'A credential was revoked.' },
  'credential.lease_expired': { webhook: false, severity: 'info', when: 'A lease expired before it was returned.' },
  'credential.rotation_failed': { webhook: false, severity: 'critical', when: 'The secret of a credential could not be replaced.' },
  'delegation.created': { webhook: true, severity: 'info', when: 'A delegation was created.' },
  'delegation.reduced': { webhook: false, severity: 'info', when: 'The scope, ceiling or expiry of a delegation was narrowed.' },
  'delegation.extended': { webhook: false, severity: 'warning', when: 'A root delegation was replaced by one that lasts longer.' },
  'delegation.revoked': { webhook: true, severity: 'warning', when: 'A delegation was revoked, with everything derived from it.' },
  'delegation.expired': { webhook: false, severity: 'info', when: 'A delegation passed its expiry.' },
  'delegation.escalation_blocked': { webhook: false, severity: 'critical', when: 'A delegation that would widen its parent was refused.' },
  'environment.created': { webhook: false, severity: 'info', when: 'An environment was created.' },
  'environment.updated': { webhook: false, severity: 'info', when: 'An environment was changed.' },
  'environment.mode_changed': {
    webhook: false,
    severity: 'warning',
    when: 'The enforcement mode of an environment was changed; a reduction is recorded as critical.',
  },
  'environment.paused': { webhook: false, severity: 'critical', when: 'All protected execution of an environment was paused.' },
  'environment.resumed': { webhook: false, severity: 'warning', when: 'Protected execution of an environment was resumed.' },
  'fx_rate.created': { webhook: false, severity: 'info', when: 'A manual exchange rate was set.' },
  'fx_rate.deleted': { webhook: false, severity: 'info', when: 'A manual exchange rate was removed.' },
  'fx_rate.refreshed': { webhook: false, severity: 'info', when: 'Automatic exchange rates were fetched.' },
  'fx_rate.refresh_failed': { webhook: false, severity: 'warning', when: 'Automatic exchange rates could not be fetched.' },
  'incident.created': { webhook: true, severity: 'warning', when: 'An incident was opened.' },
  'incident.updated': { webhook: false, severity: 'info', when: 'An incident was changed.' },
  'incident.contained': { webhook: false, severity: 'info', when: 'An incident was contained.' },
  'incident.resolved': { webhook: true, severity: 'info', when: 'An incident was resolved.' },
  'incident.closed': { webhook: false, severity: 'info', when: 'An incident was closed.' },
  'integration.created': { webhook: false, severity: 'info', when: 'An integration with another application was set up.' },
  'integration.updated': { webhook: false, severity: 'info', when: 'An integration with another application was changed.' },
  'mcp.server_registered': { webhook: false, severity: 'info', when: 'An MCP server was registered; its tools cannot be used yet.' },
  'mcp.server_updated': { webhook: false, severity: 'info', when: 'An MCP server was changed.' },
  'mcp.server_disabled': { webhook: false, severity: 'warning', when: 'An MCP server was disabled.' },
  'mcp.server_quarantined': {
    webhook: false,
    severity: 'critical',
    when: 'An MCP server changed its tools unexpectedly and was quarantined.',
  },
  'mcp.tools_discovered': { webhook: false, severity: 'info', when: 'The tools of an MCP server were listed.' },
  'mcp.tool_authorized': { webhook: false, severity: 'info', when: 'A tool of an MCP server was authorized.' },
  'mcp.tool_disabled': { webhook: true, severity: 'warning', when: 'A tool of an MCP server was disabled.' },
  'mcp.tool_invoked': { webhook: false, severity: 'info', when: 'A tool of an MCP server was called under governance.' },
  'member.invited': { webhook: false, severity: 'info', when: 'A person was invited to the organization.' },
  'member.joined': { webhook: false, severity: 'info', when: 'A person joined the organization.' },
  'member.role_changed': { webhook: false, severity: 'warning', when: 'The role of a member was changed.' },
  'member.removed': { webhook: false, severity: 'warning', when: 'A member was removed.' },
  'notification.created': { webhook: false, severity: 'info', when: 'A notification was created for a person.' },
  'onboarding.completed': { webhook: false, severity: 'info', when: 'The onboarding was completed and the initial mode was applied.' },
  'organization.created': { webhook: false, severity: 'info', when: 'An organization was created, with its first owner.' },
  'organization.updated': { webhook: false, severity: 'info', when: 'An organization was changed or deleted.' },
  'organization.base_currency_changed': { webhook: false, severity: 'warning', when: 'The base currency of an organization was changed.' },
  'passport.issued': { webhook: false, severity: 'info', when: 'A passport was issued to an agent.' },
  'passport.verified': { webhook: false, severity: 'info', when: 'A passport was verified.' },
  'passport.rotated': { webhook: false, severity: 'info', when: 'A passport was replaced by a new version.' },
  'passport.revoked': { webhook: false, severity: 'warning', when: 'A passport was revoked.' },
  'passport.expired': { webhook: false, severity: 'info', when: 'A passport passed its expiry.' },
  'passport.exported': { webhook: false, severity: 'info', when: 'A passport was exported.' },
  'policy.created': { webhook: true, severity: 'info', when: 'A policy was created.' },
  'policy.updated': { webhook: true, severity: 'info', when: 'A draft version of a policy was saved.' },
  'policy.deleted': { webhook: false, severity: 'warning', when: 'A policy was deleted.' },
  'policy.validated': { webhook: false, severity: 'info', when: 'A version of a policy was validated for activation.' },
  'policy.simulated': { webhook: false, severity: 'info', when: 'A stored simulation of a policy was run.' },
  'policy.activated': { webhook: true, severity: 'warning', when: 'A version of a policy was activated.' },
  'policy.suspended': { webhook: false, severity: 'critical', when: 'A policy was suspended.' },
  'policy.rolled_back': { webhook: true, severity: 'warning', when: 'The content of an earlier version was activated as a new version.' },
  'policy.bound': { webhook: false, severity: 'warning', when: 'A policy was bound to a scope.' },
  'policy.unbound': { webhook: false, severity: 'warning', when: 'A policy was unbound from a scope.' },
  'policy.test_run': { webhook: false, severity: 'info', when: 'The recorded tests of a policy were run for an activation.' },
  'registry.listing_published': { webhook: false, severity: 'info', when: 'An agent or tool was listed in the registry.' },
  'registry.listing_unpublished': { webhook: false, severity: 'info', when: 'A listing was removed from the registry.' },
  'risk.event_created': { webhook: false, severity: 'warning', when: 'A risk signal fired.' },
  'risk.threshold_exceeded': { webhook: true, severity: 'critical', when: 'The risk of an agent passed its threshold.' },
  'risk.acknowledged': { webhook: false, severity: 'info', when: 'A person acknowledged a risk event.' },
  'risk.configuration_updated': { webhook: false, severity: 'warning', when: 'The settings of risk signals were changed.' },
  'role.created': { webhook: false, severity: 'info', when: 'A custom role was created.' },
  'role.updated': { webhook: false, severity: 'warning', when: 'The permissions of a custom role were changed.' },
  'role.deleted': { webhook: false, severity: 'warning', when: 'A custom role was deleted.' },
  'scim.configuration_updated': { webhook: false, severity: 'warning', when: 'The provisioning of members from a directory was changed.' },
  'security.emergency_action_executed': { webhook: true, severity: 'critical', when: 'An emergency control was executed.' },
  'security.break_glass_granted': { webhook: false, severity: 'critical', when: 'Emergency access was granted for a short time.' },
  'security.break_glass_expired': { webhook: false, severity: 'warning', when: 'Emergency access expired.' },
  'security.destination_blocked': {
    webhook: false,
    severity: 'warning',
    when: 'A call to a destination that is not permitted was blocked.',
  },
  'session.revoked': { webhook: false, severity: 'info', when: 'A session was revoked.' },
  'sso.connection_updated': { webhook: false, severity: 'warning', when: 'A single sign-on connection was changed.' },
  'subscription.updated': { webhook: false, severity: 'info', when: 'The subscription of the organization was changed.' },
  'tool.created': { webhook: false, severity: 'info', when: 'A tool was registered.' },
  'tool.updated': { webhook: false, severity: 'info', when: 'A tool was changed, or an agent authorized for it.' },
  'tool.disabled': { webhook: false, severity: 'warning', when: 'A tool was disabled for every agent.' },
  'tool.enabled': { webhook: false, severity: 'info', when: 'A disabled tool was enabled.' },
  'tool.restricted': {
    webhook: false,
    severity: 'warning',
    when: 'The destinations or agents of a tool were narrowed, or the authorization of an agent for it was withdrawn.',
  },
  'trust.evidence_added': { webhook: true, severity: 'info', when: 'Trust evidence was added.' },
  'trust.evidence_revoked': { webhook: false, severity: 'warning', when: 'Trust evidence was revoked.' },
  'trust.evidence_expiring': { webhook: false, severity: 'info', when: 'Trust evidence will expire soon.' },
  'trust.evidence_expired': { webhook: true, severity: 'warning', when: 'Trust evidence expired.' },
  'trust.provider_created': { webhook: false, severity: 'info', when: 'A provider of trust evidence was registered.' },
  'usage.recorded': { webhook: false, severity: 'info', when: 'Usage of the service was counted.' },
  'user.login_succeeded': { webhook: false, severity: 'info', when: 'A person signed in.' },
  'user.login_failed': { webhook: false, severity: 'warning', when: 'A sign-in failed.' },
  'user.logged_out': { webhook: false, severity: 'info', when: 'A person signed out.' },
  'user.mfa_enrolled': { webhook: false, severity: 'info', when: 'A person enrolled a second factor for the first time.' },
  'user.mfa_factor_added': { webhook: false, severity: 'info', when: 'A person added another second factor.' },
  'user.mfa_factor_removed': { webhook: false, severity: 'warning', when: 'A person removed a second factor.' },
  'user.mfa_recovery_codes_regenerated': { webhook: false, severity: 'warning', when: 'A person replaced the recovery codes.' },
  'user.mfa_device_approval_requested': { webhook: false, severity: 'info', when: 'A sign-in asked a trusted device for approval.' },
  'user.mfa_device_approval_decided': { webhook: false, severity: 'info', when: 'A trusted device approved or refused a sign-in.' },
  'user.step_up_completed': { webhook: false, severity: 'info', when: 'A person completed a step-up.' },
  'user.password_changed': { webhook: false, severity: 'warning', when: 'A person changed their password.' },
  'user.identity_linked': { webhook: false, severity: 'info', when: 'An identity of a provider was linked to a person.' },
  'user.identity_unlinked': { webhook: false, severity: 'info', when: 'An identity of a provider was unlinked from a person.' },
  'user.profile_updated': { webhook: false, severity: 'info', when: 'A person changed their profile.' },
  'webhook.subscription_created': { webhook: false, severity: 'info', when: 'A webhook subscription was created.' },
  'webhook.subscription_updated': { webhook: false, severity: 'info', when: 'A webhook subscription was changed, disabled or deleted.' },
  'webhook.secret_rotated': { webhook: false, severity: 'info', when: 'The signing secret of a webhook subscription was replaced.' },
  'webhook.delivery_failed': { webhook: false, severity: 'warning', when: 'A webhook delivery failed permanently.' },
  'workspace.created': { webhook: false, severity: 'info', when: 'A workspace was created.' },
  'workspace.updated': { webhook: false, severity: 'info', when: 'A workspace was changed.' },
} as const satisfies Record<string, EventRow>;

/**
 * Types that the service tells besides those 156, where none of them says what happened. They are in the record and in whatever is read from
 * it, never in a webhook, and are listed apart, since clients know the 156 as a closed list.
 */
export const ADDED_EVENTS = {
  'audit.event_rejected': { webhook: false, severity: 'critical', when: 'Audit events that the service did not write were found.' },
  'audit.events_adopted': {
    webhook: false,
    severity: 'warning',
    when: 'An upgrade authenticated events from an earlier version that were not sealed yet.',
  },
  'approval.vote_cast': { webhook: false, severity: 'info', when: 'A person voted on an approval; the decision is a separate event.' },
  'approval.vote_withdrawn': {
    webhook: false,
    severity: 'info',
    when: 'A person withdrew their approving vote before the approval was used.',
  },
  'approval.restored': { webhook: false, severity: 'info', when: 'An approval is usable again: the call that used it was never sent.' },
  'approval.edited': { webhook: false, severity: 'info', when: 'An approver narrowed the request; earlier votes no longer count.' },
  'member.invitation_confirmed': {
    webhook: false,
    severity: 'warning',
    when: 'A person confirmed an invitation that an API key created, and it was sent.',
  },
  'notification_channel.created': { webhook: false, severity: 'info', when: 'A notification channel was created.' },
  'notification_channel.updated': { webhook: false, severity: 'info', when: 'A notification channel was changed or tested.' },
  'notification_channel.deleted': { webhook: false, severity: 'info', when: 'A notification channel was deleted.' },
  'notification_channel.disabled': {
    webhook: false,
    severity: 'warning',
    when: 'A notification channel was disabled automatically.',
  },
} as const satisfies Record<string, EventRow & { readonly webhook: false }>;

export type AddedEventType = keyof typeof ADDED_EVENTS;

export type EventType = keyof typeof EVENTS | AddedEventType;

/** Every type that may be in the record. */
export const EVENT_ROWS = { ...EVENTS, ...ADDED_EVENTS } as const satisfies Record<EventType, EventRow>;

export type WebhookEventType = {
  [Type in keyof typeof EVENTS]: (typeof EVENTS)[Type]['webhook'] extends true ? Type : never;
}[keyof typeof EVENTS];

/** The 156. */
export const EVENT_TYPES = Object.keys(EVENTS) as readonly (keyof typeof EVENTS)[];

export const ADDED_EVENT_TYPES = Object.keys(ADDED_EVENTS) as readonly AddedEventType[];

export const ALL_EVENT_TYPES: readonly EventType[] = [...EVENT_TYPES, ...ADDED_EVENT_TYPES];

export const isWebhookEventType = (type: EventType): type is WebhookEventType => EVENT_ROWS[type].webhook;

export const WEBHOOK_EVENT_TYPES: readonly WebhookEventType[] = ALL_EVENT_TYPES.filter(isWebhookEventType);
