import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { getCookieName } from '@svc/http/calls/cookies.ts';
import { hashSecret, isWellFormedSecret } from '@svc/keyring/tokens/secret-token.ts';
import { type SsoAttempt, takeAttempt } from '@svc/postgres/people/sso/attempts.ts';
import { findUsableConnection, type UsableConnection } from '@svc/postgres/people/sso/find-connection.ts';
import type { PeopleDeps } from '../../deps.ts';
import { redeem } from '../oidc/redeem.ts';
import { BROWSER_COOKIE, deriveSecrets, getClient, isSecure } from './begin.ts';

type Query = Readonly<Record<string, unknown>>;
export type VerifiedClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** A return from a provider, as sent by the browser. */
export type Return = {
  readonly query: Query;
  readonly cookie: (name: string) => string | undefined;
  /** URL that the return arrived at. */
  readonly at: string;
  readonly now: Date;
};

export type AcceptedReturn = { readonly attempt: SsoAttempt; readonly connection: UsableConnection; readonly claims: VerifiedClaims };

/** Reasons why a return yields no identity; `unbelievable` names the person, since it is recorded. */
export type RejectedReturn =
  | Refusal<'GONE' | 'PERMISSION_DENIED' | 'DEPENDENCY_UNAVAILABLE'>
  | { readonly unbelievable: string; readonly attempt: SsoAttempt };

export const GONE = buildRefusal(
  'GONE',
  'This sign-in is complete, older than ten minutes, or was started in another browser. Start again.',
);

/** Returns the URL with every parameter as received, including duplicates. */
const returnedTo = (redirectUri: string, query: Query): URL => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) if (typeof each === 'string') url.searchParams.append(name, each);
  return url;
};

/** Finds the attempt by its state and the secret that the browser got when it began. */
const findAttempt = async (deps: PeopleDeps, { query, cookie, at, now }: Return) => {
  const browser = cookie(getCookieName(BROWSER_COOKIE, isSecure(deps)));
  const { state } = query;
  if (typeof state !== 'string' || state.length > 200 || !browser || !isWellFormedSecret(SECRET_PREFIXES.sso_browser, browser))
    return undefined;
  const state_hash = hashSecret(state);
  const taken = await takeAttempt(deps.identity, { state_hash, browser_hash: hashSecret(browser) }, now);
  if (taken?.redirect_uri !== at) return undefined;
  const { sealed_answer, ...attempt } = taken;
  const answer = sealed_answer === null ? undefined : (JSON.parse(deps.sso.openAnswer(sealed_answer, state_hash)) as VerifiedClaims);
  return { attempt, answer, secrets: deriveSecrets(browser, state) };
};

/** Takes a return once and asks the provider for the identity; or opens the verified answer that is stored already (SAML). */
export const getTakeReturn = async (deps: PeopleDeps, returned: Return): Promise<AcceptedReturn | RejectedReturn> => {
  const found = await findAttempt(deps, returned);
  const connection = found && (await findUsableConnection(deps.identity, { connection_id: found.attempt.connection_id }));
  if (!connection) return GONE;
  const { attempt, answer, secrets } = found;
  if (connection.kind === 'SAML') return answer ? { attempt, connection, claims: answer } : GONE;
  const discovered = await deps.sso.discover(connection.issuer, connection.organization_id);
  if ('fault' in discovered) return buildRefusal('DEPENDENCY_UNAVAILABLE', `Single sign-on is not possible now. ${discovered.fault}`);
  const redeemed = await redeem(deps.sso.egress, discovered.metadata, getClient(deps.sso, connection), secrets, {
    returned: returnedTo(attempt.redirect_uri, returned.query),
    skewSeconds: Math.round((returned.now.getTime() - Date.now()) / 1000),
  });
  if (redeemed.kind === 'proved') return { attempt, connection, claims: redeemed.claims };
  if (redeemed.kind === 'refused')
    return buildRefusal('PERMISSION_DENIED', 'The provider did not sign you in. Start again, or ask the administrator of the provider.');
  if (redeemed.kind === 'down') return buildRefusal('DEPENDENCY_UNAVAILABLE', `Single sign-on is not possible now. ${redeemed.why}`);
  return { unbelievable: redeemed.why, attempt };
};
