import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, jsonObject, listQuery, longText, nullable, timestamp } from '../rows/schema.ts';
import { RISK_FAMILIES, RISK_LEVELS } from './signal-table.ts';

export const RISK_EVENT_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'STALE'] as const;
export const VERDICTS = ['EXPECTED', 'FALSE_ALARM', 'CONFIRMED'] as const;
export type RiskVerdict = (typeof VERDICTS)[number];

export const RiskEvent = closedObject({
  id: id('Risk event id (rsk_).'),
  agent_id: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  signal: Type.String({ description: 'Name of the signal; `too_many` collects what is beyond the limits.' }),
  subject: Type.String({ description: 'Object of the signal, such as a destination. Exceptions name it.' }),
  points: Type.Integer(),
  score: Type.Integer({ description: 'Largest score of a request with this signal.' }),
  sentence: Type.String(),
  evidence: jsonObject('Evidence of the last time. Never holds a secret.'),
  count: Type.Integer({ description: 'Number of requests with this signal and subject.' }),
  first_at: timestamp,
  last_at: timestamp,
  last_action_id: nullable(Type.String()),
  status: enumSchema(RISK_EVENT_STATUSES, 'STALE: not acknowledged, and did not happen again for 24 hours.'),
  verdict: nullable(enumSchema(VERDICTS)),
  comment: nullable(Type.String()),
  acknowledged_by: nullable(Type.String()),
  acknowledged_at: nullable(timestamp),
});
export type RiskEvent = Static<typeof RiskEvent>;

const verdict = {
  verdict: enumSchema(VERDICTS, 'EXPECTED and FALSE_ALARM end the risk of its family. CONFIRMED means that the agent did harm.'),
  comment: Type.Optional(longText('Comment on the verdict.')),
  mute_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 720,
      description: 'Makes an exception for this agent, signal and subject. At most 24 for signals of content, never with CONFIRMED.',
    }),
  ),
};

const AgentRisk = closedObject({
  agent_id: Type.String(),
  risk: Type.Integer({ description: 'Risk of the agent now: the last points of each family, halved every 30 minutes.' }),
  level: enumSchema(RISK_LEVELS),
  families: Type.Array(
    closedObject({
      family: enumSchema(RISK_FAMILIES),
      points: Type.Integer({ description: 'Points at the time of the request.' }),
      points_now: Type.Integer({ description: 'Part of the risk of the agent now. The parts add up to it, unless they exceed 100.' }),
      at: timestamp,
    }),
  ),
  baseline: closedObject({
    permitted_actions: Type.Integer(),
    refused_actions: Type.Integer(),
    first_action_at: nullable(timestamp),
    known_tools: Type.Integer({ description: 'About.' }),
    known_destinations: Type.Integer({ description: 'About.' }),
    known_networks: Type.Integer(),
    usual_calls_per_five_minutes: Type.Integer(),
    amounts: Type.Integer(),
    amount_below_99_of_100: Type.Integer({ description: 'In minor units of the base currency.' }),
    sentence: Type.String(),
  }),
  learning: Type.Boolean({ description: 'True until signals of novelty count: 50 permitted actions and 24 hours.' }),
  mutes: Type.Array(closedObject({ signal: Type.String(), subject: Type.String(), until: timestamp, created_by: Type.String() })),
  folded_through: nullable({ ...timestamp, description: 'Time up to which decisions are in the history. Null if no worker folds them.' }),
});
export type AgentRisk = Static<typeof AgentRisk>;

const RiskSummary = closedObject({
  agents: Type.Array(
    closedObject({
      agent_id: Type.String(),
      name: Type.String(),
      environment_id: Type.String(),
      risk: Type.Integer({ description: 'Risk of the agent now.' }),
      score: Type.Integer({ description: 'Largest score of a request among its open events.' }),
      open_events: Type.Integer(),
      last_at: timestamp,
    }),
    { description: 'Agents with open risk events, those with the largest scores first.' },
  ),
  signals: Type.Array(
    closedObject({
      signal: Type.String(),
      open_events: Type.Integer(),
      agents: Type.Integer({ description: 'Agents with open events of this signal.' }),
      requests: Type.Integer({ description: 'Requests that the open events count.' }),
      verdicts: closedObject({ EXPECTED: Type.Integer(), FALSE_ALARM: Type.Integer(), CONFIRMED: Type.Integer() }),
    }),
    { description: 'Signals with open or acknowledged events, those with the most open events first.' },
  ),
});
export type RiskSummary = Static<typeof RiskSummary>;

const onRisk = { plane: 'control', area: 'risk', credential: 'caller', budget: 'caller', wire: 'json' } as const;

export const riskEventEndpoints = {
  listRiskEvents: defineEndpoint({
    ...onRisk,
    method: 'GET',
    path: '/v1/risk-events',
    summary: 'List the risk events, most recent first. Repetitions are counted, not listed.',
    permissions: ['risk:read'],
    query: Type.Object(
      {
        ...listQuery.properties,
        status: Type.Optional(enumSchema(RISK_EVENT_STATUSES)),
        agent_id: Type.Optional(Type.String({ maxLength: 64 })),
        environment_id: Type.Optional(Type.String({ maxLength: 64 })),
        signal: Type.Optional(Type.String({ maxLength: 64 })),
      },
      { additionalProperties: false },
    ),
    result: Type.Array(RiskEvent),
    emits: [],
    refuses: [],
  }),
  summarizeRiskEvents: defineEndpoint({
    ...onRisk,
    method: 'GET',
    path: '/v1/risk-events/summary',
    summary: 'Summarize the open risk events by agent and by signal, with the verdicts of each signal.',
    permissions: ['risk:read'],
    query: closedObject({ environment_id: Type.Optional(id('Only events of this environment.')) }),
    result: RiskSummary,
    emits: [],
    refuses: [],
  }),
  getRiskEvent: defineEndpoint({
    ...onRisk,
    method: 'GET',
    path: '/v1/risk-events/{riskEventId}',
    summary: 'Get a risk event.',
    permissions: ['risk:read'],
    result: RiskEvent,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  acknowledgeRiskEvent: defineEndpoint({
    ...onRisk,
    method: 'POST',
    path: '/v1/risk-events/{riskEventId}/acknowledge',
    summary: 'Acknowledge a risk event with a verdict, and optionally make an exception that ends.',
    permissions: ['risk:acknowledge'],
    body: closedObject(verdict),
    result: RiskEvent,
    emits: ['risk.acknowledged'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
    automation: { limit: 'Not to make exceptions: `mute_hours` requires a person.' },
  }),
  getAgentRisk: defineEndpoint({
    ...onRisk,
    method: 'GET',
    path: '/v1/agents/{agentId}/risk',
    summary: 'Get the risk of an agent, with what is usual for it and the exceptions that apply.',
    permissions: ['risk:read'],
    result: AgentRisk,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
