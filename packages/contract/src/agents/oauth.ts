import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, jsonObject } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { WIRE_NAME } from '../tables/wire-name.ts';

/** Assertion type of RFC 7523, section 2.2. */
export const CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Grant and token types of RFC 8693. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
/** Type of a subject token that is the id of a delegation to the agent. */
export const DELEGATION_TOKEN_TYPE = `urn:${WIRE_NAME}:token-type:delegation` as const;
/** Type of the authorization details that state tools and ceilings of a chain (RFC 9396). */
export const AUTHORITY_DETAILS_TYPE = `urn:${WIRE_NAME}:authority` as const;
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
const AuthorizationServer = closedObject({
  issuer: address('Address of this gateway, used exactly as returned.'),
  token_endpoint: Type.String(),
  authorization_endpoint: address('Refuses every request: authorization codes are not issued.'),
  jwks_uri: Type.String(),
  grant_types_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  dpop_signing_alg_values_supported: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
});
const ProtectedResource = closedObject({
  resource: address('Address of the endpoint, to be sent as resource.'),
  authorization_servers: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.String()),
  dpop_signing_alg_values_supported: Type.Array(Type.String()),
  resource_name: Type.String(),
});
export type ProtectedResource = Static<typeof ProtectedResource>;

/** RFC 6749, section 3.2: unknown parameters are ignored. */
const TokenRequest = Type.Object(
  {
    grant_type: Type.String({
      minLength: 1,
      maxLength: 200,
      description: `client_credentials, or ${TOKEN_EXCHANGE} for a token for a service outside.`,
      examples: ['client_credentials'],
    }),
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
    resource: Type.Optional(
      Type.String({
        maxLength: LIMITS.tokenExchange.audienceCharsMax,
        description: 'Endpoint of this gateway that the token is for (RFC 8707). In a token exchange: address of the service outside.',
      }),
    ),
    audience: Type.Optional(
      Type.String({
        maxLength: LIMITS.tokenExchange.audienceCharsMax,
        description: 'Token exchange: name of the service outside, in place of resource.',
      }),
    ),
    scope: Type.Optional(
      Type.String({
        maxLength: LIMITS.tokenExchange.scopeCharsMax,
        description:
          'mcp, a2a or both; default: the scope of the resource. In a token exchange: capabilities; default: all that the chain leaves.',
      }),
    ),
    ...secret(
      'subject_token',
      Type.Optional(
        Type.String({
          maxLength: LIMITS.tokenExchange.tokenCharsMax,
          description: 'Token exchange: token of the agent, or the id of a delegation to it.',
        }),
      ),
    ),
    subject_token_type: Type.Optional(
      Type.String({ maxLength: 200, description: `Token exchange: ${ACCESS_TOKEN_TYPE} or ${DELEGATION_TOKEN_TYPE}.` }),
    ),
    ...secret(
      'actor_token',
      Type.Optional(
        Type.String({
          maxLength: LIMITS.tokenExchange.tokenCharsMax,
          description: 'Token exchange: token of the agent. May be left out with a client_assertion, or if subject_token is that token.',
        }),
      ),
    ),
    actor_token_type: Type.Optional(Type.String({ maxLength: 200, description: `Token exchange: ${ACCESS_TOKEN_TYPE}.` })),
    requested_token_type: Type.Optional(Type.String({ maxLength: 200, description: `Token exchange: ${ACCESS_TOKEN_TYPE}.` })),
  },
  { additionalProperties: true },
);

