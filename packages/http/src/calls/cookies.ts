import { readCookie } from '../browser/session-cookie.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The value of a cookie in the header of a request. Of two with the same name nobody can say which is whose, so that there is none. */
export const cookieOf = (header: string | undefined, name: string): string | undefined => {
  const value = readCookie(header, name);
  return value === 'twice' ? undefined : value;
};

type Life = { readonly maxAgeSeconds: number; readonly secure: boolean };

/** The name of a cookie of this service: bound to its host by the browser (RFC 6265bis), where the address is https. */
export const cookieName = (name: string, secure: boolean): string => {
  if (!NAME.test(name)) throw new Error(`${name} is no name of a cookie`);
  return secure ? `__Host-${name}` : name;
};

/** A line of Set-Cookie that scripts cannot read, and that comes with links from elsewhere but with nothing else of theirs. */
export const cookieLine = (name: string, value: string, { maxAgeSeconds, secure }: Life): string =>
  `${cookieName(name, secure)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
