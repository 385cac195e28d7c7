import { Type } from 'typebox';
import { endpoint } from '../../rows/endpoint.ts';
import { closed, reason } from '../../rows/schema.ts';
import { Agent, onAgent } from './agents.ts';

export const agentLifecycleEndpoints = {
  pauseAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/pause',
      summary: 'Stop new protected execution; undone by resume.',
      permissions: ['agent:pause'],
    }),
    budget: 'emergency',
    body: closed({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Agent,
    emergency: true,
    emits: ['agent.paused'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  resumeAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/resume',
      summary:
        'Resume a paused agent; a suspended or isolated one when the caller also holds agent:suspend and gives a reason, and then its open approvals are withdrawn.',
      permissions: ['agent:resume'],
      mayNeed: ['agent:suspend'],
    }),
    body: closed({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Agent,
    emits: ['agent.resumed', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED', 'VALIDATION_FAILED'],
  }),
  suspendAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/suspend',
      summary: 'Security restriction; kills its sessions.',
      permissions: ['agent:suspend'],
    }),
    budget: 'emergency',
    body: closed({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.suspended'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  isolateAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/isolate',
      summary:
        'Cut it off at once: kills its sessions, and whatever it asks is refused as AGENT_ISOLATED. Undone by resume, with a reason.',
      permissions: ['agent:suspend'],
    }),
    budget: 'emergency',
    body: closed({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.isolated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  decommissionAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/decommission',
      summary:
        'Take an agent that is paused or suspended out of service for good; its open approvals are withdrawn, and its name is free again.',
      permissions: ['agent:revoke'],
    }),
    budget: 'emergency',
    emergency: true,
    body: closed({ reason }),
    result: Agent,
    emits: ['agent.decommissioned', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  revokeAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/revoke',
      summary: 'Invalidate the identity for ever.',
      permissions: ['agent:revoke'],
    }),
    budget: 'emergency',
    body: closed({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.revoked', 'passport.revoked', 'approval.cancelled', 'delegation.revoked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
};
