import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { readNetworks } from '@svc/domain/tenancy/organization/networks.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { postNotice } from '@svc/operations/people/mail/post-notice.ts';
import { fullRefusal } from '@svc/operations/tenancy/organization/full-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countLiveApiKeys, firstEndOf, insertApiKey } from '@svc/postgres/people/api-keys.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { isSessionAlive } from '@svc/postgres/people/sso/identities.ts';
import { lockOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { workspaceExists } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';
import { keyEnd } from './granting/key-end.ts';

type CreateApiKey = Endpoints['createApiKey'];
type CreateCall = Call<CreateApiKey>;

const OWNER =
  'An API key cannot have the owner role. Use admin, which has all permissions except deleting the organization, or the least privileged role that is sufficient.';

/** The workspaces that a body names, by either of its members; null where it names none. */
const namedWorkspaces = ({ workspace_id, workspace_ids }: CreateCall['body']): string[] | null =>
  workspace_ids ?? (workspace_id === undefined ? null : [workspace_id]);

const ENDED = 'This session has ended. Sign in again.';

/** A key that is being made while everything of an account ends is made before, and ends, or not at all. One that is made by a key ends with it. */
const hasEnded = async (
  tx: TenantTransaction,
  { caller: { actor, organizationId, credentialId: id }, now }: CreateCall,
): Promise<boolean> => actor.type === 'USER' && !(await isSessionAlive(tx, { organizationId, userId: actor.id, id }, now));

/** Why the caller may not make this key, if so. */
const makeRefusal = async (tx: TenantTransaction, call: CreateCall) => {
  const { body, caller, scope } = call;
  if (await hasEnded(tx, call)) return call.refuse('PERMISSION_DENIED', ENDED);
  const role = await findRole(tx, scope.organization_id, body.role_id);
  if (!role) return call.refuse('NOT_FOUND', 'There is no such role.');
  const missing = call.lacks(role.permissions as readonly Permission[]);
  if (missing.length > 0)
    return call.refuse('PERMISSION_DENIED', 'A key can only have permissions that its creator has.', { permissions: missing });
  if (!role.for_keys) return call.fault('/role_id', OWNER);
  const workspaces = namedWorkspaces(body);
  if (scope.workspace_ids && workspaces === null)
    return call.refuse('PERMISSION_DENIED', 'This call is limited to workspaces. Send workspace_ids, so that the key is limited too.');
  if (caller.keysBehind >= LIMITS.apiKeys.chainMax)
    return call.refuse(
      'PERMISSION_DENIED',
      'The chain of keys that created this key is too long. Ask a user to create the key.',
    );
  for (const id of workspaces ?? [])
    if (!(await workspaceExists(tx, scope.organization_id, id))) return call.refuse('NOT_FOUND', 'There is no such workspace.');
  return undefined;
};

const { perOrganizationMax } = LIMITS.apiKeys;

/** Why there is no room for one more, if so. Of two at once only one may find room for the last. */
const roomRefusal = async (tx: TenantTransaction, { scope: { organization_id } }: CreateCall) => {
  await lockOrganization(tx, organization_id);
  const keys = (await countLiveApiKeys(tx, organization_id)) + 1;
  if (keys <= perOrganizationMax) return undefined;
  const message = `An organization has at most ${perOrganizationMax} API keys, and this request would make ${keys} keys. Revoke unused keys first.`;
  return fullRefusal('api_keys', keys, perOrganizationMax, message);
};

export const createApiKey: Handler<CreateApiKey, ControlDeps> = (call, deps) => {
  const { body, caller, scope, now } = call;
  if (body.workspace_id !== undefined && body.workspace_ids !== undefined)
    return call.fault('/workspace_ids', 'Send either workspace_id or workspace_ids, not both.');
  const networks = readNetworks(body.allowed_networks ?? []);
  if ('fault' in networks) return call.fault(`/allowed_networks/${networks.index}`, networks.fault);
  return call.change(async ({ tx, emit }) => {
    const refused = (await makeRefusal(tx, call)) ?? (await roomRefusal(tx, call));
    if (refused) return refused;
    const latest = caller.actor.type === 'API_KEY' ? await firstEndOf(tx, scope.organization_id, caller.credentialId) : null;
    const expires_at = keyEnd({ now, days: body.expires_in_days, latest });
    if (isRefusal(expires_at)) return expires_at;
    const token = newSecretToken(SECRET_PREFIXES.api_key);
    const apiKey = await insertApiKey(tx, {
      organization_id: scope.organization_id,
      id: call.newId('api_key'),
      workspace_ids: namedWorkspaces(body),
      allowed_networks: [...networks],
      name: body.name,
      role_id: body.role_id,
      token_hash: hashSecret(token),
      created_by: caller.actor.id,
      expires_at,
      now,
    });
    const { name, role_id, workspace_id, allowed_networks } = apiKey;
    emit('apikey.created', {
      ...about.api_key(apiKey),
      data: {
        after: {
          name,
          role_id,
          workspace_id,
          workspace_ids: apiKey.workspace_ids ?? null,
          allowed_networks,
          expires_at: apiKey.expires_at,
        },
      },
    });
    if (caller.actor.type === 'USER' && call.lacks(['organization:delete']).length === 0)
      await postNotice(deps, call, tx, { what: 'key_made', to: caller.email ?? '', organizationId: scope.organization_id });
    return { api_key: apiKey, token };
  });
};
