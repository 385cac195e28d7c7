import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { EVENT_ROWS, type EventType } from '@svc/contract/tables/events.ts';
import { OCSF_CLASSES, OCSF_VERSION } from '@svc/contract/tables/ocsf-classes.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';

const SEVERITY_IDS: Readonly<Record<AuditEvent['severity'], number>> = { info: 1, warning: 3, critical: 5 };
const USER_TYPE_IDS: Readonly<Record<string, number>> = { USER: 1, SYSTEM: 3 };
const OTHER = 99;

/** The class and activity of a type. A type that a later release wrote is exported as another activity of the API. */
const toldAs = (type: string): readonly [keyof typeof OCSF_CLASSES, string] =>
  Object.hasOwn(EVENT_ROWS, type) ? EVENT_ROWS[type as EventType].ocsf : ['API_ACTIVITY', 'OTHER'];

const userOf = ({ actor }: AuditEvent) => ({
  uid: actor.id,
  type: actor.type,
  type_id: USER_TYPE_IDS[actor.type] ?? OTHER,
  ...(actor.name === null ? {} : { name: actor.name }),
});

/** What each class wants besides what all of them have. */
const OF_CLASS: Readonly<Record<keyof typeof OCSF_CLASSES, (event: AuditEvent) => object>> = {
  API_ACTIVITY: ({ type, subject }) => ({
    api: { operation: type, service: { name: WIRE_NAME } },
    src_endpoint: { svc_name: WIRE_NAME },
    resources: [{ uid: subject.id, type: subject.type }],
  }),
  AUTHENTICATION: (event) => ({
    user: event.subject.type === 'user' ? { uid: event.subject.id, type_id: 1 } : userOf(event),
    service: { name: WIRE_NAME },
  }),
  ACCOUNT_CHANGE: ({ subject }) => ({ user: { uid: subject.id, type: subject.type, type_id: subject.type === 'user' ? 1 : OTHER } }),
  ENTITY_MANAGEMENT: ({ subject }) => ({ entity: { uid: subject.id, type: subject.type } }),
  DETECTION_FINDING: ({ id, type, subject }) => ({
    finding_info: { uid: id, title: type },
    resources: [{ uid: subject.id, type: subject.type }],
  }),
};

const FAILED = /_failed$|_blocked$|\.blocked$|_denied$|\.denied$|\.failed$/;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Why an action was decided as it was; rule, policy version and amount have no place in a class and are in `unmapped`. */
const statusOf = ({ data }: AuditEvent) => {
  const { code, reason } = data as Readonly<Record<string, unknown>>;
  const [status_code, status_detail] = [textOf(code), textOf(reason)];
  return { ...(status_code === undefined ? {} : { status_code }), ...(status_detail === undefined ? {} : { status_detail }) };
};

/** An event in the Open Cybersecurity Schema Framework; what has no place in its class is in `unmapped`. */
export const ocsfEvent = (event: AuditEvent) => {
  const [name, activity] = toldAs(event.type);
  const { uid, category, activities } = OCSF_CLASSES[name];
  const activityId = (activities as Readonly<Record<string, number>>)[activity] ?? OTHER;
  return {
    activity_id: activityId,
    ...(activityId === OTHER ? { activity_name: event.type } : {}),
    category_uid: category,
    class_uid: uid,
    type_uid: uid * 100 + activityId,
    time: Date.parse(event.occurred_at),
    severity_id: SEVERITY_IDS[event.severity],
    status_id: FAILED.test(event.type) ? 2 : 1,
    message: event.type,
    ...statusOf(event),
    metadata: {
      version: OCSF_VERSION,
      product: { name: WIRE_NAME, vendor_name: WIRE_NAME },
      uid: event.id,
      event_code: event.type,
      correlation_uid: event.request_id,
      log_name: 'audit',
      tenant_uid: event.organization_id,
      ...(event.sequence === null ? {} : { sequence: event.sequence }),
    },
    actor: { user: userOf(event) },
    ...OF_CLASS[name](event),
    unmapped: {
      workspace_id: event.workspace_id,
      environment_id: event.environment_id,
      trace_id: event.trace_id,
      subject: event.subject,
      data: event.data,
    },
  };
};
