import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { isSessionAlive } from '@svc/postgres/people/sso/identities.ts';

const ENDED = 'This session has ended. Sign in again.';

/**
 * What is made or vouched for while everything of an account ends comes before that, and is disabled with the rest, or not at all. What a key
 * vouches for ends with the key.
 */
export const comesTooLate = async (
  tx: TenantTransaction,
  { caller: { actor, organizationId, credentialId: id }, now }: { readonly caller: KnownCaller; readonly now: Date },
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> =>
  actor.type === 'USER' && !(await isSessionAlive(tx, { organizationId, userId: actor.id, id }, now))
    ? refusal('PERMISSION_DENIED', ENDED)
    : undefined;
