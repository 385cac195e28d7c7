import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { buildSetCookie } from '@svc/http/calls/cookies.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { formatDerivedText } from '@svc/keyring/tokens/derived-text.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { getAcsUrl } from '@svc/operations/people/sso/addresses.ts';
import { getCallbackUrl } from '@svc/operations/people/sso/callback-url.ts';
import { insertAttempt, type SsoAttempt } from '@svc/postgres/people/sso/attempts.ts';
import type { UsableConnection } from '@svc/postgres/people/sso/find-connection.ts';
import type { PeopleDeps } from '../../deps.ts';
import { findClientFault } from '../oidc/capability-fault.ts';
import type { OidcClient, OidcSecrets } from '../oidc/client-configuration.ts';
import type { Sso } from '../oidc/open-sso.ts';
import { buildOidcAuthorizationUrl } from '../oidc/redeem.ts';
import { buildSamlRequestUrl } from '../saml/open-saml.ts';
import { buildRedirectUri } from './redirect-uri.ts';

/** Cookie that the browser keeps until it returns. */
export const BROWSER_COOKIE = `${WIRE_NAME}-sso`;
const STATE_BYTES = 32;

export const isSecure = ({ urls }: Pick<PeopleDeps, 'urls'>): boolean => urls.base.startsWith('https:');

/** Derives the other secrets of an attempt from the browser's secret, so that they need not be stored. */
export const deriveSecrets = (browser: string, state: string): OidcSecrets => ({
  state,
  nonce: formatDerivedText(browser, `nonce/${state}`),
  verifier: formatDerivedText(browser, `code_verifier/${state}`),
});

export const getClient = (sso: Sso, connection: UsableConnection): OidcClient => ({
  ...connection,
  client_id: connection.client_id ?? '',
  client_secret: connection.sealed_client_secret && sso.open(connection.sealed_client_secret, connection),
});

type Beginning = Pick<SsoAttempt, 'link_user_id' | 'link_session_id' | 'return_to'> & { readonly now: Date };

export const isBegun = (begun: Begun): begun is Extract<Begun, { url: string }> => 'url' in begun;
export type Begun = { readonly url: string; readonly cookie: string } | { readonly fault: string };

/** Form of the request to a provider and its redirect URI; or why there is none. */
type Way = { readonly redirect_uri: string; readonly request_hash: Buffer | null; readonly url: () => Promise<string> };
type Fresh = { readonly browser: string; readonly state: string };

const SAML_OFF = 'SAML is disabled. The operator of the service can set SVC_SAML.';

const samlWay = ({ sso, urls }: PeopleDeps, connection: UsableConnection, { browser, state }: Fresh): Way | { readonly fault: string } => {
  if (!sso.saml) return { fault: SAML_OFF };
  // The request id is derived from this browser's secret, and a response must name it.
  const requestId = `_${formatDerivedText(browser, `request/${state}`)}`;
  return {
    redirect_uri: getAcsUrl(urls.base, connection.id),
    request_hash: hashSecret(requestId),
    url: () => buildSamlRequestUrl(connection, urls.base, { requestId, relayState: state }),
  };
};

const oidcWay = async ({ sso, urls }: PeopleDeps, connection: UsableConnection, { browser, state }: Fresh) => {
  const discovered = await sso.discover(connection.issuer, connection.organization_id);
  if ('fault' in discovered) return discovered;
  const { metadata } = discovered;
  const fault = findClientFault(metadata, connection.sealed_client_secret !== null);
  if (fault !== undefined) return { fault };
  const redirect_uri = getCallbackUrl(urls.base, buildRedirectUri(metadata, connection.id));
  const url = () =>
    buildOidcAuthorizationUrl(sso.egress, metadata, getClient(sso, connection), deriveSecrets(browser, state), redirect_uri);
  return { redirect_uri, request_hash: null, url };
};

/** Stores an attempt of one browser, after its destination is known. */
export const begin = async (deps: PeopleDeps, connection: UsableConnection, { now, ...more }: Beginning): Promise<Begun> => {
  const fresh = { browser: newSecretToken(SECRET_PREFIXES.sso_browser), state: randomHex(STATE_BYTES) };
  const way = connection.kind === 'SAML' ? samlWay(deps, connection, fresh) : await oidcWay(deps, connection, fresh);
  if ('fault' in way) return way;
  const { organization_id, id: connection_id } = connection;
  const hashes = { state_hash: hashSecret(fresh.state), browser_hash: hashSecret(fresh.browser), request_hash: way.request_hash };
  const kept = { ...hashes, organization_id, connection_id, redirect_uri: way.redirect_uri, ...more };
  await insertAttempt(deps.identity, kept, now, LIMITS.sso.attemptSeconds);
  const cookie = buildSetCookie(BROWSER_COOKIE, fresh.browser, { maxAgeSeconds: LIMITS.sso.attemptSeconds, secure: isSecure(deps) });
  return { url: await way.url(), cookie };
};
