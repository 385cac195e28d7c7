import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import type { FastifyRequest } from 'fastify';
import { readCookie } from './session-cookie.ts';
import type { BrowserTerms } from './terms.ts';

/** By which of the two a request names its caller. */
export type Shown = { readonly authorization: string | undefined } | { readonly cookie: string };

const TWICE = refusal('UNAUTHENTICATED', 'The request has two session cookies. Sign in again.');
const NO_SESSION = refusal('UNAUTHENTICATED');

/**
 * The header wins: it is there because somebody meant it, and the cookie because a browser sends it along. A cookie holds a session and
 * nothing else, so that no key is ever used from where any page could.
 */
export const shownCredential = ({ headers }: FastifyRequest, terms: BrowserTerms | undefined): Shown | Refusal<'UNAUTHENTICATED'> => {
  const { authorization, cookie } = headers;
  if (authorization !== undefined || terms === undefined) return { authorization };
  const value = readCookie(cookie, terms.cookie());
  if (value === undefined || value === '') return { authorization };
  if (value === 'twice') return TWICE;
  return value.startsWith(SECRET_PREFIXES.session) ? { cookie: value } : NO_SESSION;
};

/** Whether a request comes with something that could be a credential. */
export const showsCredential = ({ headers }: FastifyRequest, terms: BrowserTerms | undefined): boolean =>
  headers.authorization !== undefined || (terms !== undefined && readCookie(headers.cookie, terms.cookie()) !== undefined);
