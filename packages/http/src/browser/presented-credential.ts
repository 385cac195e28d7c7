import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { FastifyRequest } from 'fastify';
import { readCookie } from './session-cookie.ts';
import type { BrowserTerms } from './terms.ts';

/** The kind of credential that a request presents. */
export type PresentedCredential = { readonly authorization: string | undefined } | { readonly cookie: string };

const TWICE = buildRefusal('UNAUTHENTICATED', 'The request has two session cookies. Sign in again.');
const NO_SESSION = buildRefusal('UNAUTHENTICATED');

/**
 * Returns the credential. The header takes precedence: it is intentional, while a browser sends the cookie automatically. A cookie holds a
 * session and nothing else, so no key can be used by any page.
 */
export const readCredential = (
  { headers }: FastifyRequest,
  terms: BrowserTerms | undefined,
): PresentedCredential | Refusal<'UNAUTHENTICATED'> => {
  const { authorization, cookie } = headers;
  if (authorization !== undefined || terms === undefined) return { authorization };
  const value = readCookie(cookie, terms.cookie());
  if (value === undefined || value === '') return { authorization };
  if (value === 'twice') return TWICE;
  return value.startsWith(SECRET_PREFIXES.session) ? { cookie: value } : NO_SESSION;
};

/** True if a request presents something that could be a credential. */
export const hasCredential = ({ headers }: FastifyRequest, terms: BrowserTerms | undefined): boolean =>
  headers.authorization !== undefined || (terms !== undefined && readCookie(headers.cookie, terms.cookie()) !== undefined);
