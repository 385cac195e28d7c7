import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, nullable, timestamp } from '../rows/schema.ts';
import { PRINTABLE, secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';

const { oauth } = LIMITS;

/** Grant that access tokens are requested with: a refresh token of a person, or client credentials (RFC 6749, sections 6 and 4.4). */
export const OAUTH_GRANTS = ['REFRESH_TOKEN', 'CLIENT_CREDENTIALS'] as const;
export type OauthGrant = (typeof OAUTH_GRANTS)[number];

/** Client authentication at the token endpoint; PRIVATE_KEY_JWT signs an assertion (RFC 7523). */
export const CLIENT_AUTHENTICATIONS = ['CLIENT_SECRET_BASIC', 'CLIENT_SECRET_POST', 'PRIVATE_KEY_JWT', 'NONE'] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

export const OAUTH_STATES = ['UNCONNECTED', 'CONNECTED', 'ERROR'] as const;
export type OauthState = (typeof OAUTH_STATES)[number];

const address = (description: string, example: string) =>
  Type.String({ minLength: 8, maxLength: oauth.addressCharsMax, pattern: '^https?://[!-~]+$', examples: [example], description });
const word = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, pattern: PRINTABLE, description });

const named = {
  token_url: address('URL of the token endpoint; https.', 'https://login.service.example/oauth/token'),
  client_id: word(300, 'Client id registered at the authorization server.'),
};
const optional = {
  scope: word(
    oauth.scopeCharsMax,
    'Scopes, separated by spaces: requested in the browser when a person connects the credential, otherwise with each refresh.',
  ),
  audience: word(oauth.addressCharsMax, 'Sent as `audience`, if the server requires it.'),
  resource: address('Sent as `resource` (RFC 8707), if the server requires it.', 'https://api.service.example'),
  authorization_url: address(
    'Grant REFRESH_TOKEN: authorization endpoint where a person connects the credential.',
    'https://login.service.example/oauth/authorize',
  ),
  issuer: address(
    'Issuer of the authorization server. If set, responses in the browser must contain the same issuer (RFC 9207), and it is the audience of assertions.',
    'https://login.service.example',
  ),
  key_id: word(200, 'PRIVATE_KEY_JWT: `kid` of the assertions. Defaults to the thumbprint of the key (RFC 7638).'),
};

/** OAuth settings of a credential as stored. */
export const OauthTerms = closedObject({
  grant: enumSchema(OAUTH_GRANTS),
  ...named,
  client_authentication: Type.Optional(enumSchema(CLIENT_AUTHENTICATIONS, 'Default: CLIENT_SECRET_BASIC.')),
  ...Type.Partial(closedObject(optional)).properties,
});
export type OauthTerms = Static<typeof OauthTerms>;

/** OAuth settings with the public half of the key that signs assertions. */
export type StoredOauth = OauthTerms & { readonly public_jwk?: Readonly<Record<string, string>> };

/** Status of the tokens of a credential. */
export const OauthConnection = closedObject({
  state: enumSchema(
    OAUTH_STATES,
    'UNCONNECTED: no refresh token yet. CONNECTED: tokens can be requested; refreshed_at is the time of the last token. ERROR: the refresh token was refused; reconnect the credential.',
  ),
  failure: nullable(Type.String({ description: 'Reason the last refresh failed, with the remedy; null if it did not fail.' })),
  failures: Type.Integer({ minimum: 0, description: 'Number of consecutive failed refreshes.' }),
  retry_at: nullable({ ...timestamp, description: 'Time of the earliest next attempt.' }),
  granted_scope: nullable(Type.String({ description: 'Scope that the authorization server granted; null if it sent none.' })),
  connected_by: nullable(
    Type.String({ description: 'User who connected the credential in the browser, or caller that provided the refresh token.' }),
  ),
  connected_at: nullable(timestamp),
  refreshed_at: nullable(timestamp),
  access_ends_at: nullable({ ...timestamp, description: 'Time until which the current access token is used.' }),
});
export type OauthConnection = Static<typeof OauthConnection>;

const told = Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, nullable(schema)])) as {
  [Name in keyof typeof optional]: ReturnType<typeof nullable<(typeof optional)[Name]>>;
};

/** OAuth settings and token status of a credential. */
export const OauthView = closedObject({
  grant: enumSchema(OAUTH_GRANTS),
  ...named,
  client_authentication: enumSchema(CLIENT_AUTHENTICATIONS),
  ...told,
  public_jwk: nullable(
    Type.Record(Type.String(), Type.String(), { description: 'PRIVATE_KEY_JWT: public key to register at the authorization server.' }),
  ),
  redirect_uri: nullable(
    Type.String({
      description: 'Redirect URL to register at the authorization server exactly as returned, if a person connects the credential.',
    }),
  ),
  connection: OauthConnection,
});
export type OauthView = Static<typeof OauthView>;

const sealed = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: PRINTABLE, description }));

/** Secrets of an OAuth application; `oauth` decides which are required. */
export const oauthSecrets = {
  ...secret('client_secret', sealed(oauth.tokenCharsMax, 'CLIENT_SECRET_BASIC and CLIENT_SECRET_POST: the client secret.')),
  ...secret(
    'private_key',
    Type.Optional(
      Type.String({
        minLength: 100,
        maxLength: oauth.privateKeyCharsMax,
        description: 'PRIVATE_KEY_JWT: PKCS #8 as PEM; P-256, P-384 or RSA of 2048 bits or more. Generated if omitted.',
      }),
    ),
  ),
  ...secret(
    'refresh_token',
    sealed(oauth.tokenCharsMax, 'Grant REFRESH_TOKEN: the refresh token, unless a person connects the credential in the browser.'),
  ),
};
