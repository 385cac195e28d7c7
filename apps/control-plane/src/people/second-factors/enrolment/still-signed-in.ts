import type { KnownCaller } from '@svc/http/calls/call.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { isSessionAlive } from '@svc/postgres/people/sso/identities.ts';

/**
 * True if the session that enrols a factor still exists, checked under the lock of the factors. An event that ended it meanwhile, such as
 * another user proving the address, also ended every factor, so this one is too late.
 */
export const isIsStillSigned = (tx: TenantTransaction, caller: KnownCaller, now: Date): Promise<boolean> =>
  isSessionAlive(tx, { organizationId: caller.organizationId, userId: caller.actor.id, id: caller.credentialId }, now);
