import type { Change } from '@svc/postgres/change/change.ts';
import { recordSignInFailure } from '../auth/record-sign-in-failure.ts';

/** The actor while the user is not known. */
export const SYSTEM = { type: 'SYSTEM', id: 'system', name: null } as const;

/** The same response for every cause; the event and the log have the cause. */
const UNVERIFIED = 'The response of the provider could not be verified, so the sign-in was refused.';

type UnverifiedResponse = { readonly sourceIp: string; readonly why: string };

/** Records a response of a provider that could not be verified, and refuses the sign-in. The user is not known. */
export const refuseUnverifiedResponse = (change: Change<'user.login_failed'>, { sourceIp, why }: UnverifiedResponse) =>
  recordSignInFailure(change, {
    userId: undefined,
    sourceIp,
    data: { sso: why, reason: 'PROVIDER_RESPONSE_INVALID' },
    message: UNVERIFIED,
  });
