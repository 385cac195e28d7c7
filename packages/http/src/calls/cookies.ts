import { readCookie } from '../browser/session-cookie.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns the value of a cookie in a header. Undefined if the name occurs twice, since it is unknown which one is valid. */
export const readUniqueCookie = (header: string | undefined, name: string): string | undefined => {
  const value = readCookie(header, name);
  return value === 'twice' ? undefined : value;
};

type Life = { readonly maxAgeSeconds: number; readonly secure: boolean };

/** Returns the name of a cookie of this service, with the `__Host-` prefix (RFC 6265bis) for an HTTPS address. */
export const getCookieName = (name: string, secure: boolean): string => {
  if (!NAME.test(name)) throw new Error(`${name} is no name of a cookie`);
  return secure ? `__Host-${name}` : name;
};

/** Builds a Set-Cookie line: HttpOnly, and sent with cross-site links but no other cross-site requests (SameSite=Lax). */
export const buildSetCookie = (name: string, value: string, { maxAgeSeconds, secure }: Life): string =>
  `${getCookieName(name, secure)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
