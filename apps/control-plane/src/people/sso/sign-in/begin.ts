import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { cookieLine } from '@svc/http/calls/cookies.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { derivedText } from '@svc/keyring/tokens/derived-text.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { type Attempt, insertAttempt } from '@svc/postgres/people/sso/attempts.ts';
import type { UsableConnection } from '@svc/postgres/people/sso/find-connection.ts';
import type { ControlDeps } from '../../../deps.ts';
import type { Client, Secrets } from '../oidc/client-configuration.ts';
import type { Sso } from '../oidc/open-sso.ts';
import { authorizationUrl } from '../oidc/redeem.ts';
import { callbackUrl } from './callback-url.ts';
import { redirectUriOf } from './redirect-uri.ts';

/** What the browser that begins keeps until it comes back. */
export const BROWSER_COOKIE = `${WIRE_NAME}-sso`;
const STATE_BYTES = 32;

export const isSecure = ({ urls }: Pick<ControlDeps, 'urls'>): boolean => urls.base.startsWith('https:');

/** Everything else of an attempt follows from what the browser keeps, so that nothing of it has to be kept here. */
export const secretsOf = (browser: string, state: string): Secrets => ({
  state,
  nonce: derivedText(browser, `nonce/${state}`),
  verifier: derivedText(browser, `code_verifier/${state}`),
});

export const clientOf = (sso: Sso, connection: UsableConnection): Client => ({
  ...connection,
  client_secret: connection.sealed_client_secret && sso.open(connection.sealed_client_secret, connection),
});

type Beginning = Pick<Attempt, 'link_user_id' | 'link_session_id' | 'return_to'> & { readonly now: Date };

export const isBegun = (begun: Begun): begun is Extract<Begun, { url: string }> => 'url' in begun;
export type Begun = { readonly url: string; readonly cookie: string } | { readonly fault: string };

/** Keeps an attempt of one browser; no sooner than the provider has said where to go. */
export const begin = async (deps: ControlDeps, connection: UsableConnection, { now, ...more }: Beginning): Promise<Begun> => {
  const { sso, identity, urls } = deps;
  const discovered = await sso.discover(connection.issuer, connection.organization_id);
  if ('fault' in discovered) return discovered;
  const [browser, state] = [newSecretToken(SECRET_PREFIXES.sso_browser), randomHex(STATE_BYTES)];
  const redirect_uri = callbackUrl(urls.base, redirectUriOf(discovered.metadata, connection.id));
  const { organization_id, id: connection_id } = connection;
  const kept = { state_hash: hashSecret(state), browser_hash: hashSecret(browser), organization_id, connection_id, redirect_uri, ...more };
  await insertAttempt(identity, kept, now, LIMITS.sso.attemptSeconds);
  const url = await authorizationUrl(sso.egress, discovered.metadata, clientOf(sso, connection), secretsOf(browser, state), redirect_uri);
  return { url, cookie: cookieLine(BROWSER_COOKIE, browser, { maxAgeSeconds: LIMITS.sso.attemptSeconds, secure: isSecure(deps) }) };
};
