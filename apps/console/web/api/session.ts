import { type Answer, call } from './call.ts';

export type Session = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string } | null;
  readonly organization: { readonly id: string; readonly name: string };
  readonly expires_at: string;
};

export type Challenge = {
  readonly mfa_required: true;
  readonly mfa_challenge: string;
  readonly methods: readonly string[];
  readonly expires_at: string;
};
export type SignInAnswer = Session | Challenge;

export const isChallenge = (answer: SignInAnswer): answer is Challenge => 'mfa_required' in answer;

export const getSession = (): Promise<Answer<Session>> => call('GET', '/v1/auth/session');

/** A page of this service and no other, whatever a link says: `next` of a sign-in is written by anybody. */
export const ownPath = (asked: string | null): string => {
  if (asked === null || !URL.canParse(asked, location.origin)) return '/account';
  const { origin, pathname, search } = new URL(asked, location.origin);
  return origin === location.origin ? `${pathname}${search}` : '/account';
};

export const signInFirst = (): void => {
  location.replace(`/sign-in?next=${encodeURIComponent(`${location.pathname}${location.search}`)}`);
};
