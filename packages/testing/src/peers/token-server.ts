import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for tokens as received. */
export type ReceivedTokenRequest = { readonly form: URLSearchParams; readonly authorization: string | undefined };

/** Answers a request itself; `grant` returns the regular response. */
export type Lie = (response: ServerResponse, grant: () => object, request: ReceivedTokenRequest) => void | Promise<void>;

/**
 * A rotating token endpoint on this machine: each refresh token is valid once, and the previous one for the time in `grace`, like servers
 * that expect lost responses. It lies if a test makes it.
 */
export type TokenServer = {
  readonly url: string;
  readonly requests: ReceivedTokenRequest[];
  /** Returns a valid refresh token. */
  readonly firstToken: () => string;
  /** How it responds from now on; undefined: regularly. */
  lie: Lie | undefined;
  /** True if the token before the current one is still accepted. */
  grace: boolean;
  expiresIn: number;
  /** Revokes everything it has issued. */
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

/** Issues tokens, and returns the response for a form; undefined if it refuses. */
const newGrants = (terms: () => Terms) => {
  let made = 0;
  /** Successor by refresh token; null for a current one. */
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
    const tokenRequest = { form, authorization: request.headers.authorization };
    server.requests.push(tokenRequest);
    const grant = (): object => grantOf(form) ?? { error: 'invalid_grant' };
    if (server.lie) return void (await server.lie(response, grant, tokenRequest));
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
