import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { escapeHtml } from '@svc/http/wires/page/escape-html.ts';
import { ICON_LINK } from '@svc/http/wires/page/icon-link.ts';
import { HTML_TYPE, type StaticPage } from '@svc/http/wires/page.ts';
import { type KeptMail, readOutbox } from '@svc/operations/people/mail/read-outbox.ts';
import type { PeopleDeps } from '../deps.ts';

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Suits small screens: a long word, such as a link, breaks across lines. */
const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
pre { white-space: pre-wrap; padding: 1rem; border: 1px solid }`;
const LOOKS: StaticPage = { type: 'text/css; charset=utf-8', bytes: Buffer.from(STYLE) };

const getArticle = ({ to, subject, text, created_at }: KeptMail): string =>
  `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)}, <time datetime="${created_at}">${created_at}</time></p><pre>${escapeHtml(text)}</pre></article>`;

const getPage = (mails: readonly KeptMail[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Outbox</title>
${ICON_LINK}<link rel="stylesheet" href="/outbox.css"></head>
<body><main><h1>Outbox</h1><p>No mail server is configured (SMTP_URL), so mails are kept here for a day and shown on this machine only, newest first.</p>
${mails.map(getArticle).join('\n') || '<p>No mail so far.</p>'}
</main></body></html>`;

/** Shows the outbox page. There is no such page if mails are sent, or for clients on other machines. */
export const getOutboxPage: Handler<Endpoints['getOutboxPage'], PeopleDeps> = async (call, { identity, mail }) => {
  if (call.asset !== undefined) return LOOKS;
  if (mail.kind !== 'outbox' || !call.isFromHere()) return call.refuse('NOT_FOUND');
  return { type: HTML_TYPE, bytes: Buffer.from(getPage(await readOutbox(identity, mail.sealingKey))), policy: POLICY };
};
