import type { OauthConnection, OauthView, StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { readClientAuthentication } from '@svc/domain/credentials/oauth-faults.ts';
import { describeTokenFailure } from '@svc/domain/credentials/token-failures.ts';
import type { TokenStanding } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import { buildRedirectUri } from '../oauth/connection-callback.ts';

const NEVER: OauthConnection = {
  ...{ state: 'UNCONNECTED', failure: null, failures: 0, retry_at: null, granted_scope: null, connected_by: null, connected_at: null },
  ...{ refreshed_at: null, access_ends_at: null },
};

const standingOf = (standing: TokenStanding | undefined): OauthConnection => {
  if (standing === undefined) return NEVER;
  const { credential_id: _, failure, ...told } = standing;
  return { ...told, failure: failure === null ? null : describeTokenFailure(failure) };
};

/** Formats the OAuth settings and the status of tokens, without tokens and client secrets. */
export const formatOauth = (id: string, oauth: StoredOauth, standing: TokenStanding | undefined, baseUrl: string): OauthView => ({
  grant: oauth.grant,
  token_url: oauth.token_url,
  client_id: oauth.client_id,
  client_authentication: readClientAuthentication(oauth),
  scope: oauth.scope ?? null,
  audience: oauth.audience ?? null,
  resource: oauth.resource ?? null,
  authorization_url: oauth.authorization_url ?? null,
  issuer: oauth.issuer ?? null,
  key_id: oauth.key_id ?? oauth.public_jwk?.kid ?? null,
  public_jwk: oauth.public_jwk ?? null,
  redirect_uri: oauth.grant === 'REFRESH_TOKEN' ? buildRedirectUri(baseUrl, id) : null,
  connection: standingOf(standing),
});
