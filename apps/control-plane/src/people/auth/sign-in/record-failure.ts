import type { Endpoints } from '@svc/contract/endpoints.ts';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { keep } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

type Failing = Pick<Call<Endpoints['verifyPasskeySignIn']>, 'change' | 'refuse' | 'sourceIp'>;
type Whose = { readonly user_id: string; readonly organization_id: string } | undefined;

type Failure = {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly write?: (tx: TenantTransaction) => Promise<void>;
};

/** A failed sign-in, on record with the person whose account it was tried on. */
export const recordFailure = (call: Failing, whose: Whose, { data, message, write }: Failure = {}) =>
  call.change(
    async ({ tx, emit }) => {
      await write?.(tx);
      emit('user.login_failed', { ...about.user({ id: whose?.user_id ?? 'unknown' }), data: { source_ip: call.sourceIp, ...data } });
      return keep(call.refuse('INVALID_CREDENTIALS', message));
    },
    undefined,
    // Who tried is not known, so the person of the account is the subject and never the actor.
    { scope: { organization_id: whose?.organization_id ?? NOBODYS_ORGANIZATION }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );
