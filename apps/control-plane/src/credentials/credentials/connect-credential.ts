import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildSetCookie } from '@svc/http/calls/cookies.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { openAsStored } from '@svc/operations/credentials/credentials/open-as-stored.ts';
import { lockCredential } from '@svc/postgres/credentials/credentials.ts';
import { insertConnectionAttempt } from '@svc/postgres/credentials/tokens/attempts.ts';
import type { CredentialsDeps } from '../deps.ts';
import { buildAuthorizationUrl, CONNECT_COOKIE, derivePkceVerifier } from './oauth/authorization-url.ts';
import { buildRedirectUri } from './oauth/connection-callback.ts';

const SECRET_BYTES = 32;
const NOT_IN_BROWSER =
  'This credential is not connected in the browser: that needs oauth of the grant REFRESH_TOKEN with an authorization_url.';

/**
 * Starts a connection. The response gives the browser a secret to present on its return, so that no other browser can complete the attempt
 * (CSRF).
 */
export const connectCredential: Handler<Endpoints['connectCredential'], CredentialsDeps> = async (
  call,
  { credentialKey, tokens, urls },
) => {
  const { caller, params, scope, now } = call;
  const { organization_id } = scope;
  const [browser, state] = [randomHex(SECRET_BYTES), randomHex(SECRET_BYTES)];
  const redirect_uri = buildRedirectUri(urls.base, params.credentialId);
  const expiresAt = new Date(now.getTime() + LIMITS.oauth.attemptSeconds * 1000);
  const oauth = await call.change(async ({ tx }) => {
    const credential = await lockCredential(tx, { organization_id, id: params.credentialId });
    if (!credential) return call.refuse('NOT_FOUND');
    if (credential.status === 'REVOKED')
      return call.refuse('INVALID_STATE_TRANSITION', 'A revoked credential is not connected: store a new one.');
    if (credential.oauth?.authorization_url === undefined) return call.refuse('CONFLICT', NOT_IN_BROWSER);
    const disabled = tokens.egress.disabledFor({ url: credential.oauth.token_url });
    if (disabled !== undefined) return call.refuse('CONFLICT', disabled);
    if ((await openAsStored(tx, credentialKey, organization_id, credential)) === undefined)
      return call.refuse('CREDENTIAL_SERVICE_UNAVAILABLE');
    const hashes = { state_hash: hashSecret(state), browser_hash: hashSecret(browser) };
    const begun = {
      organization_id,
      credential_id: credential.id,
      user_id: caller.actor.id,
      session_id: caller.credentialId,
      redirect_uri,
    };
    await insertConnectionAttempt(tx, { ...begun, ...hashes }, { expiresAt, now, pendingMax: LIMITS.oauth.attemptsPendingMax });
    return credential.oauth;
  });
  if (isRefusal(oauth)) return oauth;
  const secure = urls.base.startsWith('https:');
  call.setCookie(buildSetCookie(CONNECT_COOKIE, browser, { maxAgeSeconds: LIMITS.oauth.attemptSeconds, secure }));
  const authorization_url = buildAuthorizationUrl(oauth, { redirect_uri, state, verifier: derivePkceVerifier(browser, state) });
  return { authorization_url, expires_at: expiresAt.toISOString() };
};
