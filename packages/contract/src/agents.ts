import { type Static, Type } from 'typebox';
import { AgentAuthority } from './agent-authority.ts';
import { endpoint } from './endpoint.ts';
import { givenPublicKey, publicKey } from './public-keys.ts';
import { secret } from './rows/secret.ts';
import { closed, collection, dottedName, id, listQuery, longText, name, nullable, oneOf, reason, timestamp } from './schema.ts';
import { AGENT_STATUSES } from './vocabulary.ts';

const capability = dottedName('A capability.', 'payments.refund');
const labels = Type.Record(Type.String({ pattern: '^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$' }), Type.String({ maxLength: 200 }), {
  maxProperties: 32,
  additionalProperties: false,
  description: 'Free labels; policies read them as agent.labels.<name>.',
});
/** How many capabilities one agent may hold; all of them stand in its passport. */
export const CAPABILITIES_MAX = 100;
const agentMembers = {
  id: id('Agent id (agt_).'),
  name: Type.String(),
  description: Type.String(),
  status: oneOf(AGENT_STATUSES),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  capabilities: Type.Array(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
  public_key: publicKey,
  key_generation: Type.Integer({ minimum: 1 }),
  passport_version: Type.Integer({ minimum: 1 }),
  last_seen_at: nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
};
export const Agent = closed(agentMembers);
export type Agent = Static<typeof Agent>;

/** Counting stops here, so that a busy agent does not keep a list from being answered. */
export const DECISIONS_COUNTED_MAX = 1_000;
const decisions = (description: string) =>
  Type.Integer({ description: `${description} Counted among its newest ${DECISIONS_COUNTED_MAX} decisions of the last 24 hours.` });
const recently = {
  decisions_24h: decisions('Decisions of any kind.'),
  blocked_24h: decisions('Decisions that stopped the agent.'),
};

export const AgentWithOperations = closed({
  ...agentMembers,
  sessions: Type.Integer({ description: 'Live gateway sessions.' }),
  ...recently,
  pending_approvals: Type.Integer(),
});
export type AgentWithOperations = Static<typeof AgentWithOperations>;

/** `private_key` (base64 PKCS8) is there once, and only when the service generated the pair; a replay of that answer has null in its place. */
export const AgentWithKey = closed({ data: closed({ agent: Agent, ...secret('private_key', Type.Optional(nullable(Type.String()))) }) });

export const Passport = closed({
  id: id('Passport id (psp_).'),
  agent_id: Type.String(),
  version: Type.Integer(),
  token: Type.String({ description: 'JWS by the platform key; verifies offline with the well-known key.' }),
  issued_at: timestamp,
  expires_at: timestamp,
});
export type Passport = Static<typeof Passport>;

export const AgentHealth = closed({
  agent_id: Type.String(),
  status: oneOf(AGENT_STATUSES),
  operational: Type.Boolean({ description: 'Whether a request of this agent would pass the checks that come before policy.' }),
  checks: Type.Array(closed({ check: Type.String(), ok: Type.Boolean(), detail: Type.String() })),
  last_seen_at: nullable(timestamp),
  sessions: Type.Integer(),
  sdk: nullable(closed({ name: Type.String(), version: Type.String(), runtime: Type.String() })),
  ...recently,
  failed_24h: decisions('Actions that failed, or whose outcome is unknown.'),
  pending_approvals: Type.Integer(),
  checked_at: timestamp,
});
export type AgentHealth = Static<typeof AgentHealth>;

const onAgent = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'agents',
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const agentEndpoints = {
  listAgents: endpoint({
    ...onAgent({ method: 'GET', path: '/v1/agents', summary: 'Agents with operational columns.', permissions: ['agent:read'] }),
    query: Type.Object(
      {
        ...listQuery.properties,
        status: Type.Optional(oneOf(AGENT_STATUSES)),
        q: Type.Optional(Type.String({ maxLength: 120, description: 'Part of the name.' })),
      },
      { additionalProperties: false },
    ),
    result: collection(AgentWithOperations),
    emits: [],
    refuses: [],
  }),
  createAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents',
      summary:
        'Register an agent, with its own key or a generated one. Granting it capabilities at once needs agent:manage_capabilities too.',
      permissions: ['agent:create'],
      mayNeed: ['agent:manage_capabilities'],
    }),
    idempotent: true,
    body: closed({
      name: name('Name of the agent; unique in its environment.'),
      description: Type.Optional(longText('What the agent does.')),
      workspace_id: id('Workspace.'),
      environment_id: id('Environment of that workspace.'),
      capabilities: Type.Array(capability, { maxItems: CAPABILITIES_MAX, uniqueItems: true }),
      labels: Type.Optional(labels),
      public_key: Type.Optional(givenPublicKey),
    }),
    example: {
      name: 'refund-assistant',
      workspace_id: 'wsp_00000000000000000000000000',
      environment_id: 'env_00000000000000000000000000',
      capabilities: ['refund.create'],
    },
    result: AgentWithKey,
    status: 201,
    emits: ['agent.created', 'agent.capability_granted', 'passport.issued'],
    refuses: ['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
  }),
  getAgent: endpoint({
    ...onAgent({ method: 'GET', path: '/v1/agents/{agentId}', summary: 'One agent.', permissions: ['agent:read'] }),
    result: Agent,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateAgent: endpoint({
    ...onAgent({
      method: 'PATCH',
      path: '/v1/agents/{agentId}',
      summary: 'Change name, description or labels.',
      permissions: ['agent:update'],
    }),
    body: closed({
      name: Type.Optional(name('Name of the agent.')),
      description: Type.Optional(longText('What the agent does.')),
      labels: Type.Optional(labels),
    }),
    result: Agent,
    emits: ['agent.updated', 'passport.issued'],
    refuses: ['NOT_FOUND', 'ALREADY_EXISTS', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
  }),
  pauseAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/pause',
      summary: 'Stop new protected execution; undone by resume.',
      permissions: ['agent:pause'],
    }),
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
      summary: 'Resume a paused agent; a suspended or isolated one when the caller also holds agent:suspend and gives a reason.',
      permissions: ['agent:resume'],
      mayNeed: ['agent:suspend'],
    }),
    body: closed({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Agent,
    emits: ['agent.resumed'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED', 'VALIDATION_FAILED'],
  }),
  suspendAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/suspend',
      summary: 'Security restriction; kills its sessions.',
      permissions: ['agent:suspend'],
    }),
    body: closed({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.suspended'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  revokeAgent: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/revoke',
      summary: 'Invalidate the identity for ever.',
      permissions: ['agent:revoke'],
    }),
    body: closed({ reason }),
    result: Agent,
    emergency: true,
    emits: ['agent.revoked', 'passport.revoked', 'approval.cancelled', 'delegation.revoked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  rotateAgentCredentials: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/rotate-credentials',
      summary:
        'Replace the identity key; every session of the agent ends. Needs a step-up where the agent holds a dangerous or critical tool.',
      permissions: ['agent:rotate_credentials'],
    }),
    stepUp: 'may',
    body: closed({ public_key: Type.Optional(givenPublicKey), reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: AgentWithKey,
    emits: ['agent.identity_rotated', 'passport.rotated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED', 'STEP_UP_REQUIRED'],
  }),
  getAgentHealth: endpoint({
    ...onAgent({ method: 'GET', path: '/v1/agents/{agentId}/health', summary: 'Operational health report.', permissions: ['agent:read'] }),
    result: AgentHealth,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getAgentAuthority: endpoint({
    ...onAgent({
      method: 'GET',
      path: '/v1/agents/{agentId}/authority',
      summary: 'Resolved effective authority.',
      permissions: ['delegation:read'],
    }),
    result: AgentAuthority,
    emits: [],
    refuses: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  getAgentPassport: endpoint({
    ...onAgent({ method: 'GET', path: '/v1/agents/{agentId}/passport', summary: 'The current passport.', permissions: ['agent:read'] }),
    result: Passport,
    emits: [],
    refuses: ['NOT_FOUND', 'GONE'],
  }),
  renewPassport: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/passport/renew',
      summary:
        'A new passport for another term, under the same key; sessions go on. Those of active and paused agents are renewed by themselves.',
      permissions: ['agent:rotate_credentials'],
    }),
    body: closed({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Passport,
    emits: ['passport.issued'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  grantCapability: endpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/capabilities',
      summary: 'Grant a capability.',
      permissions: ['agent:manage_capabilities'],
    }),
    body: closed({ capability }),
    result: Agent,
    status: 201,
    emits: ['agent.capability_granted', 'passport.issued'],
    refuses: ['NOT_FOUND', 'ALREADY_EXISTS', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
  }),
  revokeCapability: endpoint({
    ...onAgent({
      method: 'DELETE',
      path: '/v1/agents/{agentId}/capabilities/{capability}',
      summary: 'Withdraw a capability.',
      permissions: ['agent:manage_capabilities'],
    }),
    result: Agent,
    emergency: true,
    emits: ['agent.capability_revoked', 'passport.issued'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
};
