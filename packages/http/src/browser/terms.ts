import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';

/** Settings for browsers; a plane without them has no pages that sign in. */
export type BrowserTerms = {
  /** True if cookies are bound to HTTPS and to this host. */
  readonly isSecure: () => boolean;
  readonly cookie: () => string;
  /** True if an `Origin` is the plane's own. */
  readonly isOwn: (origin: string) => boolean;
};

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Origins of the loopback addresses, by which a browser on the same machine may call it and no other machine can. */
const listOrigins = (base: string): readonly string[] => {
  const url = new URL(base);
  if (url.protocol !== 'http:' || !LOOPBACK_NAMES.includes(url.hostname)) return [url.origin];
  return LOOPBACK_NAMES.map((name) => new URL(`http://${name}:${url.port || '80'}`).origin);
};

/**
 * Creates the settings from the public address, which may be known only once the plane listens. Browsers accept a cookie with the prefix
 * `__Host-` over HTTPS only (RFC 6265bis, section 4.1.3.2); plain HTTP, for the own machine, omits it.
 */
export const newBrowserTerms = (base: () => string): BrowserTerms => {
  const known: { base?: string; origins: readonly string[] } = { origins: [] };
  const isSecure = (): boolean => base().startsWith('https:');
  return {
    isSecure,
    cookie: () => (isSecure() ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE),
    isOwn: (origin) => {
      if (known.base !== base()) Object.assign(known, { base: base(), origins: base() === '' ? [] : listOrigins(base()) });
      return known.origins.includes(origin);
    },
  };
};
