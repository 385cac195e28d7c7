import type { KnownCaller } from '@svc/http/calls/call.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { isSessionAlive } from '@svc/postgres/people/sso/identities.ts';

/**
 * Whether the session that enrols a factor goes on, asked under the lock of the factors: what ended it while the request was under way, such as
 * the proof of the address by somebody else, ended every factor too, and this one comes too late.
 */
export const isStillSignedIn = (tx: TenantTransaction, caller: KnownCaller, now: Date): Promise<boolean> =>
  isSessionAlive(tx, { organizationId: caller.organizationId, userId: caller.actor.id, id: caller.credentialId }, now);
