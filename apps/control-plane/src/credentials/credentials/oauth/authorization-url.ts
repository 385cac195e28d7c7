import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { pkceChallengeOf } from '@svc/keyring/codes/pkce.ts';
import { derivedText } from '@svc/keyring/tokens/derived-text.ts';

/** What the browser that begins keeps until it comes back. */
export const CONNECT_COOKIE = `${WIRE_NAME}-connect`;

/** Follows from what the browser keeps, so that it is not kept here (RFC 7636). */
export const verifierOf = (browser: string, state: string): string => derivedText(browser, `code_verifier/${state}`);

type Asking = { readonly redirect_uri: string; readonly state: string; readonly verifier: string };

/** Where the browser goes on, with whatever parameters the address has already. */
export const authorizationUrl = (oauth: StoredOauth, { redirect_uri, state, verifier }: Asking): string => {
  const url = new URL(oauth.authorization_url ?? '');
  const { client_id, scope, audience, resource } = oauth;
  const asked = {
    ...{ response_type: 'code', client_id, redirect_uri, state, scope, audience, resource },
    ...{ code_challenge: pkceChallengeOf(verifier), code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
};
