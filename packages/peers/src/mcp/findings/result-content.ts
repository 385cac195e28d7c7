import { isForbiddenScheme, readScheme } from '../definitions/uri-schemes.ts';

type Members = Readonly<Record<string, unknown>>;

/** Schemes of links that clients may open. */
export const LINK_SCHEMES: readonly string[] = ['https', 'http'];

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true for a content block of a type that the protocol has. */
export const isKnownContent = (block: unknown): block is Members => isMembers(block) && KNOWN_TYPES.has(block.type);

/**
 * Returns true if a content block has no link, or one that may be passed on. Links lead elsewhere, so that only known schemes are allowed; the
 * address of an embedded resource only names it.
 */
export const isAllowedLink = ({ type, uri, resource }: Members, schemes: readonly string[] = LINK_SCHEMES): boolean => {
  if (type === 'resource_link') return schemes.includes(readScheme(uri));
  return type !== 'resource' || (isMembers(resource) && !isForbiddenScheme(resource.uri));
};
