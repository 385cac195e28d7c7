import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { allowedNetworks } from '../tenancy/networks.ts';

export const ApiKey = closedObject({
  id: id('API key id (apk_).'),
  name: Type.String(),
  role_id: Type.String(),
  workspace_id: nullable(Type.String()),
  workspace_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'Present if the key is limited to a set of workspaces other than exactly one.' }),
  ),
  allowed_networks: allowedNetworks,
  created_by: Type.String(),
  created_at: timestamp,
  expires_at: nullable(timestamp),
  last_used_at: nullable(timestamp),
  last_used_from: nullable(Type.String({ description: 'Source address of the last use, updated at most once a minute.' })),
  overlap_ends_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
});
export type ApiKey = Static<typeof ApiKey>;

const expiresInDays = (otherwise: string) =>
  Type.Integer({
    minimum: 1,
    maximum: LIMITS.apiKeys.expiryDaysMax,
    description: `Up to ${LIMITS.apiKeys.expiryDaysMax} days; ${otherwise}`,
  });

export const apiKeyEndpoints = {
  createApiKey: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/api-keys',
    summary: 'Create an API key. Its token is returned once.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['apikey:create'],
    body: closedObject({
      name: name('Purpose of the key.'),
      role_id: id('Role of the key, except owner. The caller must have all permissions of the role.'),
      workspace_id: Type.Optional(id('Limits the key to one workspace.')),
      workspace_ids: Type.Optional(
        Type.Array(id('Workspace id (wsp_).'), {
          minItems: 1,
          maxItems: LIMITS.apiKeys.workspacesMax,
          uniqueItems: true,
          description: 'Limits the key to these workspaces; cannot be combined with workspace_id.',
        }),
      ),
      allowed_networks: Type.Optional(allowedNetworks),
      expires_in_days: Type.Optional(
        expiresInDays(
          'default: 365. A key created by an API key expires no later than that key, whose expiry is the default if it is earlier.',
        ),
      ),
    }),
    result: closedObject({ api_key: ApiKey, ...secret('token', Type.String({ description: 'API key token, returned once.' })) }),
    status: 201,
    emits: ['apikey.created'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'UNPROCESSABLE'],
    automation: { limit: AUTOMATION_LIMITS.grant },
  }),
  listApiKeys: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List API keys, newest first, including the newest ended ones, without their secrets.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['apikey:read'],
    query: boundedListQuery,
    result: Type.Array(ApiKey),
    emits: [],
    refuses: [],
  }),
  rotateApiKey: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/api-keys/{apiKeyId}/rotate',
    summary:
      'Rotate the secret of an API key. The new secret is returned once, and the old one is accepted until the overlap ends. Allowed for the creator of the key and for the key itself.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['apikey:create'],
    body: closedObject({
      overlap_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LIMITS.apiKeys.overlapSecondsMax,
          default: LIMITS.apiKeys.defaultOverlapSeconds,
          description: 'Overlap during which both secrets are accepted. With 0 the old secret is refused immediately.',
        }),
      ),
      expires_in_days: Type.Optional(expiresInDays('defaults to the current expiry. Only a user can set a later expiry.')),
    }),
    bodyOptional: true,
    result: closedObject({ api_key: ApiKey, ...secret('token', Type.String({ description: 'New API key token, returned once.' })) }),
    emits: ['apikey.created'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'INVALID_STATE_TRANSITION'],
    automation: { limit: AUTOMATION_LIMITS.grant },
  }),
  endPreviousSecret: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'DELETE',
    path: '/v1/api-keys/{apiKeyId}/previous-secret',
    summary: 'End the overlap of a rotation: the previous secret is refused immediately.',
    credential: 'caller',
    budget: 'emergency',
    wire: 'json',
    permissions: ['apikey:revoke'],
    result: ApiKey,
    emergency: true,
    emits: ['apikey.revoked'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  revokeApiKey: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'DELETE',
    path: '/v1/api-keys/{apiKeyId}',
    summary: 'Revoke an API key. All further requests with it are refused.',
    credential: 'caller',
    budget: 'emergency',
    wire: 'json',
    permissions: ['apikey:revoke'],
    result: ApiKey,
    emergency: true,
    emits: ['apikey.revoked'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
};
