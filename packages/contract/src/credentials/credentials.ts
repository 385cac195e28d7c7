import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import {
  boundedListQuery,
  closedObject,
  enumSchema,
  id,
  longText,
  mcpSlug,
  name,
  nullable,
  reason,
  timestamp,
  toolName,
  wholeNumber,
} from '../rows/schema.ts';
import { PRINTABLE, SENT_WHOLE, secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { OAUTH_GRANTS, OauthTerms, OauthView, oauthSecrets } from './oauth.ts';

const { credentials } = LIMITS;

/** Ways to send a secret, a fixed one or an access token. */
export const CREDENTIAL_SCHEMES = ['BEARER', 'HEADER', 'BASIC', 'BODY_FIELD', 'QUERY'] as const;
export type CredentialScheme = (typeof CREDENTIAL_SCHEMES)[number];

export const CREDENTIAL_STATUSES = ['ACTIVE', 'REVOKED'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** Kind of a credential: a fixed secret, or an OAuth application by its grant. */
export const CREDENTIAL_KINDS = ['FIXED', ...OAUTH_GRANTS] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export const CREDENTIAL_ORDERS = ['oldest', 'newest', 'name', 'longest_unused'] as const;
export type CredentialOrder = (typeof CREDENTIAL_ORDERS)[number];

/** Which part of HTTP basic authentication is the secret; the other part is `username`, or empty. */
export const BASIC_PARTS = ['PASSWORD', 'USERNAME'] as const;

/** Position of the secret in a request. The scheme decides which members it has. */
export const Placement = closedObject({
  header: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
      examples: ['x-api-key'],
      description: 'Scheme HEADER: name of the header.',
    }),
  ),
  prefix: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: '^[!-~]+$',
      examples: ['Token'],
      description: 'Scheme HEADER: word that precedes the key, separated by a space.',
    }),
  ),
  template: Type.Optional(
    Type.String({
      minLength: 9,
      maxLength: 200,
      pattern: PRINTABLE,
      examples: ['Token token={secret}'],
      description: 'Scheme HEADER: value of the header, with {secret} exactly once. Replaces prefix.',
    }),
  ),
  secret_is: Type.Optional(enumSchema(BASIC_PARTS, 'Scheme BASIC: part that contains the secret. Default: PASSWORD.')),
  username: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^[ -9;-~]*$',
      description: 'Scheme BASIC with the secret as PASSWORD: the user name. Default: empty.',
    }),
  ),
  field: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[!-~]+$',
      examples: ['auth_token'],
      description: 'Scheme BODY_FIELD: member of the JSON object in the body.',
    }),
  ),
  parameter: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[!-~]+$',
      examples: ['api_key'],
      description: 'Scheme QUERY: name of the parameter.',
    }),
  ),
});
export type Placement = Static<typeof Placement>;

/** Positions in a request that an extra item can have. */
export const EXTRA_POSITIONS = ['HEADER', 'QUERY', 'BODY_FIELD'] as const;
export type ExtraPosition = (typeof EXTRA_POSITIONS)[number];

const extraItem = {
  in: enumSchema(EXTRA_POSITIONS, 'Position in the request.'),
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[!-~]+$',
    examples: ['DD-APPLICATION-KEY'],
    description: 'Name of the header, query parameter or body field.',
  }),
};

/** The position and name of a second secret that a credential sends. */
export const CredentialExtra = closedObject(extraItem);
export type CredentialExtra = Static<typeof CredentialExtra>;

const destinations = Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
  minItems: 1,
  maxItems: credentials.destinationsMax,
  uniqueItems: true,
  description: 'host or *.host, optionally with :port. The secret is sent only to these destinations.',
});
const tools = Type.Array(toolName('A tool of the environment.', 'refund.create'), {
  maxItems: credentials.toolsMax,
  uniqueItems: true,
  description: 'Names of the tools that may use the credential. The tools need not exist yet. Required without servers.',
});
const servers = Type.Array(mcpSlug('An MCP server of the environment.'), {
  maxItems: credentials.serversMax,
  uniqueItems: true,
  description: 'Slugs of the MCP servers that may use the credential, with all their tools. The servers need not exist yet.',
});

