import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../../rows/automation-rule.ts';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, collection, dottedName, enumSchema, id, listQuery, longText, name, nullable, timestamp } from '../../rows/schema.ts';
import { secret } from '../../rows/secret.ts';
import { ENFORCEMENT_STATUSES, RUNTIME_KINDS, RUNTIME_STATUSES } from '../../runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '../../tables/limits.ts';
import { LABEL_NAME_PATTERN } from '../../tables/spellings.ts';
import { AGENT_STATUSES, MODES } from '../../tables/vocabulary.ts';
import { AgentAuthority } from '../delegations/authority.ts';
import { publicKey, publicKeyInput } from './public-keys.ts';

const capability = dottedName('A capability.', 'payments.refund');
const labels = Type.Record(Type.String({ pattern: LABEL_NAME_PATTERN }), Type.String({ maxLength: LIMITS.agents.labelCharsMax }), {
  maxProperties: LIMITS.agents.labelsMax,
  additionalProperties: false,
  description: 'Custom labels. Policies read them as agent.labels.<name>.',
  examples: [{ team: 'payments' }],
});
const agentEnd = nullable(
  Type.String({
    maxLength: 30,
    description: `ISO-8601 UTC, milliseconds, trailing Z; in the future, and within ${LIMITS.agents.endsInDaysMax} days. Null if the agent does not expire.`,
    examples: ['2030-01-31T00:00:00.000Z'],
  }),
);
const requireDpop = Type.Boolean({
  description:
    'Require proof of possession (DPoP, RFC 9449). Turning it on ends all sessions; turning it off requires a step-up. Default: false.',
});
/** Maximum number of capabilities of an agent; its passport lists all of them. */
export const CAPABILITIES_MAX = 100;
const agentMembers = {
  id: id('Agent id (agt_).'),
  name: Type.String(),
  description: Type.String(),
  status: enumSchema(AGENT_STATUSES),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  capabilities: Type.Array(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
  public_key: publicKey,
  require_dpop: Type.Boolean({ description: 'True if tokens are bound to a key that each use proves (DPoP, RFC 9449).' }),
  key_generation: Type.Integer({ minimum: 1 }),
  passport_version: Type.Integer({ minimum: 1 }),
  expires_at: nullable(Type.String({ description: 'ISO-8601 UTC. The agent cannot act from this time on; null if it does not expire.' })),
  last_seen_at: nullable(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
};
export const Agent = closedObject(agentMembers);
export type Agent = Static<typeof Agent>;

/** Maximum of a count, so that a busy agent does not delay a list. */
export const DECISIONS_COUNTED_MAX = 1_000;
const decisions = (description: string) =>
  Type.Integer({ description: `${description} Counted among its newest ${DECISIONS_COUNTED_MAX} decisions of the last 24 hours.` });
const recently = {
  decisions_24h: decisions('Decisions of any kind.'),
  blocked_24h: decisions('Decisions that stopped the agent.'),
};

const sdk = nullable(
  closedObject(
    { name: Type.String(), version: Type.String(), runtime: Type.String() },
    'Client library that the agent reports, unverified; null before the first sign-in.',
  ),
);

export const AgentWithOperations = closedObject({
  ...agentMembers,
  sessions: Type.Integer({ description: 'Live gateway sessions.' }),
  ...recently,
  pending_approvals: Type.Integer(),
  sdk,
});
export type AgentWithOperations = Static<typeof AgentWithOperations>;

/** `private_key` (base64 PKCS8) is present once, and only if the service generated the pair; a replay of the response has null instead. */
export const AgentWithKey = closedObject({
  data: closedObject({ agent: Agent, ...secret('private_key', Type.Optional(nullable(Type.String()))) }),
});

export const AgentHealth = closedObject({
  agent_id: Type.String(),
  status: enumSchema(AGENT_STATUSES),
  operational: Type.Boolean({ description: 'True if a request by this agent passes the checks before policy evaluation.' }),
  checks: Type.Array(closedObject({ check: Type.String(), ok: Type.Boolean(), detail: Type.String() })),
  last_seen_at: nullable(timestamp),
  sessions: Type.Integer(),
  sdk,
  ...recently,
  failed_24h: decisions('Actions that failed or have an unknown outcome.'),
  pending_approvals: Type.Integer(),
  checked_at: timestamp,
});
export type AgentHealth = Static<typeof AgentHealth>;

export const AgentEnforcement = closedObject({
  agent_id: Type.String(),
  status: enumSchema(ENFORCEMENT_STATUSES, 'Weakest enforcement status of its runtimes; UNKNOWN if none reports.'),
  detail: Type.String(),
  mode: enumSchema(MODES, 'Enforcement mode in which requests of the agent are decided.'),
  runtimes: Type.Array(
    closedObject({
      runtime_id: Type.String(),
      name: Type.String(),
      kind: enumSchema(RUNTIME_KINDS),
      runtime_status: enumSchema(RUNTIME_STATUSES),
      status: enumSchema(ENFORCEMENT_STATUSES),
      assessed_at: nullable(timestamp),
      reasons: Type.Array(Type.String()),
      refuses: Type.Boolean({ description: 'True if it makes the gateway refuse actions of the agent now.' }),
    }),
    { description: 'Enforcement status of each of its runtimes.' },
  ),
  checked_at: timestamp,
});

export const onAgent = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'agents' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const agentEndpoints = {
  listAgents: defineEndpoint({
    ...onAgent({ method: 'GET', path: '/v1/agents', summary: 'List agents with operational columns.', permissions: ['agent:read'] }),
    query: Type.Object(
      {
        ...listQuery.properties,
        status: Type.Optional(enumSchema(AGENT_STATUSES)),
        q: Type.Optional(Type.String({ maxLength: 120, description: 'Part of the name.' })),
        label: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description: `Labels that the agent must have: name=value, or a name for any value; at most ${LIMITS.agents.labelFiltersMax}, separated by commas.`,
            examples: ['team=payments,tier'],
          }),
        ),
        workspace_id: Type.Optional(id('Workspace.')),
        environment_id: Type.Optional(id('Environment.')),
        expires_before: Type.Optional(
          Type.String({ maxLength: 24, description: 'Only agents that expire at or before this time (ISO-8601 UTC, milliseconds).' }),
        ),
        sdk_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Client library of the last sign-in.' })),
        sdk_version: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Version of the client library.' })),
      },
      { additionalProperties: false },
    ),
    result: collection(AgentWithOperations),
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  createAgent: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents',
      summary:
        'Register an agent, with its own key or a generated one. Granting capabilities in the same request also requires agent:manage_capabilities.',
      permissions: ['agent:create'],
      mayNeed: ['agent:manage_capabilities'],
    }),
    idempotent: true,
    body: closedObject({
      name: name('Name of the agent; unique in its environment.'),
      description: Type.Optional(longText('Purpose of the agent.')),
      workspace_id: id('Workspace.'),
      environment_id: id('Environment in that workspace.'),
      capabilities: Type.Array(capability, { maxItems: CAPABILITIES_MAX, uniqueItems: true }),
      labels: Type.Optional(labels),
      expires_at: Type.Optional(agentEnd),
      require_dpop: Type.Optional(requireDpop),
      public_key: Type.Optional(publicKeyInput),
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
    refuses: ['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'INVALID_STATE_TRANSITION'],
    automation: { limit: AUTOMATION_LIMITS.facts },
  }),
  getAgent: defineEndpoint({
    ...onAgent({ method: 'GET', path: '/v1/agents/{agentId}', summary: 'One agent.', permissions: ['agent:read'] }),
    result: Agent,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateAgent: defineEndpoint({
    ...onAgent({
      method: 'PATCH',
      path: '/v1/agents/{agentId}',
      summary:
        'Change the name, description, labels, expiry or proof of possession. A first or earlier expiry requires agent:revoke and a step-up.',
      permissions: ['agent:update'],
      mayNeed: ['agent:revoke', 'step_up'],
    }),
    body: closedObject({
      name: Type.Optional(name('Name of the agent.')),
      description: Type.Optional(longText('Purpose of the agent.')),
      labels: Type.Optional(labels),
      expires_at: Type.Optional(agentEnd),
      require_dpop: Type.Optional(requireDpop),
    }),
    result: Agent,
    emits: ['agent.updated', 'passport.issued'],
    refuses: ['NOT_FOUND', 'ALREADY_EXISTS', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'],
    automation: { limit: `Not to set an earlier expiry of an agent, or a later one if a person set it. ${AUTOMATION_LIMITS.facts}` },
  }),
  getAgentHealth: defineEndpoint({
    ...onAgent({
      method: 'GET',
      path: '/v1/agents/{agentId}/health',
      summary: 'Get the operational health of an agent.',
      permissions: ['agent:read'],
    }),
    result: AgentHealth,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getAgentEnforcement: defineEndpoint({
    ...onAgent({
      method: 'GET',
      path: '/v1/agents/{agentId}/enforcement',
      summary: 'Get the enforcement status of the runtimes of an agent.',
      permissions: ['agent:read'],
    }),
    result: AgentEnforcement,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getAgentAuthority: defineEndpoint({
    ...onAgent({
      method: 'GET',
      path: '/v1/agents/{agentId}/authority',
      summary: 'Get the effective authority of an agent.',
      permissions: ['delegation:read'],
    }),
    result: AgentAuthority,
    emits: [],
    refuses: ['NOT_FOUND', 'RATE_LIMITED'],
  }),
  grantCapability: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/capabilities',
      summary: 'Grant a capability.',
      permissions: ['agent:manage_capabilities'],
    }),
    body: closedObject({ capability }),
    result: Agent,
    status: 201,
    emits: ['agent.capability_granted', 'passport.issued', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'ALREADY_EXISTS', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
    automation: { limit: `${AUTOMATION_LIMITS.stopped} ${AUTOMATION_LIMITS.facts}` },
  }),
  revokeCapability: defineEndpoint({
    ...onAgent({
      method: 'DELETE',
      path: '/v1/agents/{agentId}/capabilities/{capability}',
      summary: 'Withdraw a capability.',
      permissions: ['agent:manage_capabilities'],
    }),
    budget: 'emergency',
    result: Agent,
    emergency: true,
    emits: ['agent.capability_revoked', 'passport.issued'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
};
