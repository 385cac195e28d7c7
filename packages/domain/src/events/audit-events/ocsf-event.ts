import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { EVENT_ROWS, type EventType } from '@svc/contract/tables/events.ts';
import { OCSF_CLASSES, OCSF_VERSION } from '@svc/contract/tables/ocsf-classes.ts';
import { PRODUCT_NAME, VENDOR_NAME } from '@svc/contract/tables/product.ts';

const SEVERITY_IDS: Readonly<Record<AuditEvent['severity'], number>> = { info: 1, warning: 3, critical: 5 };
const USER_TYPE_IDS: Readonly<Record<string, number>> = { USER: 1, SYSTEM: 3 };
const OTHER = 99;
const PRODUCT = { name: PRODUCT_NAME, vendor_name: VENDOR_NAME };

type ClassName = keyof typeof OCSF_CLASSES;

/** The class and activity of a type. A type that a later release wrote is exported as another activity of the API. */
const classOfType = (type: string): readonly [ClassName, string] =>
  Object.hasOwn(EVENT_ROWS, type) ? EVENT_ROWS[type as EventType].ocsf : ['API_ACTIVITY', 'OTHER'];

/** Verbs in names of tools, by activity. A verb of none of these lists is activity 99, Other. */
const ACTIVITY_VERBS: Readonly<Record<string, readonly string[]>> = {
  CREATE: ['create', 'add', 'insert', 'new', 'open', 'upload', 'register', 'send', 'post'],
  READ: ['read', 'get', 'list', 'search', 'find', 'query', 'fetch', 'download', 'lookup', 'describe', 'count'],
  UPDATE: ['update', 'edit', 'set', 'change', 'modify', 'patch', 'put', 'replace', 'rename', 'move', 'write', 'append'],
  DELETE: ['delete', 'remove', 'drop', 'erase', 'destroy', 'purge', 'clear'],
};
const ACTIVITY_BY_VERB: ReadonlyMap<string, string> = new Map(
  Object.entries(ACTIVITY_VERBS).flatMap(([activity, verbs]) => verbs.map((verb) => [verb, activity] as const)),
);

/** Returns the activity of the first known verb in a tool's name: `crm.contacts.create`, `getInvoice`, `list_files`. */
const activityOfTool = (tool: string): string => {
  const words = tool.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);
  for (const word of words) {
    const activity = ACTIVITY_BY_VERB.get(word.toLowerCase());
    if (activity !== undefined) return activity;
  }
  return 'OTHER';
};

const getText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The tool that an event is about, if its data names one. */
const getTool = ({ data }: AuditEvent): string | undefined => getText((data as Readonly<Record<string, unknown>>).tool);

const getUser = ({ actor }: AuditEvent) => ({
  uid: actor.id,
  type: actor.type,
  type_id: USER_TYPE_IDS[actor.type] ?? OTHER,
  ...(actor.name === null ? {} : { name: actor.name }),
});

/** Members that a class has in addition to those of every class. */
const CLASS_MEMBERS: Readonly<Record<ClassName, (event: AuditEvent) => object>> = {
  API_ACTIVITY: (event) => ({
    api: { operation: getTool(event) ?? event.type, service: { name: PRODUCT_NAME } },
    src_endpoint: { svc_name: PRODUCT_NAME },
    resources: [{ uid: event.subject.id, type: event.subject.type }],
  }),
  AUTHENTICATION: (event) => ({
    user: event.subject.type === 'user' ? { uid: event.subject.id, type_id: 1 } : getUser(event),
    service: { name: PRODUCT_NAME },
  }),
  ACCOUNT_CHANGE: ({ subject }) => ({ user: { uid: subject.id, type: subject.type, type_id: subject.type === 'user' ? 1 : OTHER } }),
  ENTITY_MANAGEMENT: ({ subject }) => ({ entity: { uid: subject.id, type: subject.type } }),
  DETECTION_FINDING: ({ id, type, subject }) => ({
    finding_info: { uid: id, title: type },
    resources: [{ uid: subject.id, type: subject.type }],
  }),
};

