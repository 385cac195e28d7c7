import { type Static, Type } from 'typebox';
import { AUDIT_SUBJECTS } from '../audit-subjects.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, cursorPage, enumSchema, id, jsonObject, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { PRINCIPAL_TYPES, SEVERITIES } from '../tables/vocabulary.ts';

export const AuditEvent = closedObject({
  id: id('Audit event id (evt_).'),
  type: Type.String(),
  occurred_at: timestamp,
  organization_id: Type.String(),
  workspace_id: nullable(Type.String()),
  environment_id: nullable(Type.String()),
  actor: closedObject({ type: Type.String(), id: Type.String(), name: nullable(Type.String()) }),
  subject: closedObject({ type: enumSchema(AUDIT_SUBJECTS), id: Type.String() }),
  severity: enumSchema(SEVERITIES),
  request_id: Type.String(),
  trace_id: Type.String(),
  data: jsonObject('Recorded change, with secrets masked.'),
  sequence: nullable(
    Type.Integer({ minimum: 0, description: 'Leaf index in the log of the organization; null until the event is sealed.' }),
  ),
});
export type AuditEvent = Static<typeof AuditEvent>;

export const AuditSearch = closedObject({
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  type: Type.Optional(Type.String({ maxLength: 2000, description: 'One type, or several separated by commas.' })),
  actor_id: Type.Optional(Type.String({ maxLength: 64 })),
  actor_type: Type.Optional(enumSchema(PRINCIPAL_TYPES)),
  subject_id: Type.Optional(Type.String({ maxLength: 64 })),
  workspace_id: Type.Optional(Type.String({ maxLength: 64 })),
  environment_id: Type.Optional(Type.String({ maxLength: 64 })),
  severity: Type.Optional(enumSchema(SEVERITIES)),
  request_id: Type.Optional(Type.String({ maxLength: 64 })),
  from: Type.Optional(Type.String({ maxLength: 24, description: 'Only events at or after this time.' })),
  to: Type.Optional(Type.String({ maxLength: 24, description: 'Only events before this time.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 120,
      description: 'Search words. Each must be a word, or the start of a word, in the type, the subject or the data.',
    }),
  ),
});
export type AuditSearch = Static<typeof AuditSearch>;

/** Filter of a stream, like that of a search. */
export const EventFilter = closedObject({
  ...Type.Pick(AuditSearch, ['type', 'actor_id', 'subject_id', 'severity', 'request_id']).properties,
  after: Type.Optional(
    Type.String({
      maxLength: LIMITS.streams.lastEventIdCharsMax,
      description: 'Start after this event: its id, or the id line of a stream. The header Last-Event-ID takes precedence.',
    }),
  ),
});

export const auditEventEndpoints = {
  searchAuditEvents: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'GET',
    path: '/v1/audit-events',
    summary: 'Search audit events, newest first.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:read'],
    query: AuditSearch,
    result: cursorPage(AuditEvent),
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  getAuditEvent: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'GET',
    path: '/v1/audit-events/{eventId}',
    summary: 'Get an audit event.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:read'],
    result: AuditEvent,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  streamEvents: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'GET',
    path: '/v1/events/stream',
    summary: 'Stream audit events as server-sent events. Resume with Last-Event-ID without gaps.',
    credential: 'caller',
    budget: 'caller',
    wire: 'stream',
    permissions: ['audit:read'],
    query: EventFilter,
    result: AuditEvent,
    emits: [],
    refuses: ['INVALID_REQUEST', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  }),
};
