import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error the package has no types
import Provider from 'oidc-provider';

/** A client of the server, by the names of dynamic registration (RFC 7591). */
export type RegisteredClient = Readonly<Record<string, unknown>> & { readonly client_id: string };

/**
 * A real authorization server on this machine that rotates refresh tokens and revokes all of them when one is used twice. A user who is
 * sent to it is signed in at once and grants everything, unless the test makes them refuse.
 */
export type AuthorizationServer = {
  readonly issuer: string;
  refuses: boolean;
  readonly requests: string[];
  readonly close: () => Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: the package has no types
type Context = any;

const SCOPES = ['openid', 'offline_access', 'orders'];

const getConfiguration = (clients: readonly RegisteredClient[]) => ({
  clients,
  jwks: { keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] },
  scopes: SCOPES,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false }, clientCredentials: { enabled: true } },
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  enabledJWA: { clientAuthSigningAlgValues: ['RS256', 'ES256', 'ES384'] },
  issueRefreshToken: (_: Context, client: Context) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  cookies: { keys: ['nothing secret'] },
  findAccount: (_: Context, subject: string) => ({ accountId: subject, claims: () => ({ sub: subject }) }),
  loadExistingGrant: async ({ oidc }: Context) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope(SCOPES.join(' '));
    await grant.save();
    return grant;
  },
  interactions: { url: (_: Context, { uid }: Context) => `/interaction/${uid}` },
  renderError: (context: Context, out: object) => {
    context.type = 'json';
    context.body = JSON.stringify(out);
  },
});

export const startAuthorizationServer = async (port: number, clients: readonly RegisteredClient[]): Promise<AuthorizationServer> => {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  http.unref();
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, getConfiguration(clients));
  const answer = provider.callback();
  http.on('request', async (request, response) => {
    server.requests.push(`${request.method} ${(request.url ?? '').split('?', 1)[0]}`);
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const result = server.refuses ? { error: 'access_denied' } : { login: { accountId: 'somebody', remember: false } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  const server: AuthorizationServer = {
    issuer,
    refuses: false,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
};