/** Classes in which the schema allows `actor` only under a profile, which the event then names. */
const ACTOR_PROFILE: Partial<Readonly<Record<ClassName, string>>> = { ENTITY_MANAGEMENT: 'host', DETECTION_FINDING: 'host' };

const FINDING_STATUS_IDS: Readonly<Record<string, number>> = { CREATE: 1, UPDATE: 2, CLOSE: 4 };

const FAILED = /_failed$|_blocked$|\.blocked$|_denied$|\.denied$|\.failed$/;

/** Success or failure; of a finding, its state: new, in progress or resolved. */
const getStatusId = (name: ClassName, activity: string, type: string): number => {
  if (name === 'DETECTION_FINDING') return FINDING_STATUS_IDS[activity] ?? OTHER;
  return FAILED.test(type) ? 2 : 1;
};

/** Returns the reason of a decision; rule, policy version and amount have no member in a class and are in `unmapped`. */
const getStatus = ({ data }: AuditEvent) => {
  const { code, reason } = data as Readonly<Record<string, unknown>>;
  const [status_code, status_detail] = [getText(code), getText(reason)];
  return { ...(status_code === undefined ? {} : { status_code }), ...(status_detail === undefined ? {} : { status_detail }) };
};

/** Converts an event to the Open Cybersecurity Schema Framework; data without a member in its class is in `unmapped`. */
export const buildOcsfEvent = (event: AuditEvent) => {
  const [name, general] = classOfType(event.type);
  const tool = getTool(event);
  const activity = name === 'API_ACTIVITY' && general === 'OTHER' && tool !== undefined ? activityOfTool(tool) : general;
  const { uid, category, activities } = OCSF_CLASSES[name];
  const activityId = (activities as Readonly<Record<string, number>>)[activity] ?? OTHER;
  const profile = ACTOR_PROFILE[name];
  return {
    activity_id: activityId,
    ...(activityId === OTHER ? { activity_name: event.type } : {}),
    category_uid: category,
    class_uid: uid,
    type_uid: uid * 100 + activityId,
    time: Date.parse(event.occurred_at),
    severity_id: SEVERITY_IDS[event.severity],
    status_id: getStatusId(name, activity, event.type),
    message: event.type,
    ...getStatus(event),
    metadata: {
      version: OCSF_VERSION,
      product: PRODUCT,
      ...(profile === undefined ? {} : { profiles: [profile] }),
      uid: event.id,
      event_code: event.type,
      correlation_uid: event.request_id,
      log_name: 'audit',
      tenant_uid: event.organization_id,
      ...(event.sequence === null ? {} : { sequence: event.sequence }),
    },
    actor: { user: getUser(event) },
    ...CLASS_MEMBERS[name](event),
    unmapped: {
      workspace_id: event.workspace_id,
      environment_id: event.environment_id,
      trace_id: event.trace_id,
      subject: event.subject,
      data: event.data,
    },
  };
};

/** Author and time of an export, for the last line of its file. */
export type ExportOrigin = { readonly organization_id: string; readonly request_id: string; readonly exported_at: number };

/** The manifest at the end of an export as an OCSF event, so that every line of the file is one; it is in `unmapped.manifest`. */
export const buildOcsfManifest = (manifest: object, { organization_id, request_id, exported_at }: ExportOrigin) => {
  const { uid, category, activities } = OCSF_CLASSES.API_ACTIVITY;
  return {
    activity_id: activities.READ,
    category_uid: category,
    class_uid: uid,
    type_uid: uid * 100 + activities.READ,
    time: exported_at,
    severity_id: SEVERITY_IDS.info,
    status_id: 1,
    message: 'export manifest',
    metadata: {
      version: OCSF_VERSION,
      product: PRODUCT,
      event_code: 'export.manifest',
      correlation_uid: request_id,
      log_name: 'audit',
      tenant_uid: organization_id,
    },
    actor: { app_name: PRODUCT_NAME },
    api: { operation: 'exportAuditEvents', service: { name: PRODUCT_NAME } },
    src_endpoint: { svc_name: PRODUCT_NAME },
    unmapped: { manifest },
  };
};
