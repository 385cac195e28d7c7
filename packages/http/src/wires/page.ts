import type { FastifyRequest } from 'fastify';
import { type Compressed, chooseEncoding } from '../answers/choose-encoding.ts';
import { toWire } from '../answers/error-to-wire.ts';
import { sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import { escapeHtml } from './page/escape-html.ts';
import { ICON_LINK } from './page/icon-link.ts';
import { prefersHtml } from './page/wants-html.ts';
import type { Wire } from './wire.ts';

/** A page, or an asset of it. Its bytes are the same for everyone and shared by all responses. */
export type StaticPage = {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same bytes compressed, for clients that accept an encoding. */
  readonly compressed?: Compressed;
  /** Content-Security-Policy; without one everything is forbidden. */
  readonly policy?: string;
  /** The request header that selects between this and another form. */
  readonly vary?: 'accept';
  /** Status instead of the row's, as for a page that is gone. */
  readonly status?: number;
  /** Address of a redirect; `status` is then 303. */
  readonly location?: string;
};

export const HTML_TYPE = 'text/html; charset=utf-8';
const NOTHING_ALLOWED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Permits only the stylesheet and images of the page at `/`, which both planes have. */
const STYLE_ALLOWED = `${NOTHING_ALLOWED}; style-src 'self'; img-src 'self'`;

type Refused = ReturnType<typeof toWire>['body']['error'];

const DOCUMENTS = [
  ['/docs/guides', 'All guides'],
  ['/docs/errors', 'Error codes'],
  ['/docs', 'API reference'],
] as const;

/**
 * Returns the link to sign-in for pages of sign-in, to the documents of this plane for pages below `/docs`, and to the start for all
 * others.
 */
const wayBack = ({ server, raw, routeOptions: { url } }: FastifyRequest): string => {
  if (url?.startsWith('/v1/auth/')) return '<a href="/sign-in">Back to sign-in</a>';
  if (!raw.url?.startsWith('/docs/')) return '<a href="/">Go to the home page</a>';
  return DOCUMENTS.filter(([path]) => server.hasRoute({ method: 'GET', url: path }))
    .map(([path, text]) => `<a href="${path}">${text}</a>`)
    .join(' · ');
};

const refusedHtml = ({ code, message, remedy, docs_url: docsUrl, request_id: requestId }: Refused, back: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(message)}</title>${ICON_LINK}<link rel="stylesheet" href="/root.css"></head><body><main><h1>${escapeHtml(message)}</h1>
<p>${escapeHtml(remedy)}</p><p>${back}</p></main><p><a href="${escapeHtml(docsUrl)}">${escapeHtml(code)}</a> · ${escapeHtml(requestId)}</p></body></html>`;

/** Pages for browsers with their assets, which may do nothing that their policy does not name. */
export const page: Wire = {
  reads: json.reads,
  takesAnyQuery: true,
  answer: (reply, status, result) => {
    const { type, bytes, compressed, policy, vary, status: own, location } = result as StaticPage;
    reply
      .code(own ?? status)
      .header('content-type', type)
      .header('cross-origin-resource-policy', 'same-origin');
    if (policy !== undefined || type === HTML_TYPE)
      reply.header('content-security-policy', policy ?? NOTHING_ALLOWED).header('cross-origin-opener-policy', 'same-origin');
    if (location !== undefined) reply.header('location', location);
    const varies = [...(vary === undefined ? [] : [vary]), ...(compressed === undefined ? [] : ['accept-encoding'])];
    if (varies.length > 0) reply.header('vary', varies.join(', '));
    if (compressed === undefined) return reply.send(bytes);
    const encoding = chooseEncoding(reply.request.headers['accept-encoding'], compressed);
    return encoding === undefined ? reply.send(bytes) : reply.header('content-encoding', encoding).send(compressed[encoding]);
  },
  refuse: (reply, refused) => {
    if (!prefersHtml(reply.request.headers.accept)) return sendJsonRefusal(reply, refused);
    reply.request.refusedWith = refused.refused;
    const { status, retryAfterSeconds, body } = toWire(refused, reply.request.id);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    reply.code(status).header('content-type', HTML_TYPE).header('content-security-policy', STYLE_ALLOWED);
    const shown = reply.request.is404 ? { ...body.error, message: 'Page not found', remedy: body.error.message } : body.error;
    return reply.send(refusedHtml(shown, wayBack(reply.request)));
  },
  told: (row) => ({ ...json.told(row), answer: 'text/html' }),
};
