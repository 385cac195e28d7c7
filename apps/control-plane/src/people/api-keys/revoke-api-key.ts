import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockApiKey, revokeApiKey as revoke } from '@svc/postgres/people/api-keys.ts';
import type { ControlDeps } from '../../deps.ts';

export const revokeApiKey: Handler<Endpoints['revokeApiKey'], ControlDeps> = (call) => {
  const { params, scope, now } = call;
  return call.change(async ({ tx, emit }) => {
    const before = await lockApiKey(tx, scope.organization_id, params.apiKeyId);
    if (!before) return call.refuse('NOT_FOUND');
    if (before.revoked_at !== null) return before;
    const after = await revoke(tx, scope.organization_id, before.id, now);
    emit('apikey.revoked', {
      ...about.api_key(after),
      data: { before: { revoked_at: null }, after: { revoked_at: after.revoked_at } },
    });
    return after;
  });
};
