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
        'Resume a paused agent. A suspended one needs agent:suspend and a reason, an isolated one emergency:execute, a step-up and a reason; its open approvals are then withdrawn.',
      permissions: ['agent:resume'],
      mayNeed: ['agent:suspend', 'emergency:execute', 'step_up'],
    }),
    body: closed({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Agent,
    emits: ['agent.resumed', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
  }),
  suspendAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/suspend',
      summary:
        'Security restriction; kills its sessions. An isolated agent needs emergency:execute and a step-up, since this lifts its isolation.',
      permissions: ['agent:suspend'],
      mayNeed: ['emergency:execute', 'step_up'],
    }),
    budget: 'emergency',
    body: closed({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.suspended'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'],
  }),
  isolateAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/isolate',
      summary:
        'Emergency control: kills the sessions of the agent, and every request of it is refused as AGENT_ISOLATED. Undone by resume, with a reason.',
      permissions: ['emergency:execute'],
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
