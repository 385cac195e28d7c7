import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { endPreviousSecret as end, lockApiKey } from '@svc/postgres/people/api-keys.ts';
import type { CallContext } from '../auth/acting.ts';

/** Ends the previous secret. A key without one is unchanged, and nothing is recorded. */
export const endPreviousSecret = async ({ tx, emit }: Change<'apikey.revoked'>, request: CallContext & { readonly apiKeyId: string }) => {
  const { scope, apiKeyId } = request;
  const before = await lockApiKey(tx, scope.organization_id, apiKeyId);
  if (!before) return buildRefusal('NOT_FOUND');
  const { overlap_ends_at } = before;
  if (overlap_ends_at === null) return before;
  const after = await end(tx, scope.organization_id, before.id);
  const data = { overlap_ended: true, before: { overlap_ends_at }, after: { overlap_ends_at: null } };
  emit('apikey.revoked', { ...about.api_key(after), data });
  return after;
};
