import { Type } from 'typebox';
import { actionRefusals } from '../../actions/action-refusals.ts';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, jsonObject, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';

/** A JSON-RPC message. Its members depend on the method, and are checked by the handler. */
const Message = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'A JSON-RPC 2.0 request of Agent2Agent 1.0.',
});

const Notification = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'A stream response of Agent2Agent 1.0: task, statusUpdate, artifactUpdate or message.',
});

const row = { plane: 'gateway', area: 'peers', credential: 'agent', budget: 'agent', sessionCheckedBy: 'door' } as const;

const MESSAGE_EVENTS = [
  ...(['a2a.interaction_allowed', 'a2a.interaction_blocked', 'action.requested', 'action.allowed', 'action.blocked'] as const),
  ...(['action.limited', 'action.masked', 'action.approval_required', 'action.observed', 'action.simulated'] as const),
  ...(['action.completed', 'action.failed', 'approval.requested', 'approval.restored', 'credential.issued'] as const),
  'security.destination_blocked',
] as const;

const MESSAGE_REFUSALS = [
  ...actionRefusals,
  ...(['CONFLICT', 'EXECUTION_FAILED', 'EXECUTION_TIMEOUT', 'INVALID_CREDENTIAL_REFERENCE', 'CREDENTIAL_SERVICE_UNAVAILABLE'] as const),
] as const;

export const a2aEndpoints = {
  callA2aConnection: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/gateway/v1/a2a/{a2aConnectionId}',
    summary: 'A2A endpoint of a connection: sends a message to the remote agent, or reads, lists, follows or cancels tasks of it.',
    wire: 'a2a',
    idempotent: true,
    body: Message,
    bodyBytesMax: LIMITS.bodies.requestBytesMax,
    result: Message,
    emits: MESSAGE_EVENTS,
    refuses: [...MESSAGE_REFUSALS],
  }),
  callAgent: defineEndpoint({
    ...row,
    sessionCheckedBy: 'connection',
    method: 'POST',
    path: '/gateway/v1/agents/{agentId}/a2a',
    summary:
      'A2A endpoint of a published agent, for the remote agent of an INBOUND connection: sends a message to the agent, or reads, lists, follows or cancels a task.',
    wire: 'a2a',
    body: Message,
    bodyBytesMax: LIMITS.bodies.requestBytesMax,
    result: Message,
    emits: MESSAGE_EVENTS,
    refuses: [...MESSAGE_REFUSALS],
  }),
  receiveA2aNotification: defineEndpoint({
    plane: 'gateway',
    area: 'peers',
    credential: 'none',
    budget: 'newcomer',
    method: 'POST',
    path: '/gateway/v1/a2a/{a2aConnectionId}/notifications',
    summary:
      'Push notification of a remote agent about a task, with the token of its push config in X-A2A-Notification-Token. The state of the task is recorded; its agent reads it with ListTasks.',
    wire: 'a2a-push',
    body: Notification,
    bodyBytesMax: LIMITS.a2a.notificationBytesMax,
    result: closedObject({ received_at: timestamp }),
    emits: ['a2a.interaction_allowed', 'a2a.interaction_blocked'],
    refuses: ['UNAUTHENTICATED', 'A2A_CONNECTION_BLOCKED', 'AGENT_NOT_OPERATIONAL', 'CONFLICT', 'VALIDATION_FAILED'],
  }),
  getA2aCard: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/gateway/v1/a2a/{a2aConnectionId}/.well-known/agent-card.json',
    summary: 'Agent card of a connection. It represents the remote agent; its only interface is the A2A endpoint of the gateway.',
    wire: 'json',
    result: jsonObject('An agent card of Agent2Agent 1.0.'),
    emits: [],
    refuses: ['NOT_FOUND', 'A2A_CONNECTION_BLOCKED'],
  }),
};
