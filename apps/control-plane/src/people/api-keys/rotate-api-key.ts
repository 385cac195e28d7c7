import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { firstEndOf, isBehindKey, lockApiKey, rotateApiKey as rotate } from '@svc/postgres/people/api-keys.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { ControlDeps } from '../../deps.ts';
import { keyEnd } from './granting/key-end.ts';

type RotateCall = Call<Endpoints['rotateApiKey']>;
type Key = NonNullable<Awaited<ReturnType<typeof lockApiKey>>>;

const NOT_YOURS =
  'Only the creator of a key, or the key itself, can rotate it. Revoke it and create your own, or ask its creator to rotate it.';

/** A key that is over, or a secret of which would be known to somebody it does not end with, gets none. */
const rotateRefusal = async (tx: TenantTransaction, call: RotateCall, key: Key) => {
  const { caller, scope, now } = call;
  const from =
    key.revoked_at !== null ? 'REVOKED' : key.expires_at !== null && Date.parse(key.expires_at) <= now.getTime() ? 'EXPIRED' : null;
  if (from !== null)
    return call.refuse('INVALID_STATE_TRANSITION', 'This key has ended. Create another one.', {
      operation: 'rotate',
      from,
      allowed_from: ['ACTIVE'],
    });
  if (!(await isBehindKey(tx, scope.organization_id, key.id, caller.actor.id))) return call.refuse('PERMISSION_DENIED', NOT_YOURS);
  const role = await findRole(tx, scope.organization_id, key.role_id);
  const missing = call.lacks((role?.permissions ?? []) as readonly Permission[]);
  const isItself = caller.credentialId === key.id;
  return missing.length > 0 && !isItself
    ? call.refuse('PERMISSION_DENIED', 'You can only rotate a key if you have all its permissions.', { permissions: missing })
    : undefined;
};

/** A key that rotates never extends; a person extends up to the end of the key that the rotated one was made with. */
const latestEnd = (tx: TenantTransaction, { caller, scope }: RotateCall, key: Key): Promise<Date | null> =>
  firstEndOf(tx, scope.organization_id, caller.actor.type === 'API_KEY' ? key.id : key.created_by);

export const rotateApiKey: Handler<Endpoints['rotateApiKey'], ControlDeps> = (call) => {
  const { body, params, scope, now } = call;
  const { overlap_seconds = LIMITS.apiKeys.defaultOverlapSeconds, expires_in_days } = body ?? {};
  return call.change(async ({ tx, emit }) => {
    const before = await lockApiKey(tx, scope.organization_id, params.apiKeyId);
    if (!before) return call.refuse('NOT_FOUND');
    const refused = await rotateRefusal(tx, call, before);
    if (refused) return refused;
    const end =
      expires_in_days === undefined ? undefined : keyEnd({ now, days: expires_in_days, latest: await latestEnd(tx, call, before) });
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
  });
};
