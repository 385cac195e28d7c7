import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { endPreviousSecret as end, lockApiKey } from '@svc/postgres/people/api-keys.ts';
import type { ControlDeps } from '../../deps.ts';

/** A key without a secret before its present one stays as it is, and nothing is recorded. */
export const endPreviousSecret: Handler<Endpoints['endPreviousSecret'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { scope, params } = call;
    const before = await lockApiKey(tx, scope.organization_id, params.apiKeyId);
    if (!before) return call.refuse('NOT_FOUND');
    const { overlap_ends_at } = before;
    if (overlap_ends_at === null) return before;
    const after = await end(tx, scope.organization_id, before.id);
    const data = { overlap_ended: true, before: { overlap_ends_at }, after: { overlap_ends_at: null } };
    emit('apikey.revoked', { ...about.api_key(after), data });
    return after;
  });
