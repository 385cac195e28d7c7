import type { Endpoints } from '@svc/contract/endpoints.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { insertApiKey } from '@svc/postgres/people/api-keys.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { workspaceExists } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';

type CreateApiKey = Endpoints['createApiKey'];

const DAY_MS = 86_400_000;

/** Why the caller may not make this key, if so. */
const makeRefusal = async (tx: TenantTransaction, call: Call<CreateApiKey>) => {
  const { body, caller, scope } = call;
  const role = await findRole(tx, scope.organization_id, body.role_id);
  if (!role) return call.refuse('NOT_FOUND', 'There is no such role.');
  const missing = call.lacks(role.permissions as readonly Permission[]);
  if (missing.length > 0)
    return call.refuse('PERMISSION_DENIED', 'A key can hold only permissions that its maker holds.', { permissions: missing });
  if (!role.for_keys) return call.fault('/role_id', 'An API key never has the role of an owner: name the smallest role that does.');
  if (scope.workspace_ids && body.workspace_id === undefined)
    return call.refuse('PERMISSION_DENIED', 'This call is limited to workspaces; name one as workspace_id, so that the key is too.');
  if (caller.keysBehind >= LIMITS.apiKeys.chainMax)
    return call.refuse(
      'PERMISSION_DENIED',
      'This key was made with a key that was made with a key, and so on: have a person make the next one.',
    );
  if (body.workspace_id !== undefined && !(await workspaceExists(tx, scope.organization_id, body.workspace_id)))
    return call.refuse('NOT_FOUND', 'There is no such workspace.');
  return undefined;
};

export const createApiKey: Handler<CreateApiKey, ControlDeps> = (call) => {
  const { body, caller, scope, now } = call;
  return call.change(async ({ tx, emit }) => {
    const refused = await makeRefusal(tx, call);
    if (refused) return refused;
    const token = newSecretToken(SECRET_PREFIXES.api_key);
    const apiKey = await insertApiKey(tx, {
      organization_id: scope.organization_id,
      id: call.newId('api_key'),
      workspace_ids: body.workspace_id === undefined ? null : [body.workspace_id],
      name: body.name,
      role_id: body.role_id,
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
