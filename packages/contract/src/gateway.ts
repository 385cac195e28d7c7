import { type Static, Type } from 'typebox';
import { Action, ActionRequest } from './actions.ts';
import { ApprovalForAgent } from './approvals.ts';
import { Decision } from './decisions.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { secret } from './rows/secret.ts';
import { closed, id, jsonObject, oneOf, timestamp } from './schema.ts';
import { MODES, TOOL_KINDS } from './vocabulary.ts';

const sdkWord = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const AssertionBody = closed({
  agent_id: id('Agent id (agt_).'),
  ...secret('assertion', Type.String({ minLength: 1, maxLength: 4096, description: 'Compact JWS, EdDSA, typ svc-assertion+jws.' })),
  sdk: closed({ name: sdkWord('Library name.'), version: sdkWord('Library version.'), runtime: sdkWord('Runtime of the agent.') }),
});

const grant = {
  ...secret('token', Type.String()),
  token_type: oneOf(['Bearer']),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  expires_at: timestamp,
  agent_id: Type.String(),
  environment_id: Type.String(),
  organization_id: Type.String(),
};
export const AgentToken = closed({ data: closed(grant) });
export type AgentToken = Static<typeof AgentToken>;

export const Handshake = closed({
  data: closed({
    ...grant,
    workspace_id: Type.String(),
    mode: oneOf(MODES),
    capabilities: Type.Array(Type.String()),
    passport_version: Type.Integer(),
    tools: Type.Array(
      closed({
        id: Type.String(),
        name: Type.String(),
        description: Type.String(),
        kind: oneOf(TOOL_KINDS),
        required_capability: Type.String(),
        parameters_schema: jsonObject('JSON Schema 2020-12 of the parameters.'),
      }),
    ),
  }),
});
export type Handshake = Static<typeof Handshake>;

const publicKey = closed({
  key_id: Type.String(),
  public_key: Type.String({ description: 'base64 SPKI.' }),
  jwk: jsonObject('The same key as a JWK.'),
});
export const PlatformKey = closed({
  key_id: Type.String(),
  algorithm: Type.String(),
  public_key: Type.String({ description: 'base64 SPKI.' }),
  audience: Type.String({ description: 'Sign assertions for exactly this string.' }),
  keys: Type.Array(publicKey, { description: 'Every key still in use, newest first.' }),
});
export type PlatformKey = Static<typeof PlatformKey>;

const assertionRefusals = [
  'AGENT_AUTHENTICATION_FAILED',
  'TIMESTAMP_OUT_OF_WINDOW',
  'NONCE_REPLAYED',
  'IDENTITY_GENERATION_STALE',
  'AGENT_IDENTITY_REVOKED',
  'AGENT_NOT_OPERATIONAL',
  'AGENT_ISOLATED',
  'IDENTITY_SERVICE_UNAVAILABLE',
] as const;

/** What an action is refused with: the codes of the pipeline's stages, and of what a decision rests on. */
const actionRefusals = [
  'ENVIRONMENT_PAUSED',
  'AGENT_NOT_OPERATIONAL',
  'AGENT_ISOLATED',
  'AGENT_IDENTITY_REVOKED',
  'IDENTITY_GENERATION_STALE',
  'AGENT_TOKEN_EXPIRED',
  'PASSPORT_INVALID',
  'NOT_FOUND',
  'TOOL_DISABLED',
  'CAPABILITY_NOT_GRANTED',
  'TOOL_NOT_AUTHORIZED',
  'VALIDATION_FAILED',
  'UNPROCESSABLE',
  'DESTINATION_BLOCKED',
  'DELEGATION_INVALID',
  'DELEGATION_EXPIRED',
  'AUTHORITY_EXCEEDED',
  'ACTION_BLOCKED',
  'VELOCITY_LIMIT_EXCEEDED',
  'APPROVAL_REQUIRED',
  'APPROVAL_NOT_GRANTED',
  'APPROVAL_EXPIRED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDENTITY_SERVICE_UNAVAILABLE',
  'POLICY_SERVICE_UNAVAILABLE',
  'APPROVAL_SERVICE_UNAVAILABLE',
  'AUDIT_SERVICE_UNAVAILABLE',
  'DEPENDENCY_UNAVAILABLE',
] as const;

export const gatewayEndpoints = {
  getPlatformKey: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'GET',
    path: '/.well-known/svc-platform-key',
    summary: 'The platform public key, its id and the audience to sign assertions for.',
    credential: 'none',
    budget: 'address',
    wire: 'json',
    cacheSeconds: LIMITS.platformKey.cacheSeconds,
    result: PlatformKey,
    emits: [],
    refuses: ['IDENTITY_SERVICE_UNAVAILABLE'],
  }),
  mintToken: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'POST',
    path: '/gateway/v1/token',
    summary: 'Exchange a signed assertion for a short-lived token.',
    credential: 'none',
    budget: 'assertion',
    wire: 'json',
    body: AssertionBody,
    result: AgentToken,
    emits: [],
    refuses: [...assertionRefusals, 'RATE_LIMITED'],
  }),
  handshake: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'POST',
    path: '/gateway/v1/handshake',
    summary: 'As token, with what the agent may use.',
    credential: 'none',
    budget: 'assertion',
    wire: 'json',
    body: AssertionBody,
    result: Handshake,
    emits: [],
    refuses: [...assertionRefusals, 'RATE_LIMITED'],
  }),
  endAgentSession: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'POST',
    path: '/gateway/v1/logout',
    summary: 'End this agent session; its token is refused from then on.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    body: closed({}),
    bodyOptional: true,
    result: closed({ revoked: Type.Boolean() }),
    byAnyClock: true,
    emits: ['session.revoked'],
    refuses: [],
  }),
  act: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'POST',
    path: '/gateway/v1/actions',
    summary: 'Ask for a protected action; it is decided, recorded and, when allowed, executed.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'pipeline',
    wire: 'json',
    idempotent: true,
    body: ActionRequest,
    example: { tool: 'refund.create', parameters: { order: 'order-1001', amount: 20_000, currency: 'USD' } },
    result: Decision,
    writesNothing: 'dry_run',
    emits: [
      'action.requested',
      'action.allowed',
      'action.blocked',
      'action.limited',
      'action.masked',
      'action.approval_required',
      'action.observed',
      'action.simulated',
      'action.completed',
      'action.failed',
      'approval.requested',
      'security.destination_blocked',
    ],
    refuses: [...actionRefusals, 'CONFLICT', 'EXECUTION_FAILED', 'EXECUTION_TIMEOUT'],
  }),
  getOwnAction: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'GET',
    path: '/gateway/v1/actions/{actionId}',
    summary: 'One action of this agent.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    result: Action,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  reportOutcome: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'POST',
    path: '/gateway/v1/actions/{actionId}/outcome',
    summary: 'Report how an action went that the agent itself executed.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    body: closed({
      status: oneOf(['COMPLETED', 'FAILED']),
      result: Type.Optional(Type.Unknown()),
      error: Type.Optional(Type.String({ maxLength: 2000 })),
    }),
    result: Action,
    byAnyClock: true,
    emits: ['action.completed', 'action.failed'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
  getOwnApproval: endpoint({
    plane: 'gateway',
    area: 'gateway',
    method: 'GET',
    path: '/gateway/v1/approvals/{approvalId}',
    summary: 'State of an approval this agent waits for.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    result: ApprovalForAgent,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
