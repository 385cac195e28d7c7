import { ERROR_CODES, ERRORS, type ErrorCode, type RetryClass } from '@svc/contract/tables/errors.ts';
import { ERROR_GUIDES, GUIDES, getGuidePath } from '@svc/contract/tables/guides.ts';
import { escapeHtml } from '../wires/page/escape-html.ts';
import type { StaticPage } from '../wires/page.ts';
import { compress } from './compress.ts';
import { memoizeFirst } from './once.ts';
import { type GuidesOrigin, newTextPage, textStyle } from './text-page.ts';

const RETRY_IN_WORDS: Readonly<Record<RetryClass, string>> = {
  no: 'No. Change the request first.',
  once_after_reauthentication: 'Once, after authenticating again.',
  never: 'Never with the same request.',
  backoff: 'Yes, with exponential backoff, not before Retry-After.',
  once: 'Once.',
  depends_on_downstream: 'Depends on the downstream system.',
  idempotent_only_after_check: 'Only idempotent operations, after a check of the downstream system.',
};

const renderGuide = (code: ErrorCode, guides: GuidesOrigin): string => {
  const name = ERROR_GUIDES[code];
  const title = escapeHtml(GUIDES[name].title);
  return guides === undefined ? title : `<a href="${escapeHtml(`${guides}${getGuidePath(name)}`)}">${title}</a>`;
};

const renderSection = (code: ErrorCode, guides: GuidesOrigin): string => {
  const { status, message, when, remedy, retry, people } = ERRORS[code];
  const rows = [
    ['Message', message],
    ['When', when],
    ['For programs', remedy],
    ['For people', people.action],
    ['Retry', RETRY_IN_WORDS[retry]],
  ] as const;
  const list = rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('');
  return `<section id="${code}"><h2><a class="anchor" href="#${code}">${escapeHtml(people.title)}</a></h2>
<p><code>${code}</code> <span class="status">HTTP ${status}</span></p><dl>${list}<dt>Guide</dt><dd>${renderGuide(code, guides)}</dd></dl></section>`;
};

const renderBody = (guides: GuidesOrigin): string => `<h1>Error codes</h1>
<p>Every error response has one of these codes in <code>error.code</code>. Codes never change; branch on them, not on messages.</p>
<ul class="codes">${ERROR_CODES.map((code) => `<li><a href="#${code}">${code}</a> <span class="status">${ERRORS[code].status}</span></li>`).join('')}</ul>
${ERROR_CODES.map((code) => renderSection(code, guides)).join('\n')}`;

/** Creates the page of all error codes, which the `docs_url` of each error links to, with its stylesheet. */
export const newErrorsPage = (): ((asset: string | undefined, guides: GuidesOrigin) => StaticPage) => {
  const pageFor = memoizeFirst((guides: GuidesOrigin): StaticPage => {
    const page = newTextPage('Error codes', renderBody(guides), guides);
    return { ...page, compressed: compress(page.bytes) };
  });
  return (asset, guides) => (asset === undefined ? pageFor(guides) : textStyle);
};
