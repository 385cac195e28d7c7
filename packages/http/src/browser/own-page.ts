import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { deriveCsrfToken } from '@svc/keyring/tokens/csrf-token.ts';
import type { FastifyRequest } from 'fastify';
import type { BrowserTerms } from './terms.ts';

const FOREIGN = buildRefusal(
  'PERMISSION_DENIED',
  'In a browser, only the pages of this service can do this, at the address set in SVC_BASE_URL.',
);
const NO_CSRF = buildRefusal(
  'PERMISSION_DENIED',
  `A request with a session cookie can change data only with the header ${HEADERS.csrf}, whose value the session provides to the pages of this service.`,
);

/** Returns the origin relation that a browser states, if any (Fetch Metadata). */
const getSite = ({ headers }: FastifyRequest): string | undefined => headers['sec-fetch-site']?.toString();

const isSameOrigin = (request: FastifyRequest, terms: BrowserTerms): boolean => {
  const { origin } = request.headers;
  return origin !== undefined && terms.isOwn(origin) && [undefined, 'same-origin'].includes(getSite(request));
};

/**
 * True if a page of the plane requests a sign-in, which gets a cookie. A cross-site page cannot send the header without a preflight, which
 * is refused; a request with the header from another origin is refused before any lookup.
 */
export const isOwnPage = (request: FastifyRequest, terms: BrowserTerms): boolean | Refusal<'PERMISSION_DENIED'> => {
  if (request.headers[HEADERS.ownPage] === undefined) return false;
  return isSameOrigin(request, terms) || FOREIGN;
};

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Returns why a session cookie does not count for a request (cross-site request forgery). A change must come from an own page with its
 * exact `Origin`, and carry the token of this session; a read must not come from another site, if the browser states it.
 */
export const findForgeryRefusal = (
  request: FastifyRequest,
  terms: BrowserTerms,
  token: string,
): Refusal<'PERMISSION_DENIED'> | undefined => {
  if (SAFE.has(request.method)) return [undefined, 'same-origin', 'none'].includes(getSite(request)) ? undefined : FOREIGN;
  if (!isSameOrigin(request, terms)) return FOREIGN;
  const shown = request.headers[HEADERS.csrf];
  return typeof shown === 'string' && constantTimeEqual(Buffer.from(shown), Buffer.from(deriveCsrfToken(token))) ? undefined : NO_CSRF;
};
