import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';

export const ApiKey = closed({
  id: id('API key id (apk_).'),
  name: Type.String(),
  role_id: Type.String(),
  workspace_id: nullable(Type.String()),
  workspace_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'Only where the key is limited to a set of workspaces that is not just one.' }),
  ),
  created_by: Type.String(),
  created_at: timestamp,
  expires_at: nullable(timestamp),
  last_used_at: nullable(timestamp),
  revoked_at: nullable(timestamp),
});
export type ApiKey = Static<typeof ApiKey>;

export const apiKeyEndpoints = {
  createApiKey: endpoint({
    plane: 'control',
    area: 'people',
    method: 'POST',
    path: '/v1/api-keys',
    summary: 'Create an API key; its token is shown once.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['apikey:create'],
    body: closed({
      name: name('What the key is for.'),
      role_id: id('Role the key acts with, never that of an owner; the caller must hold each of its permissions.'),
      workspace_id: Type.Optional(id('Limits the key to one workspace.')),
      expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 730, description: 'Up to 730 days; 365 when left out.' })),
    }),
    result: closed({ api_key: ApiKey, ...secret('token', Type.String({ description: 'The secret, shown once.' })) }),
    status: 201,
    emits: ['apikey.created'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED'],
  }),
  listApiKeys: endpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'API keys, newest first; never their secrets.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['apikey:read'],
    result: Type.Array(ApiKey),
    emits: [],
    refuses: [],
  }),
  revokeApiKey: endpoint({
    plane: 'control',
    area: 'people',
    method: 'DELETE',
    path: '/v1/api-keys/{apiKeyId}',
    summary: 'Revoke an API key; its next use is refused.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['apikey:revoke'],
    result: ApiKey,
    emergency: true,
    emits: ['apikey.revoked'],
    refuses: ['NOT_FOUND'],
  }),
};
