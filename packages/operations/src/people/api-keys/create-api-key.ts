import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countLiveApiKeys, findFirstEnd, insertApiKey } from '@svc/postgres/people/api-keys.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { isSessionAlive } from '@svc/postgres/people/sso/identities.ts';
import { lockOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { workspaceExists } from '@svc/postgres/tenancy/workspaces.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../auth/acting.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { postNotice } from '../mail/post-notice.ts';
import { computeKeyExpiry } from './key-end.ts';

type CreateApiKeyRequest = CallContext & {
  readonly credentialId: string;
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
  readonly email: string | null;
  readonly keysBehind: number;
  readonly body: EndpointBody<Endpoints['createApiKey']>;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
};

const OWNER =
  'An API key cannot have the owner role. Use admin, which has all permissions except deleting the organization, or the least privileged role that is sufficient.';

/** Returns the workspaces that a body names, by either of its members; null if it names none. */
const namedWorkspaces = ({ workspace_id, workspace_ids }: CreateApiKeyRequest['body']): string[] | null =>
  workspace_ids ?? (workspace_id === undefined ? null : [workspace_id]);

const ENDED = 'This session has ended. Sign in again.';

/**
 * True if the creator ended. A key that is created while an account is being ended is committed before and ends with it, or not at all. A
 * key created by a key ends with it.
 */
const hasEnded = async (tx: TenantTransaction, { now, actor, scope, credentialId: id }: CreateApiKeyRequest): Promise<boolean> =>
  actor.type === 'USER' && !(await isSessionAlive(tx, { organizationId: scope.organization_id, userId: actor.id, id }, now));

/** Returns why the caller may not create this key; undefined if they may. */
const makeRefusal = async (tx: TenantTransaction, request: CreateApiKeyRequest) => {
  const { body, scope, keysBehind } = request;
  if (await hasEnded(tx, request)) return buildRefusal('PERMISSION_DENIED', ENDED);
  const role = await findRole(tx, scope.organization_id, body.role_id);
  if (!role) return buildRefusal('NOT_FOUND', 'The role does not exist.');
  const missing = request.lacks(role.permissions as readonly Permission[]);
  if (missing.length > 0)
    return buildRefusal('PERMISSION_DENIED', 'A key can only have permissions that its creator has.', { permissions: missing });
  if (!role.for_keys) return refuseBody('/role_id', OWNER);
  const workspaces = namedWorkspaces(body);
  if (scope.workspace_ids && workspaces === null)
    return buildRefusal('PERMISSION_DENIED', 'This call is limited to workspaces. Send workspace_ids, so that the key is limited too.');
  if (keysBehind >= LIMITS.apiKeys.chainMax)
    return buildRefusal('PERMISSION_DENIED', 'The chain of keys that created this key is too long. Ask a user to create the key.');
  for (const id of workspaces ?? [])
    if (!(await workspaceExists(tx, scope.organization_id, id))) return buildRefusal('NOT_FOUND', 'The workspace does not exist.');
  return undefined;
};

const { perOrganizationMax } = LIMITS.apiKeys;

/** Returns a refusal if the limit is reached. Only one of two concurrent requests can get the last slot. */
const roomRefusal = async (tx: TenantTransaction, { scope: { organization_id } }: CreateApiKeyRequest) => {
  await lockOrganization(tx, organization_id);
  const keys = (await countLiveApiKeys(tx, organization_id)) + 1;
  if (keys <= perOrganizationMax) return undefined;
  const message = `An organization has at most ${perOrganizationMax} API keys, and this request would make ${keys} keys. Revoke unused keys first.`;
  return createFullRefusal('api_keys', keys, perOrganizationMax, message);
};

export const createApiKey = async (
  { tx, emit }: Change<'apikey.created'>,
  request: CreateApiKeyRequest,
  networks: readonly string[],
  deps: { readonly mail: MailService },
) => {
  const { scope, now, body, actor, credentialId, email } = request;
  const refused = (await makeRefusal(tx, request)) ?? (await roomRefusal(tx, request));
  if (refused) return refused;
  const latest = actor.type === 'API_KEY' ? await findFirstEnd(tx, scope.organization_id, credentialId) : null;
  const expires_at = computeKeyExpiry({ now, days: body.expires_in_days, latest });
  if (isRefusal(expires_at)) return expires_at;
  const token = newSecretToken(SECRET_PREFIXES.api_key);
  const apiKey = await insertApiKey(tx, {
    organization_id: scope.organization_id,
    id: newId('api_key'),
    workspace_ids: namedWorkspaces(body),
    allowed_networks: [...networks],
    name: body.name,
    role_id: body.role_id,
    token_hash: hashSecret(token),
    created_by: actor.id,
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
  if (actor.type === 'USER' && request.lacks(['organization:delete']).length === 0)
    await postNotice(deps, request, tx, { what: 'key_made', to: email ?? '', organizationId: scope.organization_id });
  return { api_key: apiKey, token };
};
