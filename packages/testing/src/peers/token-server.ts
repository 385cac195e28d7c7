import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for tokens, as it came. */
export type TokenRequest = { readonly form: URLSearchParams; readonly authorization: string | undefined };

/** Answers a request itself, in whatever way; `grant` is what it would have been given. */
export type Lie = (response: ServerResponse, grant: () => object, request: TokenRequest) => void | Promise<void>;

/**
 * A token endpoint on this machine that rotates: each refresh token is good once, and the one before for as long as `grace` says, as with
 * servers that know that an answer may get lost. It lies when a test has it lie.
 */
export type TokenServer = {
  readonly url: string;
  readonly requests: TokenRequest[];
  /** A refresh token that is good. */
  readonly firstToken: () => string;
  /** How it answers from now on; undefined: truly. */
  lie: Lie | undefined;
  /** Whether the token before the current one is taken still. */
  grace: boolean;
  expiresIn: number;
  /** Ends whatever it has given out. */
  readonly forget: () => void;
  readonly isAccessToken: (token: string | undefined) => boolean;
  readonly close: () => Promise<void>;
};

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const JSON_TYPE = { 'content-type': 'application/json' };

type Terms = { readonly grace: boolean; readonly expiresIn: number };

/** What it has given out, and what it gives for a form; undefined where it refuses. */
const newGrants = (terms: () => Terms) => {
  let made = 0;
  /** Refresh token to what came after it; null for one that is current. */
  const after = new Map<string, string | null>();
  const access = new Set<string>();
  const newToken = (): string => {
    made += 1;
    const token = `refresh-token-${made}-of-this-server`;
    after.set(token, null);
    return token;
  };
  const giveAccess = (): string => {
    const token = `access-token-${access.size + 1}-of-this-server`;
    access.add(token);
    return token;
  };
  const grantOf = (form: URLSearchParams): object | undefined => {
    const answer = { access_token: giveAccess(), token_type: 'Bearer', expires_in: terms().expiresIn };
    if (form.get('grant_type') === 'client_credentials') return answer;
    const sent = form.get('refresh_token') ?? '';
    const next = after.get(sent);
    if (next === undefined) return undefined;
    if (next !== null) return terms().grace && after.get(next) === null ? { ...answer, refresh_token: next } : undefined;
    const refresh_token = newToken();
    after.set(sent, refresh_token);
    return { ...answer, refresh_token };
  };
  return { after, access, newToken, grantOf };
};

export const startTokenServer = async (): Promise<TokenServer> => {
  const { after, access, newToken, grantOf } = newGrants(() => server);
  const http = createServer(async (request, response) => {
    const form = new URLSearchParams(await read(request));
    const asked = { form, authorization: request.headers.authorization };
    server.requests.push(asked);
    const grant = (): object => grantOf(form) ?? { error: 'invalid_grant' };
    if (server.lie) return void (await server.lie(response, grant, asked));
    const answer = grant();
    response.writeHead('error' in answer ? 400 : 200, JSON_TYPE).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  http.unref();
  const server: TokenServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/token`,
    requests: [],
    firstToken: newToken,
    lie: undefined,
    grace: true,
    expiresIn: 3_600,
    forget: () => after.clear(),
    isAccessToken: (token) => access.has(token?.replace(/^Bearer /, '') ?? ''),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
};
