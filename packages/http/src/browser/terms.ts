import { SESSION_COOKIE } from '@svc/contract/tables/wire-name.ts';

/** How this plane serves browsers; a plane without has no pages that sign in. */
export type BrowserTerms = {
  /** Whether cookies are for https alone, and of this host alone. */
  readonly isSecure: () => boolean;
  readonly cookie: () => string;
  /** Whether a page with this `Origin` is one of the plane's own. */
  readonly isOwn: (origin: string) => boolean;
};

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** A browser on the same machine may call it by any of these, which no other machine can take. */
const originsOf = (base: string): readonly string[] => {
  const url = new URL(base);
  if (url.protocol !== 'http:' || !LOOPBACK_NAMES.includes(url.hostname)) return [url.origin];
  return LOOPBACK_NAMES.map((name) => new URL(`http://${name}:${url.port || '80'}`).origin);
};

/**
 * By the public address, which may be known only once the plane listens. Browsers take a cookie with the prefix `__Host-` over https alone
 * (RFC 6265bis, section 4.1.3.2); on plain http, which is for one's own machine, it goes without.
 */
export const newBrowserTerms = (base: () => string): BrowserTerms => {
  const known: { base?: string; origins: readonly string[] } = { origins: [] };
  const isSecure = (): boolean => base().startsWith('https:');
  return {
    isSecure,
    cookie: () => (isSecure() ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE),
    isOwn: (origin) => {
      if (known.base !== base()) Object.assign(known, { base: base(), origins: base() === '' ? [] : originsOf(base()) });
      return known.origins.includes(origin);
    },
  };
};
