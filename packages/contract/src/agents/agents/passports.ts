import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { closedObject, enumSchema, id, reason, timestamp } from '../../rows/schema.ts';
import { AGENT_STATUSES } from '../../tables/vocabulary.ts';
import { AgentWithKey, onAgent } from './agents.ts';
import { publicKeyInput } from './public-keys.ts';

export const Passport = closedObject({
  id: id('Passport id (psp_).'),
  agent_id: Type.String(),
  version: Type.Integer(),
  token: Type.String({ description: 'JWS signed by the platform key. Can be verified offline with the key from the well-known endpoint.' }),
  issued_at: timestamp,
  expires_at: timestamp,
});
export type Passport = Static<typeof Passport>;

/** The public key that verifies a passport offline. */
const PassportKey = closedObject({
  kty: Type.String(),
  crv: Type.String(),
  x: Type.String(),
  kid: Type.String(),
  alg: Type.String(),
  use: Type.String(),
});

const PASSPORT_CHARS_MAX = 65_536;

export const agentPassportEndpoints = {
  verifyPassport: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/passports/verify',
      summary:
        'Verify the passport of an agent: its signature, its term, and that it is the current version of an agent that has not ended.',
      permissions: ['agent:read'],
    }),
    body: closedObject({
      passport: Type.String({ minLength: 1, maxLength: PASSPORT_CHARS_MAX, description: 'The passport, a compact JWS.' }),
    }),
    result: closedObject({
      id: Type.String(),
      agent_id: Type.String(),
      name: Type.String(),
      status: enumSchema(AGENT_STATUSES),
      organization_id: Type.String(),
      environment_id: Type.String(),
      version: Type.Integer(),
      capabilities: Type.Array(Type.String()),
      public_key_thumbprint: Type.String(),
      issued_at: timestamp,
      expires_at: timestamp,
      verified_at: timestamp,
    }),
    emits: ['passport.verified'],
    refuses: ['PASSPORT_INVALID'],
    automation: 'ALLOWED',
  }),
  exportPassport: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/passport/export',
      summary: 'Get the current passport with the public key that verifies it offline. The export is recorded.',
      permissions: ['agent:read'],
    }),
    bodyOptional: true,
    body: closedObject({ reason: Type.Optional(reason) }),
    result: closedObject({ passport: Passport, key: PassportKey, exported_at: timestamp }),
    emits: ['passport.exported'],
    refuses: ['NOT_FOUND', 'GONE', 'DEPENDENCY_UNAVAILABLE'],
    automation: 'ALLOWED',
  }),
  rotateAgentCredentials: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/rotate-credentials',
      summary:
        'Replace the identity key. All sessions of the agent end, and approvals that depend on the vote of the caller are withdrawn. Requires a step-up if the agent holds a dangerous or critical tool.',
      permissions: ['agent:rotate_credentials'],
    }),
    mayNeed: ['step_up'],
    body: closedObject({ public_key: Type.Optional(publicKeyInput), reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: AgentWithKey,
    emits: ['agent.identity_rotated', 'passport.rotated', 'approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED', 'STEP_UP_REQUIRED'],
    automation: { limit: 'Not for an agent that may use a dangerous or critical tool.' },
  }),
  getAgentPassport: defineEndpoint({
    ...onAgent({ method: 'GET', path: '/v1/agents/{agentId}/passport', summary: 'Get the current passport.', permissions: ['agent:read'] }),
    result: Passport,
    emits: [],
    refuses: ['NOT_FOUND', 'GONE'],
  }),
  renewPassport: defineEndpoint({
    ...onAgent({
      method: 'POST',
      path: '/v1/agents/{agentId}/passport/renew',
      summary:
        'Renew the passport for another term with the same key; sessions continue. Passports of active and paused agents are renewed automatically.',
      permissions: ['agent:rotate_credentials'],
    }),
    body: closedObject({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Passport,
    emits: ['passport.issued'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
};
