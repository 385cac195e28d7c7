/** Schemes that no resource may have: each runs code, or is a page of the server within the client. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'ui', 'blob', 'about', 'view-source']);

/** Returns the scheme of an address in lower case; empty if there is none. */
export const readScheme = (uri: unknown): string => {
  const [, scheme = ''] = typeof uri === 'string' ? (/^\s{0,64}([a-z][a-z0-9+.-]{0,63}):/iu.exec(uri) ?? []) : [];
  return scheme.toLowerCase();
};

/** Returns true for the address of a resource that is not passed on. */
export const isForbiddenScheme = (uri: unknown): boolean => FORBIDDEN_SCHEMES.has(readScheme(uri));
