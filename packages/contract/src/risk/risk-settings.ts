import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, nullable, reason, timestamp } from '../rows/schema.ts';
import { RISK_LIMITS } from '../tables/limits/risk-limits.ts';
import { CONTEXT_SCOPES } from './flow-words.ts';
import { SIGNAL_NAMES, type SignalName } from './signal-table.ts';

/** How results of tools without declared labels count. */
export const UNLABELLED_RULES = ['UNTRUSTED_IF_EXTERNAL', 'NONE'] as const;

const points = Type.Integer({ minimum: 0, maximum: 100 });
const host = Type.String({ minLength: 1, maxLength: 253 });

const Thresholds = closedObject({
  elevated: Type.Integer({ minimum: 1, maximum: 100, description: 'Score from which risk events are kept.' }),
  high: Type.Integer({ minimum: 1, maximum: 100, description: 'Score of an agent from which risk.threshold_exceeded is written.' }),
});

const Points = Type.Unsafe<Partial<Record<SignalName, number>>>(
  closedObject(
    Object.fromEntries(SIGNAL_NAMES.map((name) => [name, Type.Optional(points)])),
    'Points by signal; the others have their default.',
  ),
);

const Hours = closedObject({
  from: Type.Integer({ minimum: 0, maximum: 23 }),
  to: Type.Integer({ minimum: 1, maximum: 24, description: 'First hour that is outside again.' }),
  weekdays_only: Type.Boolean(),
});

const Processor = closedObject({
  host: { ...host, description: 'Host or *.host of a company that may process the labels under contract.' },
  labels: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 32 }),
});

const members = {
  thresholds: Thresholds,
  signals: Points,
  hours: nullable(Hours),
  known_networks: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: RISK_LIMITS.networksMax,
    description: 'Networks in CIDR form whose addresses never count as new.',
  }),
  internal_destinations: Type.Array(host, {
    maxItems: RISK_LIMITS.destinationsMax,
    description: 'Hosts, or *.host, that belong to the organization.',
  }),
  processors: Type.Array(Processor, { maxItems: RISK_LIMITS.processorsMax }),
  context_scope: enumSchema(
    CONTEXT_SCOPES,
    'AGENT: all requests of an agent are in one flow context. CONTEXT: the assertion names the context. The default is AGENT in PRODUCTION.',
  ),
  context_hours: Type.Integer({ minimum: 1, maximum: 720, description: 'Hours that a flow context is kept after its last use.' }),
  unlabelled_tools: enumSchema(
    UNLABELLED_RULES,
    'UNTRUSTED_IF_EXTERNAL: results of tools without labels count as untrusted_content if the destination is not internal.',
  ),
};

export const RiskSettings = closedObject({
  environment_id: Type.String(),
  ...members,
  version: Type.Integer({ minimum: 0, description: 'Counts the changes; 0 if no one chose settings. Send it as expected_version.' }),
  updated_at: nullable(timestamp),
  updated_by: nullable(Type.String()),
});
export type RiskSettings = Static<typeof RiskSettings>;

/** Chosen settings; all others have defaults that depend on the type of the environment. */
export type ChosenRiskSettings = Partial<Omit<RiskSettings, 'environment_id' | 'version' | 'updated_at' | 'updated_by'>>;

export const RiskScores = closedObject({
  from: timestamp,
  to: timestamp,
  decisions: Type.Integer({ description: 'Decisions that were counted, the most recent ones first.' }),
  counted_all: Type.Boolean({ description: 'False if there were more decisions than are counted.' }),
  scores: Type.Array(closedObject({ score: Type.Integer(), decisions: Type.Integer() }), {
    description: 'Number of decisions by score, highest score first. Decisions without points are not listed.',
  }),
});
export type RiskScores = Static<typeof RiskScores>;

const onSettings = {
  plane: 'control',
  area: 'risk',
  credential: 'caller',
  budget: 'caller',
  wire: 'json',
} as const;

export const riskSettingsEndpoints = {
  getRiskSettings: defineEndpoint({
    ...onSettings,
    method: 'GET',
    path: '/v1/environments/{environmentId}/risk-settings',
    summary: 'Get the risk and flow settings of an environment.',
    permissions: ['risk:read'],
    result: RiskSettings,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  countRiskScores: defineEndpoint({
    ...onSettings,
    method: 'GET',
    path: '/v1/environments/{environmentId}/risk-settings/scores',
    summary: 'Count the decisions of the last 24 hours by risk score, to see how many a threshold would have reached.',
    permissions: ['risk:read'],
    result: RiskScores,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateRiskSettings: defineEndpoint({
    ...onSettings,
    method: 'PUT',
    path: '/v1/environments/{environmentId}/risk-settings',
    summary:
      'Replace the risk and flow settings of an environment; members that are left out get their default. Loosening requires a person and a step-up.',
    permissions: ['risk:update'],
    mayNeed: ['step_up'],
    body: closedObject({
      thresholds: Type.Optional(members.thresholds),
      signals: Type.Optional(members.signals),
      hours: Type.Optional(members.hours),
      known_networks: Type.Optional(members.known_networks),
      internal_destinations: Type.Optional(members.internal_destinations),
      processors: Type.Optional(members.processors),
      context_scope: Type.Optional(members.context_scope),
      context_hours: Type.Optional(members.context_hours),
      unlabelled_tools: Type.Optional(members.unlabelled_tools),
      expected_version: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'The version that the change is based on. If the current version differs, nothing is changed (VERSION_CONFLICT).',
        }),
      ),
      reason,
    }),
    result: RiskSettings,
    emits: ['risk.configuration_updated'],
    refuses: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED', 'VERSION_CONFLICT'],
    automation: { limit: 'Not to loosen: higher thresholds, lower points, wider exceptions or more than one flow context.' },
  }),
};
