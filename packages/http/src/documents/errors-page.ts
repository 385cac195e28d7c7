import { ERROR_CODES, ERRORS, type ErrorCode, type RetryClass } from '@svc/contract/tables/errors.ts';
import { escapeHtml } from '../wires/page/escape-html.ts';
import { HTML_TYPE, type Page } from '../wires/page.ts';

const RETRY_IN_WORDS: Readonly<Record<RetryClass, string>> = {
  no: 'No. Change the request first.',
  once_after_reauthentication: 'Once, after authenticating again.',
  never: 'Never with the same request.',
  backoff: 'Yes, with exponential backoff, not before Retry-After.',
  once: 'Once.',
  depends_on_downstream: 'Depends on the downstream system.',
  idempotent_only_after_check: 'Only idempotent operations, after a check of the downstream system.',
};

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h2 { font: 600 1rem/1.5 ui-monospace, monospace; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere }
h2 a { color: inherit; text-decoration: none }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: .25rem 1rem; margin: 0 } dt { opacity: .7 } dd { margin: 0 }
section:target { outline: 2px solid; outline-offset: .75rem }`;

const sectionOf = (code: ErrorCode): string => {
  const { status, message, when, remedy, retry } = ERRORS[code];
  const rows = [
    ['Status', String(status)],
    ['Message', message],
    ['When', when],
    ['Remedy', remedy],
    ['Retry', RETRY_IN_WORDS[retry]],
  ] as const;
  const list = rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('');
  return `<section id="${code}"><h2><a href="#${code}">${code}</a></h2><dl>${list}</dl></section>`;
};

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes</title><style>${STYLE}</style></head><body><h1>Error codes</h1>
<p>Every error response has one of these codes. <a href="/docs">All endpoints</a></p>
${ERROR_CODES.map(sectionOf).join('\n')}</body></html>`;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** The table of codes, to read: where every error's `docs_url` leads. */
export const errorsPage: Page = { type: HTML_TYPE, bytes: Buffer.from(PAGE), policy: POLICY };
