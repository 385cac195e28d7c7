import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import type { EventType } from '@svc/contract/tables/events.ts';

/** A notification to send, once for each `about`. */
export type Noticed = {
  readonly kind: NotificationKind;
  readonly about: string;
  readonly facts: Readonly<Record<string, string>>;
};

type Told = Pick<AuditEvent, 'id' | 'occurred_at' | 'subject' | 'data'>;
/** An event about notifications that caused notifications would never end. */
type SourceType = Exclude<EventType, 'notification.created'>;

const once = (kind: NotificationKind, { id }: Told, facts: Noticed['facts'] = {}): Noticed => ({ kind, about: id, facts });
/** However often it happens to one subject in a day (UTC). */
const daily = (kind: NotificationKind, { subject, occurred_at }: Told, facts: Noticed['facts'] = {}): Noticed => ({
  kind,
  about: `${subject.id} ${occurred_at.slice(0, 10)}`,
  facts,
});

/** Identifiers and names of roles, none of which has a blank in it. */
const getWords = (list: unknown): string => (Array.isArray(list) ? list.filter((word) => typeof word === 'string').join(' ') : '');

const getText = (value: unknown): string => (typeof value === 'string' ? value : '');
const findName = (target: unknown): string => getText((target as { readonly name?: unknown } | null)?.name);

/** Event types that cause notifications, and when. Expiries are found by the job `warn-of-endings`. */
export const SOURCES = {
  'approval.requested': (event) => once('approval_waiting', event),
  'approval.escalated': (event) => once('approval_waiting', event, { because: 'escalated', roles: getWords(event.data.escalated_to) }),
  'approval.delegated': (event) => once('approval_waiting', event, { because: 'handed_over', people: getWords([event.data.to_user_id]) }),
  'approval.info_requested': (event) =>
    event.data.change === 'asked'
      ? once('approval_question', event)
      : once('approval_waiting', event, { because: 'answered', people: getWords([event.data.asked_by]) }),
  'environment.paused': (event) => once('emergency', event),
  'agent.suspended': (event) => (event.data.break_glass === true ? once('emergency', event) : undefined),
  'security.emergency_action_executed': (event) => {
    const { control, operation, target } = event.data;
    // The pause of an environment has an event of its own that causes a notification.
    return operation === 'execute' && control !== 'pause-environment'
      ? once('emergency', event, { control: getText(control), target: findName(target) })
      : undefined;
  },
  'emergency.access_updated': (event) =>
    event.data.change === 'requested' && event.data.drill !== true
      ? once('emergency', event, { control: 'break-glass-request', target: getText(event.data.name) || getText(event.data.user_id) })
      : undefined,
  'security.break_glass_granted': (event) =>
    once('emergency', event, { control: 'break-glass', target: getText(event.data.name) || getText(event.data.user_id) }),
  'incident.created': (event) =>
    event.data.drill === true
      ? undefined
      : once('incident_opened', event, { title: getText(event.data.title), severity: getText(event.data.incident_severity) }),
  'webhook.delivery_failed': (event) => daily('webhook_failing', event),
  'webhook.subscription_updated': (event) => {
    const { change, reason } = event.data;
    return change === 'disabled' && typeof reason === 'string' && reason !== 'BY_HAND'
      ? once('webhook_failing', event, { reason })
      : undefined;
  },
  'mcp.server_quarantined': (event) => once('mcp_server_quarantined', event),
  'trust.evidence_expiring': (event) =>
    once('evidence_expiring', event, {
      evidence: getText(event.data.kind).replaceAll('_', ' '),
      agent: getText(event.data.agent_id),
      ends_at: getText(event.data.expires_at).slice(0, 10),
    }),
  'notification_channel.disabled': (event) => once('channel_failing', event, { reason: getWords([event.data.reason]) }),
} as const satisfies Partial<Record<SourceType, (event: Told) => Noticed | undefined>>;

export const SOURCE_TYPES = Object.keys(SOURCES) as readonly (keyof typeof SOURCES)[];

const isSource = (type: string): type is keyof typeof SOURCES => Object.hasOwn(SOURCES, type);

/** Returns the notification for an event; undefined if there is none. */
export const buildNotice = (event: Told & { readonly type: string }): Noticed | undefined =>
  isSource(event.type) ? SOURCES[event.type](event) : undefined;
