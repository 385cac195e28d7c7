import { baseAddress, type Fetch, type Transport } from './transport.ts';

export type CookieOptions = {
  /** Address of the control plane. Default: the origin of the page. */
  readonly url?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch;
};

/**
 * Transport for the control plane's own pages: the session is in an HttpOnly cookie. Requests carry the CSRF token that the service returns
 * with the session; only this transport keeps it.
 */
export const cookieTransport = ({ url, fetch: send = fetch }: CookieOptions = {}): Transport => {
  const base = url === undefined ? '' : baseAddress(url);
  let csrfToken: string | undefined;
  return {
    send: ({ path, headers, ...request }) =>
      send(`${base}${path}`, {
        ...request,
        credentials: 'same-origin',
        headers: { ...headers, 'x-svc-page': '1', ...(csrfToken === undefined ? {} : { 'x-svc-csrf': csrfToken }) },
      }),
    observe: (result) => {
      const { csrf_token: token } = (result ?? {}) as { readonly csrf_token?: unknown };
      if (typeof token === 'string') csrfToken = token;
    },
  };
};
