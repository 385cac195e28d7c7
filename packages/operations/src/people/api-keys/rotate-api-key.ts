import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findFirstEnd, isBehindKey, lockApiKey, rotateApiKey as rotate } from '@svc/postgres/people/api-keys.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { CallContext } from '../auth/acting.ts';
import { computeKeyExpiry } from './key-end.ts';

type RotateApiKeyRequest = CallContext & {
  readonly apiKeyId: string;
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
  readonly credentialId: string;
  readonly body: EndpointBody<Endpoints['rotateApiKey']>;
};

type Key = NonNullable<Awaited<ReturnType<typeof lockApiKey>>>;

const NOT_YOURS =
  'Only the creator of a key, or the key itself, can rotate it. Revoke it and create your own, or ask its creator to rotate it.';

/** Refuses to rotate an expired key, or one whose new secret would be known to a caller that it does not end with. */
const rotateRefusal = async (tx: TenantTransaction, request: RotateApiKeyRequest, key: Key) => {
  const { scope, now, actor, credentialId } = request;
  const from =
    key.revoked_at !== null ? 'REVOKED' : key.expires_at !== null && Date.parse(key.expires_at) <= now.getTime() ? 'EXPIRED' : null;
  if (from !== null)
    return buildRefusal('INVALID_STATE_TRANSITION', 'This key has ended. Create another one.', {
      operation: 'rotate',
      from,
      allowed_from: ['ACTIVE'],
    });
  if (!(await isBehindKey(tx, scope.organization_id, key.id, actor.id))) return buildRefusal('PERMISSION_DENIED', NOT_YOURS);
  const role = await findRole(tx, scope.organization_id, key.role_id);
  const missing = request.lacks((role?.permissions ?? []) as readonly Permission[]);
  const isItself = credentialId === key.id;
  return missing.length > 0 && !isItself
    ? buildRefusal('PERMISSION_DENIED', 'You can only rotate a key if you have all its permissions.', { permissions: missing })
    : undefined;
};

/**
 * Returns the latest expiry after a rotation: a key never extends; a person extends up to the expiry of the key that created the rotated
 * one.
 */
const latestEnd = (tx: TenantTransaction, { scope, actor }: RotateApiKeyRequest, key: Key): Promise<Date | null> =>
  findFirstEnd(tx, scope.organization_id, actor.type === 'API_KEY' ? key.id : key.created_by);

export const rotateApiKey = async ({ tx, emit }: Change<'apikey.created'>, request: RotateApiKeyRequest) => {
  const { scope, body, now, apiKeyId } = request;
  const { overlap_seconds = LIMITS.apiKeys.defaultOverlapSeconds, expires_in_days } = body ?? {};
  const before = await lockApiKey(tx, scope.organization_id, apiKeyId);
  if (!before) return buildRefusal('NOT_FOUND');
  const refused = await rotateRefusal(tx, request, before);
  if (refused) return refused;
  const end =
    expires_in_days === undefined
      ? undefined
      : computeKeyExpiry({ now, days: expires_in_days, latest: await latestEnd(tx, request, before) });
  if (isRefusal(end)) return end;
  const token = newSecretToken(SECRET_PREFIXES.api_key);
  const after = await rotate(tx, scope.organization_id, before.id, {
    tokenHash: hashSecret(token),
    previousEndsAt: overlap_seconds === 0 ? null : new Date(now.getTime() + overlap_seconds * 1000),
    expiresAt: end,
  });
  const told = ({ expires_at, overlap_ends_at }: Key) => ({ expires_at, overlap_ends_at });
  emit('apikey.created', { ...about.api_key(after), data: { rotated: true, before: told(before), after: told(after) } });
  return { api_key: after, token };
};