const OAuthToken = closedObject({
  ...secret('access_token', Type.String()),
  issued_token_type: Type.Optional(Type.String({ description: 'Set in answers to a token exchange.' })),
  token_type: enumSchema(['Bearer', 'DPoP']),
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

const IntrospectionRequest = Type.Object(
  {
    ...secret(
      'token',
      Type.String({ minLength: 1, maxLength: LIMITS.tokenExchange.tokenCharsMax, description: 'Token issued by the gateway.' }),
    ),
    token_type_hint: Type.Optional(Type.String({ maxLength: 200, description: 'Ignored.' })),
  },
  { additionalProperties: true },
);

const Introspection = closedObject({
  active: Type.Boolean({ description: 'False also for tokens of other organizations and for texts that are no token.' }),
  token_type: Type.Optional(enumSchema(['Bearer', 'DPoP'])),
  scope: Type.Optional(Type.String({ description: 'Capabilities of the token that the chain still leaves.' })),
  client_id: Type.Optional(Type.String({ description: 'Agent that the token was issued to.' })),
  sub: Type.Optional(Type.String({ description: 'User or agent that gave the authority first.' })),
  act: Type.Optional(jsonObject('Chain of agents: the acting one, and nested in it the previous one (RFC 8693).')),
  authorization_details: Type.Optional(Type.Array(jsonObject('Tools and ceilings of the chain.'))),
  aud: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  iss: Type.Optional(Type.String()),
  iat: Type.Optional(Type.Integer()),
  exp: Type.Optional(Type.Integer()),
  jti: Type.Optional(Type.String()),
  delegation_id: Type.Optional(Type.String()),
  environment_id: Type.Optional(Type.String()),
  cnf: Type.Optional(closedObject({ jkt: Type.String({ description: 'Thumbprint of the key that the token is bound to (RFC 9449).' }) })),
});
export type Introspection = Static<typeof Introspection>;

export const oauthEndpoints = {
  getOauthServerMetadata: defineEndpoint({
    ...metadata,
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the OAuth metadata of this gateway (RFC 8414), from which stock clients learn how to sign in.',
    result: AuthorizationServer,
    refuses: [],
  }),
  getMcpResource: defineEndpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/mcp',
    summary: 'Get the metadata of the MCP endpoint of all servers (RFC 9728).',
    result: ProtectedResource,
    refuses: [],
  }),
  getMcpServerResource: defineEndpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/mcp/{serverId}',
    summary: 'Get the metadata of the MCP endpoint of one server (RFC 9728). It does not say whether the server exists.',
    result: ProtectedResource,
    refuses: ['NOT_FOUND'],
  }),
  getA2aResource: defineEndpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/a2a/{a2aConnectionId}',
    summary: 'Get the metadata of the endpoint of an A2A connection (RFC 9728). It does not say whether the connection exists.',
    result: ProtectedResource,
    refuses: ['NOT_FOUND'],
  }),
  getAgentA2aResource: defineEndpoint({
    ...metadata,
    path: '/.well-known/oauth-protected-resource/gateway/v1/agents/{agentId}/a2a',
    summary: 'Get the metadata of the A2A endpoint of an agent (RFC 9728). It does not say whether the agent exists.',
    result: ProtectedResource,
    refuses: ['NOT_FOUND'],
  }),
  getJwks: defineEndpoint({
    ...metadata,
    path: OAUTH_PATHS.jwks,
    summary: 'Get the public keys that verify tokens of this gateway, as a JWK set (RFC 7517).',
    result: closedObject({ keys: Type.Array(jsonObject('Public key as a JWK: OKP, Ed25519.')) }),
    refuses: ['IDENTITY_SERVICE_UNAVAILABLE'],
  }),
  refuseAuthorization: defineEndpoint({
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
  issueOauthToken: defineEndpoint({
    plane: 'gateway',
    area: 'agents',
    method: 'POST',
    path: OAUTH_PATHS.token,
    summary: 'Get a short-lived token for a signed client assertion (RFC 7523), or one for a service outside by token exchange (RFC 8693).',
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
  introspectToken: defineEndpoint({
    plane: 'control',
    area: 'agents',
    method: 'POST',
    path: '/v1/oauth/introspect',
    summary: 'Check whether a token of the gateway is active, and read its claims (RFC 7662).',
    credential: 'caller',
    budget: 'caller',
    wire: 'form',
    permissions: ['delegation:read'],
    writesNothing: 'always',
    body: IntrospectionRequest,
    result: Introspection,
    emits: [],
    refuses: ['IDENTITY_SERVICE_UNAVAILABLE'],
    automation: 'ALLOWED',
  }),
};
