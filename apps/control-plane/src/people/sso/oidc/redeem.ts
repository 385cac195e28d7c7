import { withUserInfo } from '@svc/domain/people/sso/claimed-address.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client';
import { configureConfiguration, type OidcClient, type OidcSecrets } from './client-configuration.ts';
import { createProviderFetch, type ProviderFetch } from './provider-fetch.ts';

/** Returns the authorization URL of the provider. */
export const buildOidcAuthorizationUrl = async (
  egress: Egress,
  metadata: ServerMetadata,
  client: OidcClient,
  { state, nonce, verifier }: OidcSecrets,
  redirectUri: string,
): Promise<string> => {
  const configuration = configureConfiguration(metadata, client, createProviderFetch(egress, client.organization_id), 0);
  return buildAuthorizationUrl(configuration, {
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: [...new Set(['openid', ...client.scopes])].join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href;
};

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Identity that the provider states; or that its response cannot be trusted, that it refused, or that it could not be reached. */
export type RedeemedCode =
  | { readonly kind: 'proved'; readonly claims: Claims }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unbelievable'; readonly why: string }
  | { readonly kind: 'down'; readonly why: string };

const SUBJECT_CHARS_MAX = 255;

const claimsWithUserInfo = async (
  configuration: Configuration,
  metadata: ServerMetadata,
  token: string,
  claims: Claims,
): Promise<Claims> => {
  if (metadata.userinfo_endpoint === undefined) return claims;
  return withUserInfo(claims, await fetchUserInfo(configuration, token, claims.sub));
};

/** True if a subject is text that can be stored and looked up. */
const isSubject = (sub: string): boolean => sub !== '' && sub.length <= SUBJECT_CHARS_MAX && !/\p{Cc}/u.test(sub) && sub.isWellFormed();

/** Checks the authorized party (OpenID Connect Core 3.1.3.7, rule 5): a token that names one is for that client, with any audience. */
const isAuthorizedParty = ({ azp }: { readonly azp?: unknown }, { client_id }: OidcClient): boolean =>
  azp === undefined || azp === client_id;

const getCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unreadable';

const failed = (error: unknown, way: ProviderFetch): RedeemedCode => {
  const why = way.failure();
  if (why !== undefined) return { kind: 'down', why };
  const code = getCode(error);
  return code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' || code === 'OAUTH_RESPONSE_BODY_ERROR'
    ? { kind: 'refused' }
    : { kind: 'unbelievable', why: code };
};

/** Exchanges the code of a return for the claims of the provider, with every check of OpenID Connect Core 3.1.3.7 and RFC 9207. */
export const redeem = async (
  egress: Egress,
  metadata: ServerMetadata,
  client: OidcClient,
  secrets: OidcSecrets,
  { returned, skewSeconds }: { readonly returned: URL; readonly skewSeconds: number },
): Promise<RedeemedCode> => {
  const way = createProviderFetch(egress, client.organization_id);
  const configuration = configureConfiguration(metadata, client, way, skewSeconds);
  try {
    const tokens = await authorizationCodeGrant(configuration, returned, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined || !isSubject(claims.sub)) return { kind: 'unbelievable', why: 'no subject' };
    if (!isAuthorizedParty(claims, client)) return { kind: 'unbelievable', why: 'azp' };
    return { kind: 'proved', claims: await claimsWithUserInfo(configuration, metadata, tokens.access_token, claims as Claims) };
  } catch (error) {
    return failed(error, way);
  }
};
