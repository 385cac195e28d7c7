import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { computePkceChallenge } from '@svc/keyring/codes/pkce.ts';
import { formatDerivedText } from '@svc/keyring/tokens/derived-text.ts';

/** Cookie that the browser keeps until it returns. */
export const CONNECT_COOKIE = `${WIRE_NAME}-connect`;

/** Returns the PKCE verifier (RFC 7636). Derived from the browser's secret, so that it need not be stored. */
export const derivePkceVerifier = (browser: string, state: string): string => formatDerivedText(browser, `code_verifier/${state}`);

type Asking = { readonly redirect_uri: string; readonly state: string; readonly verifier: string };

/** Returns the authorization URL, keeping the parameters that the address already has. */
export const buildAuthorizationUrl = (oauth: StoredOauth, { redirect_uri, state, verifier }: Asking): string => {
  const url = new URL(oauth.authorization_url ?? '');
  const { client_id, scope, audience, resource } = oauth;
  const asked = {
    ...{ response_type: 'code', client_id, redirect_uri, state, scope, audience, resource },
    ...{ code_challenge: computePkceChallenge(verifier), code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
};
