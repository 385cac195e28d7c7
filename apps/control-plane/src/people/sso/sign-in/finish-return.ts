import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { MfaChallenge, NewSession } from '@svc/contract/people/auth.ts';
import type { SsoIdentity } from '@svc/contract/people/sso-sign-in.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';
import { claimedAddress } from '@svc/domain/people/sso/claimed-address.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { buildSetCookie } from '@svc/http/calls/cookies.ts';
import type { StaticPage } from '@svc/http/wires/page.ts';
import { completeSsoLogin } from '@svc/operations/people/sso/complete-sso-login.ts';
import { linkReturnedIdentity } from '@svc/operations/people/sso/link-returned.ts';
import { refuseUnverifiedResponse, SYSTEM } from '@svc/operations/people/sso/refuse-unverified-response.ts';
import { ACCOUNT_EXISTS } from '@svc/operations/people/sso/sign-in-with-identity.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { type AccountOfAddress, findAccountOfAddress } from '@svc/postgres/people/auth/claim-account.ts';
import { findIdentityOwner } from '@svc/postgres/people/sso/identities.ts';
import { newOpening } from '../../auth/sign-in/new-opening.ts';
import type { PeopleDeps } from '../../deps.ts';
import { formatJsonPage, redirect } from './answers.ts';
import { BROWSER_COOKIE, isSecure } from './begin.ts';
import { listProofs } from './read-proofs.ts';
import { type AcceptedReturn, getTakeReturn } from './take-return.ts';

type Callback = Call<Endpoints['ssoCallback']>;

const recordFailure = (call: Callback, organization_id: string, why: string) => {
  call.note({ check: why });
  return call.change((change) => refuseUnverifiedResponse(change, { sourceIp: call.sourceIp, why }), undefined, {
    scope: { organization_id },
    actor: SYSTEM,
  });
};

/** Returns the known owner before anything is written, so that the record states the actor. */
const getOwner = (call: Callback, { connection, claims }: AcceptedReturn): Promise<string | undefined> => {
  const { organization_id, id: connection_id } = connection;
  return readInTenant(call.database, { organization_id }, (tx) =>
    findIdentityOwner(tx, { organization_id, connection_id, subject: claims.sub }),
  );
};

/** Returns the account of the address that the provider states; it decides nothing before the address is trusted. */
const readAccount = async ({ identity }: PeopleDeps, { connection, claims }: AcceptedReturn): Promise<AccountOfAddress | undefined> => {
  const claimed = claimedAddress(claims, connection.email_trust);
  return 'fault' in claimed ? undefined : findAccountOfAddress(identity, claimed.email, connection.organization_id);
};

const signIn = async (call: Callback, deps: PeopleDeps, taken: AcceptedReturn) => {
  const { connection, claims } = taken;
  const { organization_id } = connection;
  const owner = await getOwner(call, taken);
  const account = await readAccount(deps, taken);
  const proving = { desk: deps, posting: call, organizationId: organization_id, by: 'SSO' } as const;
  const proved = { connection, claims, newId: call.newId, now: call.now, account, proving };
  const proofs = listProofs(claims, connection);
  return call.change(
    (change) => completeSsoLogin(change, { proved, proofs, opening: newOpening(call, deps.settings), owner }),
    { users_email_is_unique: () => ACCOUNT_EXISTS },
    { scope: { organization_id }, actor: owner === undefined ? SYSTEM : { type: 'USER', id: owner, name: null } },
  );
};

const link = (call: Callback, { attempt, claims }: AcceptedReturn) =>
  call.change((change) => linkReturnedIdentity(change, { attempt, subject: claims.sub, newId: call.newId, now: call.now }), undefined, {
    scope: { organization_id: attempt.organization_id },
    actor: { type: 'USER', id: attempt.link_user_id ?? '', name: null },
  });

type Answered = Readonly<Record<string, unknown>> | NewSession | MfaChallenge | SsoIdentity;

/**
 * A program gets the usual sign-in response. A browser is redirected to its destination with the session in an HttpOnly cookie; or to the
 * page for the second factor, with the challenge in the URL fragment, which no server sees.
 */
const answered = (call: Callback, deps: PeopleDeps, returnTo: string | null, answer: Answered): StaticPage => {
  if (!call.wantsHtml()) return formatJsonPage(answer);
  if ('mfa_challenge' in answer) return redirect(`/sign-in#${new URLSearchParams({ mfa_challenge: String(answer.mfa_challenge) })}`);
  if ('token' in answer) {
    const maxAgeSeconds = Math.max(0, Math.floor((Date.parse(String(answer.expires_at)) - call.now.getTime()) / 1000));
    call.setCookie(buildSetCookie(SESSION_COOKIE, String(answer.token), { maxAgeSeconds, secure: isSecure(deps) }));
  }
  return redirect(returnTo ?? '/');
};

/** Handles a return from a provider: a session, or an identity linked to the user. */
export const finishReturn = async (call: Callback, deps: PeopleDeps, at: string) => {
  const unsure = deps.clock.refusal();
  if (unsure) return unsure;
  const taken = await getTakeReturn(deps, { query: call.query, cookie: call.cookie, at, now: call.now });
  if (isRefusal(taken)) return taken;
  if ('unbelievable' in taken) return recordFailure(call, taken.attempt.organization_id, taken.unbelievable);
  call.setCookie(buildSetCookie(BROWSER_COOKIE, '', { maxAgeSeconds: 0, secure: isSecure(deps) }));
  const answer = taken.attempt.link_user_id === null ? await signIn(call, deps, taken) : await link(call, taken);
  return isRefusal(answer) ? answer : answered(call, deps, taken.attempt.return_to, answer);
};
