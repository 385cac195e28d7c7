import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockApiKey, revokeApiKey as revoke } from '@svc/postgres/people/api-keys.ts';
import type { CallContext } from '../auth/acting.ts';

export const revokeApiKey = async ({ tx, emit }: Change<'apikey.revoked'>, request: CallContext & { readonly apiKeyId: string }) => {
  const { scope, now, apiKeyId } = request;
  const before = await lockApiKey(tx, scope.organization_id, apiKeyId);
  if (!before) return buildRefusal('NOT_FOUND');
  if (before.revoked_at !== null) return before;
  const after = await revoke(tx, scope.organization_id, before.id, now);
  emit('apikey.revoked', {
    ...about.api_key(after),
    data: { before: { revoked_at: null }, after: { revoked_at: after.revoked_at } },
  });
  return after;
};
