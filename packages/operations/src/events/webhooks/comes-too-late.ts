import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { isSessionAlive } from '@svc/postgres/people/sso/identities.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const ENDED = 'This session has ended. Sign in again.';

/**
 * Refuses what is created or vouched for while an account is being ended: it is committed before and ends with the rest, or not at all.
 * Objects that a key vouches for end with the key.
 */
export const refuseWhileEnding = async (
  tx: TenantTransaction,
  { scope, actor, credentialId: id, now }: CallContext & { readonly credentialId: string },
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> =>
  actor.type === 'USER' && !(await isSessionAlive(tx, { organizationId: scope.organization_id, userId: actor.id, id }, now))
    ? buildRefusal('PERMISSION_DENIED', ENDED)
    : undefined;
