import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, id, nullable, reason } from '../../rows/schema.ts';
import { ERROR_CODES } from '../../tables/errors.ts';
import { LIMITS } from '../../tables/limits.ts';
import { AGENT_STATUSES } from '../../tables/vocabulary.ts';
import { onAgent } from '../agents/agents.ts';

/** Operations on many agents at once. */
export const BULK_OPERATIONS = ['pause', 'resume', 'suspend', 'revoke'] as const;
export type BulkOperation = (typeof BULK_OPERATIONS)[number];

const { agentsMax, countedMax } = LIMITS.bulk;

const agentIds = Type.Array(id('Agent id (agt_).'), {
  minItems: 1,
  maxItems: agentsMax,
  uniqueItems: true,
  description: `At most ${agentsMax}, each once.`,
});
const operation = enumSchema(BULK_OPERATIONS);
const step = {
  agent_id: Type.String(),
  from: nullable(enumSchema(AGENT_STATUSES, 'Null if the agent does not exist.')),
  to: nullable(enumSchema(AGENT_STATUSES, 'Null if the status does not change.')),
  code: nullable(enumSchema(ERROR_CODES, 'Error code; null if the agent is not refused.')),
  reason: nullable(Type.String({ description: 'Explanation of the error code.' })),
};

/**
 * `UNCHANGED`: it already was in that state. `NOT_DONE`: nothing was changed for lack of time or because of the database; repeat the call.
 */
export const BULK_OUTCOMES = ['CHANGED', 'UNCHANGED', 'REFUSED', 'NOT_DONE'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const BulkResult = closedObject({ ...step, outcome: enumSchema(BULK_OUTCOMES) });
export type BulkResult = Static<typeof BulkResult>;

export const BulkChange = closedObject({
  operation,
  results: Type.Array(BulkResult, { description: 'One result per agent, in the order of the request.' }),
  counts: closedObject({
    changed: count('Number of changed agents.'),
    unchanged: count('Number of agents that already had the status.'),
    refused: count('Number of refused agents, each with its reason.'),
    not_done: count('Number of agents not processed. Repeat the call to process them.'),
  }),
});
export type BulkChange = Static<typeof BulkChange>;

export const BlastRadius = closedObject({
  sessions: count('Live gateway sessions.'),
  delegations: count('Active delegations to and from the agent, with all delegations derived from them.'),
  approvals: count('Approvals that are pending, or granted and not used yet.'),
  tools: count('Enabled tools that the agent is authorized for.'),
});
export type BlastRadius = Static<typeof BlastRadius>;

export const BULK_ENDS = ['sessions', 'delegations', 'approvals'] as const;

export const BulkPreview = closedObject({
  operation,
  ends: Type.Array(enumSchema(BULK_ENDS), {
    description:
      'Part of the blast radius that the operation ends; for `resume`, only of agents that are suspended or isolated. The rest is suspended.',
  }),
  permissions_lacking: Type.Array(Type.String(), { description: 'Additional permissions that the caller needs.' }),
  agents: Type.Array(closedObject({ ...step, allowed: Type.Boolean(), blast_radius: BlastRadius }), {
    description: 'One result per agent, in the order of the request.',
  }),
  total: closedObject({
    agents: count('Number of agents that would be changed.'),
    refused: count('Number of agents that would be refused.'),
    blast_radius: BlastRadius,
    counted_all: Type.Boolean({
      description: `False if there are more than ${countedMax} dependents of one kind; counting stops at that number.`,
    }),
  }),
});
export type BulkPreview = Static<typeof BulkPreview>;

export const bulkEndpoints = {
  bulkChangeAgents: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/bulk',
      summary: `Pause, resume, suspend or revoke up to ${agentsMax} agents, each separately. Also requires the permission of the operation. Safe to repeat.`,
      permissions: ['agent:revoke'],
      mayNeed: ['agent:pause', 'agent:resume', 'agent:suspend', 'emergency:execute'],
    }),
    budget: 'emergency',
    body: closedObject({ agent_ids: agentIds, operation, reason }),
    example: { agent_ids: ['agt_00000000000000000000000000'], operation: 'pause', reason: 'The model behind these agents misbehaves.' },
    result: BulkChange,
    emits: [
      'agent.paused',
      'agent.resumed',
      'agent.suspended',
      'agent.revoked',
      'passport.revoked',
      'approval.cancelled',
      'delegation.revoked',
    ],
    refuses: ['PERMISSION_DENIED'],
  }),
  previewBulkChange: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/bulk/preview',
      summary: 'Preview a bulk operation: the agents it would refuse, and the dependents of each agent and of all agents.',
      permissions: ['agent:read'],
      mayNeed: ['agent:suspend', 'emergency:execute'],
    }),
    body: closedObject({ agent_ids: agentIds, operation }),
    example: { agent_ids: ['agt_00000000000000000000000000'], operation: 'pause' },
    writesNothing: 'always',
    result: BulkPreview,
    emits: [],
    refuses: [],
    automation: 'ALLOWED',
  }),
};
