import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findBuiltInRole, isKeyRole } from '@svc/contract/tables/built-in-roles.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { insertApiKey } from '@svc/postgres/people/api-keys.ts';
import { workspaceExists } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';

const DAY_MS = 86_400_000;

export const createApiKey: Handler<Endpoints['createApiKey'], ControlDeps> = (call) => {
  const { body, caller, scope, now } = call;
  const { organization_id } = scope;
  const role = findBuiltInRole(body.role_id);
  if (!role) return call.refuse('NOT_FOUND', 'There is no such role.');
  const missing = call.lacks(role.permissions);
  if (missing.length > 0)
    return call.refuse('PERMISSION_DENIED', 'A key can hold only permissions that its maker holds.', { permissions: missing });
  if (!isKeyRole(role.id)) return call.fault('/role_id', 'An API key never has the role of an owner: name the smallest role that does.');
  const workspaceId = body.workspace_id ?? null;
  if (scope.workspace_id && workspaceId === null)
    return call.refuse('PERMISSION_DENIED', 'This call is limited to one workspace; name it as workspace_id, so that the key is too.');
  return call.change(async ({ tx, emit }) => {
    if (workspaceId !== null && !(await workspaceExists(tx, organization_id, workspaceId)))
      return call.refuse('NOT_FOUND', 'There is no such workspace.');
    const token = newSecretToken(SECRET_PREFIXES.api_key);
    const apiKey = await insertApiKey(tx, {
      organization_id,
      id: call.newId('api_key'),
      workspace_id: workspaceId,
      name: body.name,
      role_id: role.id,
      token_hash: hashSecret(token),
      created_by: caller.actor.id,
      expires_at: new Date(now.getTime() + (body.expires_in_days ?? LIMITS.apiKeys.defaultExpiryDays) * DAY_MS),
      now,
    });
    const { name, role_id, workspace_id, expires_at } = apiKey;
    emit('apikey.created', {
      ...about.api_key(apiKey),
      data: { after: { name, role_id, workspace_id, expires_at } },
    });
    return { api_key: apiKey, token };
  });
};
