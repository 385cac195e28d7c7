import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, jsonObject, oneOf } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';

/** Assertion type of RFC 7523, section 2.2. */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Scope of a token for MCP and A2A endpoints. The policies of the agent decide about each call. */
export const OAUTH_SCOPES = ['mcp', 'a2a'] as const;
export const OAUTH_PATHS = {
  token: '/gateway/v1/oauth/token',
  jwks: '/gateway/v1/oauth/jwks',
  authorize: '/gateway/v1/oauth/authorize',
  /** Prefix of the metadata of a protected resource, to which the path of the resource is added (RFC 9728, section 3.1). */
  protectedResource: '/.well-known/oauth-protected-resource',
} as const;

const address = (description: string) => Type.String({ description });
const AuthorizationServer = closed({
  issuer: address('Address of this gateway, used exactly as returned.'),
  token_endpoint: Type.String(),
  authorization_endpoint: address('Refuses every request: authorization codes are not issued.'),
  jwks_uri: Type.String(),
  grant_types_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
});
const ProtectedResource = closed({
  resource: address('Address of the endpoint, to be sent as resource.'),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  resource_name: Type.String(),
});
export type ProtectedResource = Static<typeof ProtectedResource>;

/** RFC 6749, section 3.2: parameters that are not recognized are ignored. */
const TokenRequest = Type.Object(
  {
    grant_type: Type.String({ minLength: 1, maxLength: 200, description: 'client_credentials.', examples: ['client_credentials'] }),
    client_assertion_type: Type.Optional(Type.String({ maxLength: 200, description: CLIENT_ASSERTION_TYPE })),
    ...secret(
      'client_assertion',
      Type.Optional(
        Type.String({
          maxLength: 4096,
          description:
            'JWT signed with the key of the agent (EdDSA), or with a registered key of the connection (EdDSA or ES256): iss and sub are the id, aud the issuer.',
        }),
      ),
    ),
    client_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Agent id (agt_), or the id of an INBOUND A2A connection (a2a_). Optional; the assertion names it.',
      }),
    ),
    resource: Type.Optional(Type.String({ maxLength: 2048, description: 'Endpoint of this gateway that the token is for (RFC 8707).' })),
    scope: Type.Optional(Type.String({ maxLength: 200, description: 'mcp, a2a or both. Default: the scope of the resource.' })),
  },
  { additionalProperties: true },
);

const OAuthToken = closed({
  ...secret('access_token', Type.String()),
  token_type: oneOf(['Bearer']),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  scope: Type.String(),
});

const metadata = {
  plane: 'gateway',
  area: 'agents',
  method: 'GET',
  credential: 'none',
  budget: 'address',
  wire: 'json',
  cacheSeconds: LIMITS.platformKey.cacheSeconds,
  emits: [],
} as const;

export const oauthEndpoints = {
  getOauthServerMetadata: endpoint({
    ...metadata,
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the OAuth metadata of this gateway (RFC 8414), from which stock clients learn how to sign in.',
    result: AuthorizationServer,
    refuses: [],
  }),
  getMcpResource: endpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/mcp',
    summary: 'Get the metadata of the MCP endpoint of all servers (RFC 9728).',
    result: ProtectedResource,
    refuses: [],
  }),
  getMcpServerResource: endpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/mcp/{serverId}',
    summary: 'Get the metadata of the MCP endpoint of one server (RFC 9728). It does not say whether the server exists.',
    result: ProtectedResource,
    refuses: ['NOT_FOUND'],
  }),
  getA2aResource: endpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/a2a/{a2aConnectionId}',
    summary: 'Get the metadata of the endpoint of an A2A connection (RFC 9728). It does not say whether the connection exists.',
    result: ProtectedResource,
    refuses: ['NOT_FOUND'],
  }),
  getAgentA2aResource: endpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/agents/{agentId}/a2a',
    summary: 'Get the metadata of the A2A endpoint of an agent (RFC 9728). It does not say whether the agent exists.',
    result: ProtectedResource,
    refuses: ['NOT_FOUND'],
  }),
  getJwks: endpoint({
    ...metadata,
    path: OAUTH_PATHS.jwks,
    summary: 'Get the public keys that verify tokens of this gateway, as a JWK set (RFC 7517).',
    result: closed({ keys: Type.Array(jsonObject('Public key as a JWK: OKP, Ed25519.')) }),
    refuses: ['IDENTITY_SERVICE_UNAVAILABLE'],
  }),
  refuseAuthorization: endpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'GET',
    path: OAUTH_PATHS.authorize,
    summary: 'Refuses with unsupported_response_type: people do not sign in here. Never redirects. Some clients need the address.',
    credential: 'none',
    budget: 'address',
    wire: 'form',
    query: Type.Object({}, { additionalProperties: true }),
    result: Type.Object({}),
    emits: [],
    refuses: ['UNPROCESSABLE'],
  }),
  issueOauthToken: endpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'POST',
    path: OAUTH_PATHS.token,
    summary: 'Exchange a signed client assertion for a short-lived token (RFC 6749 client_credentials with RFC 7523 private_key_jwt).',
    credential: 'none',
    budget: 'assertion',
    wire: 'form',
    body: TokenRequest,
    result: OAuthToken,
    emits: [],
    refuses: [
      ...(['AGENT_AUTHENTICATION_FAILED', 'TIMESTAMP_OUT_OF_WINDOW', 'NONCE_REPLAYED', 'IDENTITY_GENERATION_STALE'] as const),
      ...(['AGENT_IDENTITY_REVOKED', 'AGENT_NOT_OPERATIONAL', 'AGENT_ISOLATED', 'IDENTITY_SERVICE_UNAVAILABLE', 'RATE_LIMITED'] as const),
      ...(['A2A_CONNECTION_BLOCKED', 'PASSPORT_INVALID', 'UNPROCESSABLE'] as const),
    ],
  }),
};
