import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema } from '../rows/schema.ts';
import { ALL_EVENT_TYPES } from '../tables/events.ts';
import { PRINCIPAL_TYPES, SEVERITIES } from '../tables/vocabulary.ts';

export const EXPORT_FORMATS = ['JSONL', 'CSV', 'OCSF'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));
const time = (description: string) => Type.Optional(Type.String({ maxLength: 24, examples: ['2026-01-31T09:30:00.000Z'], description }));

/** Selects events; all members must match. */
export const EventSelection = closedObject({
  type: Type.Optional(
    Type.Array(enumSchema(ALL_EVENT_TYPES), { minItems: 1, maxItems: ALL_EVENT_TYPES.length, description: 'Only events of these types.' }),
  ),
  actor_id: text('Only events of this actor.'),
  actor_type: Type.Optional(enumSchema(PRINCIPAL_TYPES)),
  subject_id: text('About this.'),
  severity: Type.Optional(enumSchema(SEVERITIES)),
  request_id: text('Only events of this request.'),
  workspace_id: text('Only events in this workspace.'),
  environment_id: text('Only events in this environment.'),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 120, description: 'Part of the type, the subject or the data.' })),
});
export type EventSelection = Static<typeof EventSelection>;

export const ExportRequest = closedObject({
  format: Type.Optional(enumSchema(EXPORT_FORMATS, 'Default: JSONL, the only format that can be verified offline.')),
  filter: Type.Optional(EventSelection),
  records: Type.Optional(
    Type.Boolean({
      description: 'Adds the records that events cover, so that they can be verified offline. JSONL only; requires action:read.',
    }),
  ),
  from: time('Only events at or after this time.'),
  to: time('Only events before this time.'),
});
export type ExportRequest = Static<typeof ExportRequest>;

export const auditExportEndpoints = {
  exportAuditEvents: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'POST',
    path: '/v1/audit-events/export',
    summary: 'Export all sealed events as a stream. The file is complete if it ends with its manifest.',
    credential: 'caller',
    budget: 'caller',
    wire: 'download',
    media: ['application/x-ndjson', 'text/csv'],
    permissions: ['audit:export'],
    body: ExportRequest,
    bodyOptional: true,
    result: Type.String({ description: 'One event per line, and the manifest on the last line.' }),
    emits: ['audit.exported'],
    refuses: ['PERMISSION_DENIED', 'VALIDATION_FAILED', 'CONFLICT', 'RATE_LIMITED'],
    automation: 'ALLOWED',
  }),
};