export const Credential = closedObject({
  id: id('Credential id (cred_).'),
  name: Type.String(),
  description: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  scheme: enumSchema(CREDENTIAL_SCHEMES),
  placement: Placement,
  extras: Type.Array(CredentialExtra, {
    description: 'Positions of the other secrets, which are sent and rotated together with the first.',
  }),
  destinations: Type.Array(Type.String()),
  tools: Type.Array(Type.String()),
  servers: Type.Array(Type.String(), { description: 'Slugs of the MCP servers that may use the credential.' }),
  status: enumSchema(CREDENTIAL_STATUSES),
  revoked_reason: nullable(Type.String()),
  generation: Type.Integer({ minimum: 1, description: 'Increases with each rotation.' }),
  rotated_at: nullable(timestamp),
  previous_ends_at: nullable({
    ...timestamp,
    description: 'End of the overlap: until then a call that is refused with 401 is repeated once with the previous secret.',
  }),
  oauth: nullable(OauthView),
  last_used_at: nullable({
    ...timestamp,
    description: `Time of the last lease for a call in the newest ${credentials.usesLookBackEventsMax} events of the organization; null if they contain none. GET /v1/audit-events?type=credential.issued with the id of the credential as q finds all recorded uses.`,
  }),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Credential = Static<typeof Credential>;

const secretText = (description: string) =>
  Type.String({ minLength: credentials.secretCharsMin, maxLength: credentials.secretCharsMax, pattern: SENT_WHOLE, description });

const sent = {
  ...secret(
    'secret',
    Type.Optional(
      secretText(
        'Key, token or password. Required without oauth. It is encrypted immediately, sent only by the gateway, and never returned.',
      ),
    ),
  ),
  ...oauthSecrets,
};

const extras = (description: string) =>
  Type.Optional(
    Type.Array(closedObject({ ...extraItem, ...secret('secret', secretText('Value of the item. Sealed, and never returned.')) }), {
      maxItems: credentials.extrasMax,
      description,
    }),
  );

const row = {
  plane: 'control',
  area: 'credentials',
  credential: 'caller',
  budget: 'caller',
  wire: 'json',
} as const;

export const credentialEndpoints = {
  listCredentials: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/credentials',
    summary:
      'List the credentials that the gateway sends to services, active ones first, oldest first or in the requested order. Secrets are never returned.',
    permissions: ['credential:read'],
    query: closedObject({
      status: Type.Optional(enumSchema(CREDENTIAL_STATUSES)),
      kind: Type.Optional(enumSchema(CREDENTIAL_KINDS, 'Fixed secret, or OAuth application by its grant.')),
      tool: Type.Optional(Type.String({ maxLength: 100, description: 'Only credentials that the tool with this name may use.' })),
      environment_id: Type.Optional(Type.String({ maxLength: 64 })),
      order: Type.Optional(
        enumSchema(CREDENTIAL_ORDERS, 'Sort order within active and within revoked credentials; oldest first by default.'),
      ),
      ...boundedListQuery.properties,
    }),
    result: Type.Array(Credential),
    emits: [],
    refuses: [],
  }),
  createCredential: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/credentials',
    summary: 'Store the secret of a service for the given destinations and tools.',
    permissions: ['credential:create'],
    idempotent: true,
    body: closedObject({
      name: name('Name, unique in the environment.'),
      description: Type.Optional(longText('Purpose, and where to obtain a new secret.')),
      environment_id: id('Environment of the tools that use the credential.'),
      scheme: enumSchema(CREDENTIAL_SCHEMES, 'How the secret is sent.'),
      placement: Type.Optional(Placement),
      destinations,
      tools: Type.Optional(tools),
      servers: Type.Optional(servers),
      oauth: Type.Optional(OauthTerms),
      ...sent,
      extras: extras('Other secrets that each request needs, such as an application key with the API key.'),
    }),
    example: {
      name: 'Payments, test account',
      environment_id: 'env_00000000000000000000000000',
      scheme: 'BEARER',
      destinations: ['api.payments.example'],
      tools: ['refund.create'],
      secret: 'a-key-of-the-service',
    },
    result: Credential,
    status: 201,
    emits: ['credential.created'],
    refuses: ['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE'],
    automation: 'ALLOWED',
  }),
  getCredential: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/credentials/{credentialId}',
    summary: 'Get a credential, without its secret.',
    permissions: ['credential:read'],
    result: Credential,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  rotateCredential: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/credentials/{credentialId}/rotate',
    summary: 'Rotate the secret, its extra items, or both. New calls use the new values.',
    permissions: ['credential:rotate'],
    idempotent: true,
    body: closedObject({
      ...sent,
      extras: extras('New values of extra items of this credential. Secrets that are left out stay the same.'),
      overlap_seconds: Type.Optional(
        wholeNumber(
          0,
          credentials.overlapSecondsMax,
          'Overlap during which a call that is refused with 401 is repeated once with the previous secret. Default: 0.',
        ),
      ),
    }),
    result: Credential,
    emits: ['credential.rotated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED', 'CREDENTIAL_SERVICE_UNAVAILABLE'],
  }),
  revokeCredential: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/credentials/{credentialId}/revoke',
    budget: 'emergency',
    emergency: true,
    summary: 'Revoke a credential permanently and erase its secret.',
    permissions: ['credential:revoke'],
    body: closedObject({ reason }),
    result: Credential,
    emits: ['credential.revoked'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
};
