import { Type } from 'typebox';
import { confirmBlastRadius } from '../../incidents/emergency/emergency-shapes.ts';
import { AUTOMATION_LIMITS } from '../../rows/automation-rule.ts';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, reason } from '../../rows/schema.ts';
import { Agent, onAgent } from './agents.ts';

export const agentLifecycleEndpoints = {
  pauseAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/pause',
      summary: 'Pause an agent. It cannot start new protected executions until it is resumed.',
      permissions: ['agent:pause'],
    }),
    budget: 'emergency',
    body: closedObject({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Agent,
    emergency: true,
    emits: ['agent.paused'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  resumeAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/resume',
      summary:
        'Resume a paused agent. A suspended agent requires agent:suspend and a reason; an isolated one emergency:execute, a step-up and a reason, and its open approvals are withdrawn.',
      permissions: ['agent:resume'],
      mayNeed: ['agent:suspend', 'emergency:execute', 'step_up'],
    }),
    body: closedObject({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Agent,
    emits: ['agent.resumed', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'VALIDATION_FAILED'],
    automation: { limit: `${AUTOMATION_LIMITS.isolation} ${AUTOMATION_LIMITS.stopped}` },
  }),
  suspendAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/suspend',
      summary:
        'Suspend an agent for security and end its sessions. An isolated agent requires emergency:execute and a step-up, because this ends its isolation.',
      permissions: ['agent:suspend'],
      mayNeed: ['emergency:execute', 'step_up'],
    }),
    budget: 'emergency',
    body: closedObject({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.suspended'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'],
    automation: { limit: AUTOMATION_LIMITS.isolation },
  }),
  isolateAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/isolate',
      summary:
        'Isolate an agent (emergency control): its sessions end, and all its requests are refused with AGENT_ISOLATED. Resume it with a reason.',
      permissions: ['emergency:execute'],
    }),
    budget: 'emergency',
    body: closedObject({ reason, confirm_blast_radius: Type.Optional(confirmBlastRadius) }),
    result: Agent,
    emergency: true,
    emits: ['security.emergency_action_executed', 'agent.isolated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'CONFLICT'],
  }),
  decommissionAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/decommission',
      summary: 'Decommission a paused or suspended agent permanently. Its open approvals are withdrawn, and its name becomes available.',
      permissions: ['agent:revoke'],
    }),
    budget: 'emergency',
    emergency: true,
    body: closedObject({ reason }),
    result: Agent,
    emits: ['agent.decommissioned', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  revokeAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/revoke',
      summary: 'Revoke the identity of an agent permanently.',
      permissions: ['agent:revoke'],
    }),
    budget: 'emergency',
    body: closedObject({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.revoked', 'passport.revoked', 'approval.cancelled', 'delegation.revoked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
};
