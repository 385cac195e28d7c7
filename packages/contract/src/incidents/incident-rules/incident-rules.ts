import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable, reason, timestamp } from '../../rows/schema.ts';
import { INCIDENT_LIMITS } from '../../tables/limits/incident-limits.ts';
import { INCIDENT_SEVERITIES } from '../incidents/incident-shapes.ts';
import { RULE_CONDITION_NAMES, RULE_CONDITIONS, RULE_KEYS } from './conditions.ts';

const { countMax, withinSecondsMax, reopenMinutesMax } = INCIDENT_LIMITS.incidentRules;

/** Effects of a rule in addition to opening an incident. No rule does more than pause one agent. */
export const RULE_CONTAINMENTS = ['PAUSE_AGENT'] as const;

const CONDITION_WORDS = RULE_CONDITION_NAMES.map((each) => `${each}: ${RULE_CONDITIONS[each].description}`).join(' ');

const members = {
  name: name('Name of the rule, and the title of its incidents.'),
  condition: enumSchema(RULE_CONDITION_NAMES, CONDITION_WORDS),
  score: nullable(Type.Integer({ minimum: 1, maximum: 100, description: 'RISK_SCORE: the smallest score.' })),
  code: nullable(
    Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Z][A-Z_]*$', description: 'REFUSAL_CODE: the error code of the refusal.' }),
  ),
  key: enumSchema(RULE_KEYS, 'Findings are grouped by it: one open incident for each. The default is the first that the condition knows.'),
  count: Type.Integer({ minimum: 1, maximum: countMax, description: 'Findings of one key from which an incident is opened.' }),
  within_seconds: Type.Integer({ minimum: 1, maximum: withinSecondsMax, description: 'Time within which they are counted.' }),
  severity: enumSchema(INCIDENT_SEVERITIES),
  contain: nullable(enumSchema(RULE_CONTAINMENTS, 'PAUSE_AGENT: pauses the agent of the key. Requires agent:pause.')),
  reopen_minutes: Type.Integer({
    minimum: 0,
    maximum: reopenMinutesMax,
    description:
      'Findings so soon after an incident was resolved reopen it; after FALSE_ALARM they are only counted. Later ones open another incident.',
  }),
};

export const IncidentRule = closedObject({
  id: id('Incident rule id (irl_).'),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  ...members,
  enabled: Type.Boolean(),
  created_by: Type.String(),
  created_at: timestamp,
  updated_by: Type.String(),
  updated_at: timestamp,
});
export type IncidentRule = Static<typeof IncidentRule>;

const optional = {
  score: Type.Optional(members.score),
  code: Type.Optional(members.code),
  key: Type.Optional(members.key),
  count: Type.Optional({ ...members.count, default: 1 }),
  within_seconds: Type.Optional({ ...members.within_seconds, default: 300 }),
  contain: Type.Optional(members.contain),
  reopen_minutes: Type.Optional({ ...members.reopen_minutes, default: 30 }),
};

export const NewIncidentRule = closedObject({
  environment_id: id('Environment whose events the rule reads.'),
  name: members.name,
  condition: members.condition,
  severity: members.severity,
  ...optional,
  reason,
});
export type NewIncidentRule = Static<typeof NewIncidentRule>;

export const IncidentRuleChange = closedObject({
  name: Type.Optional(members.name),
  severity: Type.Optional(members.severity),
  contain: Type.Optional(members.contain),
  enabled: Type.Optional(Type.Boolean()),
  reason,
});
export type IncidentRuleChange = Static<typeof IncidentRuleChange>;

const row = { plane: 'control', area: 'incidents', credential: 'caller', budget: 'caller', wire: 'json' } as const;

const BY_PERSON = { limit: 'Not to pause agents by the rule, and not to change or delete a rule.' } as const;

export const incidentRuleEndpoints = {
  listIncidentRules: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/incident-rules',
    summary: 'List the rules that open incidents.',
    permissions: ['incident:read'],
    query: closedObject({ ...boundedListQuery.properties, environment_id: Type.Optional(id('Only rules of this environment.')) }),
    result: Type.Array(IncidentRule),
    emits: [],
    refuses: [],
  }),
  createIncidentRule: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/incident-rules',
    summary: 'Create a rule that opens an incident when its condition is met. A rule that pauses agents requires a person and a step-up.',
    permissions: ['risk:update'],
    mayNeed: ['agent:pause', 'step_up'],
    idempotent: true,
    body: NewIncidentRule,
    result: IncidentRule,
    status: 201,
    emits: ['risk.configuration_updated'],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'UNPROCESSABLE', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'],
    automation: BY_PERSON,
  }),
  getIncidentRule: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/incident-rules/{incidentRuleId}',
    summary: 'Get a rule that opens incidents.',
    permissions: ['incident:read'],
    result: IncidentRule,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateIncidentRule: defineEndpoint({
    ...row,
    method: 'PATCH',
    path: '/v1/incident-rules/{incidentRuleId}',
    summary: 'Rename, disable or enable a rule, or change its severity or containment. Its condition never changes.',
    permissions: ['risk:update'],
    mayNeed: ['agent:pause', 'step_up'],
    body: IncidentRuleChange,
    result: IncidentRule,
    emits: ['risk.configuration_updated'],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'],
    automation: BY_PERSON,
  }),
  deleteIncidentRule: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: '/v1/incident-rules/{incidentRuleId}',
    summary: 'Delete a rule. Its incidents stay as they are.',
    permissions: ['risk:update'],
    mayNeed: ['step_up'],
    body: closedObject({ reason }),
    result: IncidentRule,
    emits: ['risk.configuration_updated'],
    refuses: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
    automation: BY_PERSON,
  }),
};
