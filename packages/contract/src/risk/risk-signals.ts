import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id } from '../rows/schema.ts';
import { RISK_FAMILIES, SIGNAL_NAMES } from './signal-table.ts';

export const RiskSignal = closedObject({
  name: enumSchema(SIGNAL_NAMES),
  family: enumSchema(RISK_FAMILIES, 'Only the largest points of a family count.'),
  points: Type.Integer({ description: 'Points that it adds, by the settings of the environment.' }),
  higher_points: Type.Integer({ description: 'Points where what it found is much larger; equal to `points` if it has one step.' }),
  default_points: Type.Integer(),
  needs_history: Type.Boolean({ description: 'True if it compares with the history of the agent, which is up to seconds old.' }),
  tags: Type.Array(Type.String(), { description: 'Entries of OWASP Agentic (ASI) and MITRE ATLAS (AML).' }),
  description: Type.String(),
});
export type RiskSignal = Static<typeof RiskSignal>;

export const riskSignalEndpoints = {
  listRiskSignals: defineEndpoint({
    plane: 'control',
    area: 'risk',
    method: 'GET',
    path: '/v1/risk-signals',
    summary: 'List the risk signals with their points. A signal never refuses a request; policies read the score.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['risk:read'],
    query: closedObject({
      ...boundedListQuery.properties,
      environment_id: Type.Optional(id('Environment whose points are listed; without it the defaults.')),
    }),
    result: Type.Array(RiskSignal),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
