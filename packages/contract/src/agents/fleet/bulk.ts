import { type Static, Type } from 'typebox';
import { endpoint } from '../../rows/endpoint.ts';
import { closed, id, nullable, oneOf, reason } from '../../rows/schema.ts';
import { ERROR_CODES } from '../../tables/errors.ts';
import { LIMITS } from '../../tables/limits.ts';
import { AGENT_STATUSES } from '../../tables/vocabulary.ts';
import { onAgent } from '../agents/agents.ts';

/** What may be done to many agents at once. */
export const BULK_OPERATIONS = ['pause', 'resume', 'suspend', 'revoke'] as const;
export type BulkOperation = (typeof BULK_OPERATIONS)[number];

const { agentsMax, countedMax } = LIMITS.bulk;

const agentIds = Type.Array(id('Agent id (agt_).'), {
  minItems: 1,
  maxItems: agentsMax,
  uniqueItems: true,
  description: `At most ${agentsMax}, each once.`,
});
const operation = oneOf(BULK_OPERATIONS);
const step = {
  agent_id: Type.String(),
  from: nullable(oneOf(AGENT_STATUSES, 'Null for an agent that is not there.')),
  to: nullable(oneOf(AGENT_STATUSES, 'Null where it stays what it was.')),
  code: nullable(oneOf(ERROR_CODES, 'Why not.')),
  reason: nullable(Type.String({ description: 'The same in words.' })),
};

/** `UNCHANGED`: it is what it was to become already. `NOT_DONE`: nothing was changed for want of time or of the database; repeat the call. */
export const BULK_OUTCOMES = ['CHANGED', 'UNCHANGED', 'REFUSED', 'NOT_DONE'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const BulkResult = closed({ ...step, outcome: oneOf(BULK_OUTCOMES) });
export type BulkResult = Static<typeof BulkResult>;

export const BulkChange = closed({
  operation,
  results: Type.Array(BulkResult, { description: 'One for each agent, in the order in which they were named.' }),
  counts: closed({
    changed: count('How many were changed.'),
    unchanged: count('How many were that already.'),
    refused: count('How many were refused, each with its reason.'),
    not_done: count('How many are left to be done by repeating the call.'),
  }),
});
export type BulkChange = Static<typeof BulkChange>;

export const BlastRadius = closed({
  sessions: count('Live gateway sessions.'),
  delegations: count('Delegations in force to it and from it, with all that hangs below them.'),
  approvals: count('Approvals that wait for a vote, or were given and not used yet.'),
  tools: count('Tools it is authorized for that are not disabled.'),
});
export type BlastRadius = Static<typeof BlastRadius>;

export const BULK_ENDS = ['sessions', 'delegations', 'approvals'] as const;

export const BulkPreview = closed({
  operation,
  ends: Type.Array(oneOf(BULK_ENDS), {
    description:
      'Part of the blast radius that the operation ends; for `resume`, only of agents that are not just paused. The rest is suspended.',
  }),
  permissions_lacking: Type.Array(Type.String(), { description: 'Additional permissions that the caller needs.' }),
  agents: Type.Array(closed({ ...step, allowed: Type.Boolean(), blast_radius: BlastRadius }), {
    description: 'One for each agent, in the order in which they were named.',
  }),
  total: closed({
    agents: count('How many would be changed.'),
    refused: count('How many would be refused.'),
    blast_radius: BlastRadius,
    counted_all: Type.Boolean({ description: `False where more than ${countedMax} of one kind hang on them, counted to there.` }),
  }),
});
export type BulkPreview = Static<typeof BulkPreview>;

export const bulkEndpoints = {
  bulkChangeAgents: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/bulk',
      summary: `Pause, resume, suspend or revoke up to ${agentsMax} agents, each separately. Also requires the permission of the operation. Safe to repeat.`,
      permissions: ['agent:revoke'],
      mayNeed: ['agent:pause', 'agent:resume', 'agent:suspend', 'emergency:execute'],
    }),
    budget: 'emergency',
    body: closed({ agent_ids: agentIds, operation, reason }),
    example: { agent_ids: ['agt_00000000000000000000000000'], operation: 'pause', reason: 'The model behind them misbehaves.' },
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
  previewBulkChange: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/bulk/preview',
      summary: 'Preview a bulk operation: the agents it would refuse, and the dependents of each agent and of all agents.',
      permissions: ['agent:read'],
      mayNeed: ['agent:suspend', 'emergency:execute'],
    }),
    body: closed({ agent_ids: agentIds, operation }),
    example: { agent_ids: ['agt_00000000000000000000000000'], operation: 'pause' },
    writesNothing: 'always',
    result: BulkPreview,
    emits: [],
    refuses: [],
    automation: 'ALLOWED',
  }),
};
