import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { recordSignInFailure, type SignInFailure } from '@svc/operations/people/auth/record-sign-in-failure.ts';

type FailingRow = Endpoint & { readonly emits: readonly ['user.login_failed']; readonly refuses: readonly ['INVALID_CREDENTIALS'] };
type FailingCall = Pick<Call<FailingRow>, 'change' | 'sourceIp'>;
type Account = { readonly user_id: string; readonly organization_id: string } | undefined;

/** Records a failed sign-in in the organization of the account, and refuses it. */
export const recordFailure = (
  { change, sourceIp }: FailingCall,
  account: Account,
  failure: Pick<SignInFailure, 'data' | 'message' | 'write'> = {},
) =>
  change((each) => recordSignInFailure(each, { userId: account?.user_id, sourceIp, ...failure }), undefined, {
    scope: { organization_id: account?.organization_id ?? NOBODYS_ORGANIZATION },
    actor: { type: 'SYSTEM', id: 'system', name: null },
  });
