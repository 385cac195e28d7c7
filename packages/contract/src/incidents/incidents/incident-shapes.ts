import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, id, nullable, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { EMERGENCY_CONTROLS, EMERGENCY_TARGETS } from '../emergency/emergency-shapes.ts';

export const INCIDENT_STATUSES = ['OPEN', 'CONTAINED', 'RESOLVED', 'CLOSED'] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const INCIDENT_SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

export const INCIDENT_RESOLUTIONS = ['FIXED', 'FALSE_ALARM', 'ACCEPTED', 'DUPLICATE'] as const;
export type IncidentResolution = (typeof INCIDENT_RESOLUTIONS)[number];

/** Kinds of resources that an incident may be about. */
export const INCIDENT_SUBJECTS = ['agent', 'tool', 'environment', 'policy', 'credential', 'mcp_server'] as const;
export type IncidentSubjectType = (typeof INCIDENT_SUBJECTS)[number];

export const IncidentSubject = closedObject({ type: enumSchema(INCIDENT_SUBJECTS), id: id('Id of the subject.') });
export type IncidentSubject = Static<typeof IncidentSubject>;

export const subjects = Type.Array(IncidentSubject, {
  maxItems: LIMITS.incidents.subjectsMax,
  uniqueItems: true,
  description: 'Subjects of the incident. Their events become part of the timeline.',
});

export const ContainmentStep = closedObject({
  id: Type.String({ description: 'Execution id (emx_).' }),
  control: enumSchema(EMERGENCY_CONTROLS),
  target: closedObject({ type: enumSchema(EMERGENCY_TARGETS), id: Type.String(), name: Type.String() }),
  outcome: enumSchema(['CHANGED', 'UNCHANGED'] as const),
  confirmed: Type.Integer({ description: 'Number that the person confirmed.' }),
  actual: Type.Integer({ description: 'Number at the time of the change.' }),
  reason: Type.String(),
  drill: Type.Boolean(),
  executed_by: Type.String(),
  executed_at: timestamp,
  in_force: Type.Boolean({ description: 'False once it was undone.' }),
});
export type ContainmentStep = Static<typeof ContainmentStep>;

export const Incident = closedObject({
  id: id('Incident id (inc_).'),
  title: Type.String(),
  description: Type.String(),
  severity: enumSchema(INCIDENT_SEVERITIES),
  status: enumSchema(INCIDENT_STATUSES),
  workspace_id: nullable(Type.String()),
  environment_id: nullable(Type.String()),
  subjects: Type.Array(IncidentSubject),
  owner_id: nullable(Type.String()),
  drill: Type.Boolean({ description: 'True for an exercise.' }),
  opened_by: closedObject({ type: Type.String(), id: Type.String() }),
  rule_id: nullable(Type.String({ description: 'Rule that opened it; null if a person did.' })),
  matches: Type.Integer({ description: 'How often the rule matched.' }),
  resolution: nullable(enumSchema(INCIDENT_RESOLUTIONS)),
  duplicate_of: nullable(Type.String()),
  summary: nullable(Type.String()),
  acknowledged_at: nullable({ ...timestamp, description: 'Time of the first action of a person on it.' }),
  contained_at: nullable(timestamp),
  resolved_at: nullable(timestamp),
  closed_at: nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Incident = Static<typeof Incident>;

export const IncidentDetail = closedObject({
  ...Incident.properties,
  is_contained: Type.Boolean({ description: 'True if there are containment steps and all of them are in force.' }),
  steps: Type.Array(ContainmentStep),
});
export type IncidentDetail = Static<typeof IncidentDetail>;

export const INCIDENT_ENTRY_KINDS = ['NOTE', 'STEP', 'EVENT', 'RULE'] as const;
export type IncidentEntryKind = (typeof INCIDENT_ENTRY_KINDS)[number];

export const IncidentEntry = closedObject({
  id: Type.String(),
  kind: enumSchema(INCIDENT_ENTRY_KINDS),
  at: timestamp,
  last_at: { ...timestamp, description: 'Time of the newest event of the entry.' },
  count: Type.Integer({ description: 'Events that the entry stands for.' }),
  event_id: nullable(Type.String({ description: 'First event of the entry.' })),
  pinned: Type.Boolean(),
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type IncidentEntry = Static<typeof IncidentEntry>;

export const IncidentReport = closedObject({
  incident: IncidentDetail,
  times: closedObject({
    to_acknowledge_seconds: nullable(Type.Integer()),
    to_contain_seconds: nullable(Type.Integer()),
    to_resolve_seconds: nullable(Type.Integer()),
  }),
  people: Type.Array(closedObject({ id: Type.String(), entries: Type.Integer() })),
  decisions: closedObject(
    { refused: Type.Integer(), permitted: Type.Integer() },
    'Decisions about its subjects in the timeline, before containment.',
  ),
  still_in_force: Type.Array(Type.String(), { description: 'Containment steps that are in force.' }),
  timeline: Type.Array(IncidentEntry, { description: 'The first entries of the timeline.' }),
  entries: Type.Integer({ description: 'Entries of the timeline.' }),
  checkpoint: nullable(
    closedObject(
      { size: Type.Integer(), root_hash: Type.String() },
      'Newest checkpoint of the log of the organization; its proofs cover the events.',
    ),
  ),
  written_at: timestamp,
  markdown: Type.String({ description: 'The same as Markdown.' }),
});
export type IncidentReport = Static<typeof IncidentReport>;
