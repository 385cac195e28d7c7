import { baseAddress, type Fetch, type Transport } from './transport.ts';

/** Supplies tokens that expire, such as an agent's access token. */
export type TokenSource = {
  /** The current token, renewed when necessary. */
  readonly take: (signal: AbortSignal) => Promise<string>;
  /** Called with a token that the plane refused; the next `take` must not return it. */
  readonly discard: (token: string) => void;
};

export type BearerOptions = {
  /** Address of the plane, such as `https://governance.example.com`. */
  readonly url: string;
  /** An API key, a session token, or a source of tokens. Omit it for operations that need no credential. */
  readonly token?: string | TokenSource;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch;
};

/**
 * Transport for programs: sends the credential as a bearer token and never a cookie. A token that a source supplied and the plane refused
 * with 401 is replaced once.
 */
export const bearerTransport = ({ url, token, fetch: send = fetch }: BearerOptions): Transport => {
  const base = baseAddress(url);
  const sendWith = (credential: string | undefined, { path, headers, ...request }: Parameters<Transport['send']>[0]) =>
    send(`${base}${path}`, {
      ...request,
      credentials: 'omit',
      redirect: 'manual',
      headers: credential === undefined ? headers : { ...headers, authorization: `Bearer ${credential}` },
    });
  return {
    send: async (request) => {
      if (token === undefined || typeof token === 'string') return sendWith(token, request);
      const current = await token.take(request.signal);
      const response = await sendWith(current, request);
      if (response.status !== 401) return response;
      token.discard(current);
      await response.body?.cancel();
      return sendWith(await token.take(request.signal), request);
    },
  };
};
