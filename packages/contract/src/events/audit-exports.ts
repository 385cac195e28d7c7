import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, oneOf } from '../rows/schema.ts';
import { ALL_EVENT_TYPES } from '../tables/events.ts';
import { PRINCIPAL_TYPES, SEVERITIES } from '../tables/vocabulary.ts';

export const EXPORT_FORMATS = ['JSONL', 'CSV', 'OCSF'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));
const time = (description: string) => Type.Optional(Type.String({ maxLength: 24, examples: ['2026-01-31T09:30:00.000Z'], description }));

/** Which events are meant; all that is said has to fit. */
export const EventsAsked = closed({
  type: Type.Optional(
    Type.Array(oneOf(ALL_EVENT_TYPES), { minItems: 1, maxItems: ALL_EVENT_TYPES.length, description: 'One of these types.' }),
  ),
  actor_id: text('Done by this one.'),
  actor_type: Type.Optional(oneOf(PRINCIPAL_TYPES)),
  subject_id: text('About this.'),
  severity: Type.Optional(oneOf(SEVERITIES)),
  request_id: text('Only events of this request.'),
  workspace_id: text('In this workspace.'),
  environment_id: text('In this environment.'),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 120, description: 'Part of the type, the subject or the data.' })),
});
export type EventsAsked = Static<typeof EventsAsked>;

export const ExportRequest = closed({
  format: Type.Optional(oneOf(EXPORT_FORMATS, 'JSONL when left out, which alone can be verified offline.')),
  filter: Type.Optional(EventsAsked),
  records: Type.Optional(
    Type.Boolean({
      description: 'JSONL only, and needs action:read: adds the records that events cover, so that they can be verified offline.',
    }),
  ),
  from: time('Not older than this time.'),
  to: time('Older than this time.'),
});
export type ExportRequest = Static<typeof ExportRequest>;

export const auditExportEndpoints = {
  exportAuditEvents: endpoint({
    plane: 'control',
    area: 'events',
    method: 'POST',
    path: '/v1/audit-events/export',
    summary: 'Export all sealed events as a stream; the file is complete if it ends with its manifest.',
    credential: 'caller',
    budget: 'caller',
    wire: 'download',
    permissions: ['audit:export'],
    body: ExportRequest,
    bodyOptional: true,
    result: Type.String({ description: 'Events, one on a line, and the manifest on the last.' }),
    emits: ['audit.exported'],
    refuses: ['PERMISSION_DENIED', 'VALIDATION_FAILED', 'CONFLICT', 'RATE_LIMITED'],
    automation: 'ALLOWED',
  }),
};
