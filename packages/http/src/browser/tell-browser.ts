import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { deriveCsrfToken } from '@svc/keyring/tokens/csrf-token.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOwnPage } from './own-page.ts';
import { buildExpiredCookie, buildSessionCookie } from './session-cookie.ts';
import type { BrowserTerms } from './terms.ts';

type Answer = Readonly<Record<string, unknown>> & { readonly token?: string; readonly expires_at?: string };

const openIn = (reply: FastifyReply, terms: BrowserTerms, { token, ...told }: Answer, now: Date): unknown => {
  // A challenge is no session yet.
  if (token === undefined) return told;
  const seconds = (Date.parse(told.expires_at ?? '') - now.getTime()) / 1000;
  reply.header('set-cookie', buildSessionCookie(terms, token, seconds));
  return { ...told, csrf_token: deriveCsrfToken(token) };
};

/** Replaces the response about sessions for a page of the plane: the token in an HttpOnly cookie, and what belongs to it. */
export const formatForBrowser = (
  { session }: Endpoint,
  terms: BrowserTerms,
  { request, reply, now }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly now: Date },
  result: unknown,
): unknown => {
  if (session === 'opens') return isOwnPage(request, terms) === true ? openIn(reply, terms, result as Answer, now) : result;
  if (request.cookieSession === null) return result;
  if (session === 'ends') reply.header('set-cookie', buildExpiredCookie(terms)).header('clear-site-data', '"storage"');
  return session === 'tells' ? { ...(result as Answer), csrf_token: deriveCsrfToken(request.cookieSession) } : result;
};
