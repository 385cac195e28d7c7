import type { OperationResult } from '@svc/client/client-types.ts';
import type { Session } from '@svc/contract/people/auth.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { buildOwnPath } from './own-path.ts';

export type { Session };

export type SignInAnswer = OperationResult<'login'>;
export type Challenge = Pick<
  Extract<SignInAnswer, { readonly mfa_required: true; readonly mfa_challenge: string }>,
  'mfa_challenge' | 'methods'
>;

/** Methods in the order in which they are offered where a challenge does not name any. */
const METHODS: Challenge['methods'] = ['TOTP', 'PASSKEY', 'RECOVERY_CODE', 'DEVICE'];

/** True if a second factor is required before there is a session. */
export const isChallenge = (answer: object): answer is Challenge => 'mfa_challenge' in answer;

/** The challenge that single sign-on returned with, in the fragment, which is not sent to servers. */
export const getChallengeOfAddress = (): Challenge | undefined => {
  const mfa_challenge = new URLSearchParams(location.hash.slice(1)).get('mfa_challenge');
  return mfa_challenge === null ? undefined : { mfa_challenge, methods: METHODS };
};

/** The page that the person opened before they were asked to sign in. */
export const getNextPath = (): string =>
  buildOwnPath(new URLSearchParams(location.search).get('next'), location.origin) ?? buildConsolePath('overview');

export const signInFirst = (): void => {
  location.replace(`/sign-in?next=${encodeURIComponent(`${location.pathname}${location.search}`)}`);
};
