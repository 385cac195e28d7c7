import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { MfaChallenge, NewSession } from '@svc/contract/people/auth.ts';
import type { SsoIdentity } from '@svc/contract/people/sso-sign-in.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';
import { claimedAddress } from '@svc/domain/people/sso/claimed-address.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { cookieLine } from '@svc/http/calls/cookies.ts';
import type { Page } from '@svc/http/wires/page.ts';
import { finishSignIn } from '@svc/operations/people/auth/finish-sign-in.ts';
import { linkReturned } from '@svc/operations/people/sso/link-returned.ts';
import { SYSTEM, tellFailure, UNBELIEVABLE } from '@svc/operations/people/sso/record-failure.ts';
import { ACCOUNT_EXISTS, signInWithIdentity } from '@svc/operations/people/sso/sign-in-with-identity.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { keep } from '@svc/postgres/change/change.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { type AccountOfAddress, findAccountOfAddress } from '@svc/postgres/people/auth/claim-account.ts';
import { findIdentityOwner, insertSsoSession } from '@svc/postgres/people/sso/identities.ts';
import { newOpening } from '../../auth/sign-in/new-opening.ts';
import type { PeopleDeps } from '../../deps.ts';
import { jsonPage, redirectTo } from './answers.ts';
import { BROWSER_COOKIE, isSecure } from './begin.ts';
import { proofsOf } from './proofs-of.ts';
import { type Taken, takeReturn } from './take-return.ts';

type Callback = Call<Endpoints['ssoCallback']>;

const recordFailure = (call: Callback, organization_id: string, why: string) => {
  call.note({ check: why });
  const work = async (change: Parameters<Parameters<Callback['change']>[0]>[0]) => {
    tellFailure(change, call, why);
    return keep(call.refuse('INVALID_CREDENTIALS', UNBELIEVABLE));
  };
  return call.change(work, undefined, { scope: { organization_id }, actor: SYSTEM });
};

/** Who it is known to be before anything is written, so that the record says who acts. */
const ownerOf = (call: Callback, { connection, claims }: Taken): Promise<string | undefined> => {
  const { organization_id, id: connection_id } = connection;
  return readInTenant(call.database, { organization_id }, (tx) =>
    findIdentityOwner(tx, { organization_id, connection_id, subject: claims.sub }),
  );
};

/** The account of the address that the provider states, which decides nothing before the address counts. */
const accountOf = async ({ identity }: PeopleDeps, { connection, claims }: Taken): Promise<AccountOfAddress | undefined> => {
  const claimed = claimedAddress(claims, connection.email_trust);
  return 'fault' in claimed ? undefined : findAccountOfAddress(identity, claimed.email, connection.organization_id);
};

const signIn = async (call: Callback, deps: PeopleDeps, taken: Taken) => {
  const { connection, claims } = taken;
  const { organization_id, organization_name } = connection;
  const owner = await ownerOf(call, taken);
  const account = await accountOf(deps, taken);
  const proving = { desk: deps, posting: call, organizationId: organization_id, by: 'SSO' } as const;
  return call.change(
    async (change) => {
      const member = await signInWithIdentity(change, { connection, claims, newId: call.newId, now: call.now, account, proving });
      if (isRefusal(member)) {
        change.emit('user.login_failed', {
          ...about.user({ id: owner ?? 'unknown' }),
          data: { source_ip: call.sourceIp, sso: member.message, ...member.details },
        });
        return keep(member);
      }
      const user = { id: member.user_id, email: member.email, name: member.name };
      const opening = newOpening(call, deps.settings);
      await insertSsoSession(change.tx, { organization_id, session_id: opening.id, connection_id: connection.id, user_id: user.id });
      const signedIn = { user, organization: { id: organization_id, name: organization_name }, rights: member };
      return finishSignIn(change, opening, signedIn, proofsOf(claims, connection));
    },
    { users_email_is_unique: () => ACCOUNT_EXISTS },
    { scope: { organization_id }, actor: owner === undefined ? SYSTEM : { type: 'USER', id: owner, name: null } },
  );
};

const link = (call: Callback, { attempt, claims }: Taken) =>
  call.change((change) => linkReturned(change, { attempt, subject: claims.sub, newId: call.newId, now: call.now }), undefined, {
    scope: { organization_id: attempt.organization_id },
    actor: { type: 'USER', id: attempt.link_user_id ?? '', name: null },
  });

type Answered = Readonly<Record<string, unknown>> | NewSession | MfaChallenge | SsoIdentity;

/**
 * A program gets what every sign-in answers. A browser goes on to where it wanted to, its session in a cookie that no script reads; or to the
 * page that asks for the second factor, with the challenge where no server sees it.
 */
const answered = (call: Callback, deps: PeopleDeps, returnTo: string | null, answer: Answered): Page => {
  if (!call.wantsHtml()) return jsonPage(answer);
  if ('mfa_challenge' in answer) return redirectTo(`/sign-in#${new URLSearchParams({ mfa_challenge: String(answer.mfa_challenge) })}`);
  if ('token' in answer) {
    const maxAgeSeconds = Math.max(0, Math.floor((Date.parse(String(answer.expires_at)) - call.now.getTime()) / 1000));
    call.setCookie(cookieLine(SESSION_COOKIE, String(answer.token), { maxAgeSeconds, secure: isSecure(deps) }));
  }
  return redirectTo(returnTo ?? '/');
};

/** Whoever comes back from a provider: with a session, or with an identity that was linked to theirs. */
export const finishReturn = async (call: Callback, deps: PeopleDeps, at: string) => {
  const unsure = deps.clock.refusal();
  if (unsure) return unsure;
  const taken = await takeReturn(deps, { query: call.query, cookie: call.cookie, at, now: call.now });
  if (isRefusal(taken)) return taken;
  if ('unbelievable' in taken) return recordFailure(call, taken.attempt.organization_id, taken.unbelievable);
  call.setCookie(cookieLine(BROWSER_COOKIE, '', { maxAgeSeconds: 0, secure: isSecure(deps) }));
  const answer = taken.attempt.link_user_id === null ? await signIn(call, deps, taken) : await link(call, taken);
  return isRefusal(answer) ? answer : answered(call, deps, taken.attempt.return_to, answer);
};
