import { Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, listQuery, reason } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { DELEGATION_STATUSES } from '../../tables/vocabulary.ts';
import {
  AgentDelegationRequest,
  Delegation,
  DelegationExtension,
  DelegationGraph,
  DelegationReduction,
  DelegationRequest,
  DelegationSimulation,
  NewDelegation,
  RevocationPreview,
} from './shapes.ts';

const { graphEdgesDefaultCount, graphEdgesMax } = LIMITS.delegations;

const filter = {
  status: Type.Optional(enumSchema(DELEGATION_STATUSES)),
  delegate_agent_id: Type.Optional(Type.String({ maxLength: 64 })),
  delegator_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a user or an agent.' })),
};

const onDelegations = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'agents' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

/** Refusals of a new delegation. */
const asking = [
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'DELEGATION_INVALID',
  'DELEGATION_EXPIRED',
  'DELEGATION_ESCALATION',
  'UNPROCESSABLE',
] as const;

export const delegationEndpoints = {
  listDelegations: defineEndpoint({
    ...onDelegations({
      method: 'GET',
      path: '/v1/delegations',
      summary: 'List delegations, newest first.',
      permissions: ['delegation:read'],
    }),
    query: Type.Object(
      { ...listQuery.properties, ...filter, parent_id: Type.Optional(Type.String({ maxLength: 64 })) },
      { additionalProperties: false },
    ),
    result: Type.Array(Delegation),
    emits: [],
    refuses: [],
  }),
  createDelegation: defineEndpoint({
    ...onDelegations({
      method: 'POST',
      path: '/v1/delegations',
      summary: 'Delegate authority to an agent. With a parent delegation, never more than the parent grants.',
      permissions: ['delegation:create'],
    }),
    idempotent: true,
    body: DelegationRequest,
    result: NewDelegation,
    status: 201,
    emits: ['delegation.created', 'delegation.escalation_blocked'],
    refuses: [...asking, 'PERMISSION_DENIED'],
    automation: 'ALLOWED',
  }),
  simulateDelegation: defineEndpoint({
    ...onDelegations({
      method: 'POST',
      path: '/v1/delegations/simulate',
      summary: 'Check whether a delegation is permitted. Has no side effects.',
      permissions: ['delegation:simulate'],
    }),
    body: DelegationRequest,
    result: DelegationSimulation,
    writesNothing: 'always',
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
    automation: 'ALLOWED',
  }),
  getDelegationGraph: defineEndpoint({
    ...onDelegations({
      method: 'GET',
      path: '/v1/delegations/graph',
      summary: 'Get the delegation graph: nodes and edges, newest edges first.',
      permissions: ['delegation:read'],
    }),
    query: closedObject({
      cursor: Type.Optional(Type.String({ maxLength: 2000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: graphEdgesMax, default: graphEdgesDefaultCount, description: 'Edges.' })),
      status: filter.status,
      agent_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only delegations that have this agent in their chain.' })),
    }),
    result: DelegationGraph,
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  getDelegation: defineEndpoint({
    ...onDelegations({
      method: 'GET',
      path: '/v1/delegations/{delegationId}',
      summary: 'One delegation.',
      permissions: ['delegation:read'],
    }),
    result: Delegation,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  previewRevocation: defineEndpoint({
    ...onDelegations({
      method: 'POST',
      path: '/v1/delegations/{delegationId}/revoke/preview',
      summary: 'Preview a revocation: the delegations that end with it, and the agents that lose them. Has no side effects.',
      permissions: ['delegation:read'],
    }),
    result: RevocationPreview,
    writesNothing: 'always',
    emits: [],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  reduceDelegation: defineEndpoint({
    ...onDelegations({
      method: 'PATCH',
      path: '/v1/delegations/{delegationId}',
      summary: 'Reduce a delegation and all delegations derived from it. Never widens them.',
      permissions: ['delegation:update'],
    }),
    budget: 'emergency',
    body: DelegationReduction,
    result: Delegation,
    emergency: true,
    emits: ['delegation.reduced', 'delegation.escalation_blocked'],
    refuses: ['UNPROCESSABLE', 'NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE_TRANSITION', 'DELEGATION_ESCALATION', 'VERSION_CONFLICT'],
    automation: 'ALLOWED',
  }),
  extendDelegation: defineEndpoint({
    ...onDelegations({
      method: 'POST',
      path: '/v1/delegations/{delegationId}/extend',
      summary: 'Move the expiry of an active delegation to a later time, within the delegations above it. Changes nothing else.',
      permissions: ['delegation:create'],
    }),
    body: DelegationExtension,
    result: Delegation,
    emits: ['delegation.extended', 'delegation.escalation_blocked'],
    refuses: [
      'NOT_FOUND',
      'PERMISSION_DENIED',
      'VALIDATION_FAILED',
      'INVALID_STATE_TRANSITION',
      'VERSION_CONFLICT',
      'DELEGATION_INVALID',
      'DELEGATION_EXPIRED',
      'DELEGATION_ESCALATION',
    ],
    automation: 'ALLOWED',
  }),
  revokeDelegation: defineEndpoint({
    ...onDelegations({
      method: 'POST',
      path: '/v1/delegations/{delegationId}/revoke',
      summary: 'Revoke a delegation and all delegations derived from it.',
      permissions: ['delegation:revoke'],
    }),
    budget: 'emergency',
    body: closedObject({ reason }),
    result: Delegation,
    emergency: true,
    emits: ['delegation.revoked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  delegate: defineEndpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'POST',
    path: '/gateway/v1/delegations',
    summary: 'Delegate authority from a delegation to this agent, or from its own grants, to another agent. Never grants more than these.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    idempotent: true,
    body: AgentDelegationRequest,
    result: NewDelegation,
    status: 201,
    emits: ['delegation.created', 'delegation.escalation_blocked'],
    refuses: [
      ...asking,
      'ENVIRONMENT_PAUSED',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_ISOLATED',
      'AGENT_IDENTITY_REVOKED',
      'PASSPORT_INVALID',
      'IDENTITY_SERVICE_UNAVAILABLE',
    ],
  }),
};
