import { Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, nullable, reason } from '../../rows/schema.ts';
import { AgentTrust, artifactDigests, SetRequirement, TrustRequirement } from './trust-shapes.ts';

const row = { plane: 'control', area: 'risk', credential: 'caller', budget: 'caller', wire: 'json' } as const;

const requirement = closedObject({ requires: nullable(TrustRequirement), reason });
const setting = {
  mayNeed: ['step_up'],
  body: requirement,
  result: SetRequirement,
  refuses: ['NOT_FOUND', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
  automation: { limit: 'Not to loosen: a lower level, fewer kinds or a greater age.' },
} as const;

export const trustRequirementEndpoints = {
  getAgentTrust: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/agents/{agentId}/trust',
    summary: 'Get the trust level of an agent, the evidence behind it, what is required of it and how to raise it.',
    permissions: ['trust:read'],
    result: AgentTrust,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  setAgentArtifacts: defineEndpoint({
    ...row,
    method: 'PUT',
    path: '/v1/agents/{agentId}/trust/artifacts',
    summary: 'Set the digests of what an agent consists of. Evidence about an artifact counts while its digest is here.',
    permissions: ['agent:update'],
    body: closedObject({ artifact_digests: artifactDigests }),
    result: closedObject({ artifact_digests: Type.Array(Type.String()) }),
    emits: ['agent.updated'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  getEnvironmentTrust: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/environments/{environmentId}/trust',
    summary: 'Get the trust evidence that every action in an environment requires.',
    permissions: ['environment:read'],
    result: SetRequirement,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  requireEnvironmentTrust: defineEndpoint({
    ...row,
    ...setting,
    method: 'PUT',
    path: '/v1/environments/{environmentId}/trust',
    summary: 'Require trust evidence of every agent in an environment. Loosening requires a person and a step-up.',
    permissions: ['environment:update'],
    emits: ['environment.updated'],
  }),
  getToolTrust: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/tools/{toolId}/trust',
    summary: 'Get the trust evidence that every action with a tool requires.',
    permissions: ['tool:read'],
    result: SetRequirement,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  requireToolTrust: defineEndpoint({
    ...row,
    ...setting,
    method: 'PUT',
    path: '/v1/tools/{toolId}/trust',
    summary: 'Require trust evidence of every agent that uses a tool. Loosening requires a person and a step-up.',
    permissions: ['tool:update'],
    emits: ['tool.updated'],
  }),
};
