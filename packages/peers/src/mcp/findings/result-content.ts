type Members = Readonly<Record<string, unknown>>;

/** Schemes of links that clients may open. */
export const LINK_SCHEMES: readonly string[] = ['https', 'http'];

/** Schemes that no embedded resource may have: each runs code, reads a local file, or is a page of the server within the client. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'ui', 'blob', 'about', 'view-source']);

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true for a content block of a type that the protocol has. */
export const isKnownContent = (block: unknown): block is Members => isMembers(block) && KNOWN_TYPES.has(block.type);

const readScheme = (uri: unknown): string => {
  const [, scheme = ''] = typeof uri === 'string' ? (/^\s{0,64}([a-z][a-z0-9+.-]{0,63}):/iu.exec(uri) ?? []) : [];
  return scheme.toLowerCase();
};

/**
 * Returns true if a content block has no link, or one that may be passed on. Links lead elsewhere, so that only known schemes are allowed; the
 * address of an embedded resource only names it.
 */
export const isAllowedLink = ({ type, uri, resource }: Members, schemes: readonly string[] = LINK_SCHEMES): boolean => {
  if (type === 'resource_link') return schemes.includes(readScheme(uri));
  return type !== 'resource' || (isMembers(resource) && !FORBIDDEN_SCHEMES.has(readScheme(resource.uri)));
};
