import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, jsonObject, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { MODES, TOOL_KINDS } from '../tables/vocabulary.ts';

const sdkWord = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const AssertionBody = closedObject({
  agent_id: id('Agent id (agt_).'),
  ...secret('assertion', Type.String({ minLength: 1, maxLength: 4096, description: 'Compact JWS, EdDSA, typ svc-assertion+jws.' })),
  sdk: closedObject({ name: sdkWord('Library name.'), version: sdkWord('Library version.'), runtime: sdkWord('Runtime of the agent.') }),
});

const grant = {
  ...secret('token', Type.String()),
  token_type: enumSchema(['Bearer', 'DPoP'], 'DPoP if the token is bound to a key (RFC 9449).'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  expires_at: timestamp,
  agent_id: Type.String(),
  environment_id: Type.String(),
  organization_id: Type.String(),
};
export const AgentToken = closedObject({ data: closedObject(grant) });
export type AgentToken = Static<typeof AgentToken>;

export const Handshake = closedObject({
  data: closedObject({
    ...grant,
    workspace_id: Type.String(),
    mode: enumSchema(MODES),
    capabilities: Type.Array(Type.String()),
    passport_version: Type.Integer(),
    tools: Type.Array(
      closedObject({
        id: Type.String(),
        name: Type.String(),
        description: Type.String(),
        kind: enumSchema(TOOL_KINDS),
        required_capability: Type.String(),
        parameters_schema: jsonObject('JSON Schema of the parameters, draft-04 to 2020-12, as registered.'),
      }),
    ),
  }),
});
export type Handshake = Static<typeof Handshake>;

const publicKey = closedObject({
  key_id: Type.String(),
  public_key: Type.String({ description: 'base64 SPKI.' }),
  jwk: jsonObject('Same key as a JWK.'),
});
export const PlatformKey = closedObject({
  key_id: Type.String(),
  algorithm: Type.String(),
  public_key: Type.String({ description: 'base64 SPKI.' }),
  audience: Type.String({ description: 'Audience of assertions, used exactly as returned.' }),
  keys: Type.Array(publicKey, { description: 'All keys that are still in use, newest first.' }),
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

export const identityEndpoints = {
  getPlatformKey: defineEndpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'GET',
    path: '/.well-known/svc-platform-key',
    fromConsole: true,
    summary: 'Get the platform public key, its id and the audience of assertions.',
    credential: 'none',
    budget: 'address',
    wire: 'json',
    cacheSeconds: LIMITS.platformKey.cacheSeconds,
    result: PlatformKey,
    emits: [],
    refuses: ['IDENTITY_SERVICE_UNAVAILABLE'],
  }),
  mintToken: defineEndpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'POST',
    path: '/gateway/v1/token',
    fromConsole: true,
    summary: 'Exchange a signed assertion for a short-lived token.',
    credential: 'none',
    budget: 'assertion',
    wire: 'json',
    body: AssertionBody,
    result: AgentToken,
    emits: [],
    refuses: [...assertionRefusals, 'RATE_LIMITED', 'UNPROCESSABLE'],
  }),
  handshake: defineEndpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'POST',
    path: '/gateway/v1/handshake',
    summary: 'Exchange a signed assertion for a token, with the tools and capabilities of the agent.',
    credential: 'none',
    budget: 'assertion',
    wire: 'json',
    body: AssertionBody,
    result: Handshake,
    emits: [],
    refuses: [...assertionRefusals, 'RATE_LIMITED', 'UNPROCESSABLE'],
  }),
  endAgentSession: defineEndpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'POST',
    path: '/gateway/v1/logout',
    summary: 'End this agent session. Its token is refused from then on.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ revoked: Type.Boolean() }),
    byAnyClock: true,
    emits: ['session.revoked'],
    refuses: [],
  }),
};
