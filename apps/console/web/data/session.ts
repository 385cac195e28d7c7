import { consolePath } from '@svc/contract/tables/console-routes.ts';
import { type Answer, call } from './call.ts';
import { getFactors } from './factors.ts';
import { ownPath } from './own-path.ts';

export type Session = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string } | null;
  readonly organization: { readonly id: string; readonly name: string };
  readonly expires_at: string;
  readonly permissions: readonly string[];
};

export type Challenge = { readonly mfa_challenge: string; readonly methods: readonly string[] };
export type SignInAnswer = Session | (Challenge & { readonly mfa_required: true });

/** In the order in which they are offered where a challenge does not say which there are. */
const METHODS = ['TOTP', 'PASSKEY', 'RECOVERY_CODE', 'DEVICE'];

export const isChallenge = (answer: SignInAnswer): answer is Challenge & { readonly mfa_required: true } => 'mfa_required' in answer;

/** A challenge that single sign-on came back with: behind the `#`, which no server is told. */
export const challengeOfAddress = (): Challenge | undefined => {
  const mfa_challenge = new URLSearchParams(location.hash.slice(1)).get('mfa_challenge');
  return mfa_challenge === null ? undefined : { mfa_challenge, methods: METHODS };
};

export const getSession = (): Promise<Answer<Session>> => call('GET', '/v1/auth/session');

/** Whether this session reaches nothing else until a second factor is enrolled. */
export const isFactorMissing = async (): Promise<boolean> => {
  const answer = await getFactors();
  return answer.ok && answer.body.required;
};

/** Where whoever signs in wanted to go. */
export const nextPath = (): string => ownPath(new URLSearchParams(location.search).get('next'), location.origin) ?? consolePath('overview');

export const signInFirst = (): void => {
  location.replace(`/sign-in?next=${encodeURIComponent(`${location.pathname}${location.search}`)}`);
};
