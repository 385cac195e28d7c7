import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error the package has no types
import Provider from 'oidc-provider';

/** Claims about a person in addition to their subject. */
export type Claimed = Readonly<Record<string, unknown>>;

/** A real OpenID Connect provider on this machine; a user who is sent to it is signed in at once as the person that the test names. */
export type IdentityProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sets who comes next, with their proofs (`amr`); null refuses. */
  readonly comes: (subject: string | null, claims?: Claimed, amr?: readonly string[]) => void;
  readonly requests: string[];
  readonly close: () => Promise<void>;
};

export type ProviderTerms = {
  /** Redirect URIs of the client. */
  readonly redirectUris: readonly string[];
  readonly port?: number;
  /** Id of its key. */
  readonly kid?: string;
};

const SCOPES = ['openid', 'email', 'profile', 'groups'];

// biome-ignore lint/suspicious/noExplicitAny: the package has no types
type Context = any;

const getConfiguration = (terms: ProviderTerms, client: { id: string; secret: string }, people: Map<string, Claimed>) => ({
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [...terms.redirectUris],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  jwks: {
    keys: [
      {
        ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
        kid: terms.kid ?? randomUUID(),
        use: 'sig',
        alg: 'RS256',
      },
    ],
  },
  scopes: SCOPES,
  claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  cookies: { keys: ['nothing secret'] },
  findAccount: (_: Context, subject: string) => ({
    accountId: subject,
    claims: () => ({ ...people.get(subject), sub: subject }),
  }),
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

export const startIdentityProvider = async (terms: ProviderTerms): Promise<IdentityProvider> => {
  const client = { id: 'the-service', secret: randomUUID() };
  const people = new Map<string, Claimed>();
  const requests: string[] = [];
  let next: { readonly subject: string | null; readonly amr: readonly string[] } = { subject: null, amr: [] };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(terms.port ?? 0, '127.0.0.1', resolve));
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, getConfiguration(terms, client, people));
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    requests.push(`${request.method} ${(request.url ?? '').split('?', 1)[0]}`);
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const { subject, amr } = next;
    const result = subject === null ? { error: 'access_denied' } : { login: { accountId: subject, amr: [...amr], remember: false } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  return {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    requests,
    comes: (subject, claims = {}, amr = []) => {
      next = { subject, amr };
      if (subject !== null) people.set(subject, claims);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
