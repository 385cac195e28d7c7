import { ERRORS_PAGE_PATH } from '@svc/contract/tables/errors.ts';
import { GUIDES_PATH } from '@svc/contract/tables/guides.ts';
import { escapeHtml } from '../wires/page/escape-html.ts';
import { ICON_LINK } from '../wires/page/icon-link.ts';
import { HTML_TYPE, type StaticPage } from '../wires/page.ts';

const STYLE = `:root { color-scheme: light dark; --text: #1b1b1b; --quiet: #5c5c5c; --surface: #fff; --raised: #f4f4f5; --line: #dcdce0; --link: #0b57d0 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --quiet: #a8a8ad; --surface: #141414; --raised: #202024; --line: #3a3a40; --link: #8ab4f8 } }
body { max-width: 46rem; margin: 0 auto; padding: 0 1rem 4rem; font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--surface); overflow-wrap: anywhere }
a { color: var(--link) }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 1rem 0; border-bottom: 1px solid var(--line); font-size: .9rem }
h1, h2, h3, h4 { line-height: 1.25; margin: 2.25rem 0 .75rem } h1 { font-size: 1.9rem; margin-top: 1.5rem } h2 { font-size: 1.35rem } h3 { font-size: 1.1rem }
h2 a.anchor, h3 a.anchor, h4 a.anchor { color: inherit; text-decoration: none } a.anchor:hover { text-decoration: underline }
code { font: .875em/1.5 ui-monospace, monospace; background: var(--raised); border-radius: 3px; padding: .1em .25em }
pre { padding: .75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); overflow-wrap: normal }
pre code { padding: 0; background: none } pre.output { border-style: dashed; background: none }
.table { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .94rem; overflow-wrap: normal }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top } th { font-weight: 600 }
dl { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem 1rem; margin: 0 } dt { color: var(--quiet) } dd { margin: 0 }
ul.codes { columns: 17rem; padding: 0; list-style: none; font-size: .9rem } .status { color: var(--quiet); font-weight: 400 } .quiet { color: var(--quiet) }
form { display: flex; gap: .5rem; margin: 1rem 0 } input { flex: 1; min-width: 0 } input, button { font: inherit; padding: .35rem .6rem; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px }
section:target { outline: 2px solid var(--link); outline-offset: .75rem }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } }`;

const newPolicy = (formAction: 'none' | 'self'): string =>
  `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action '${formAction}'; frame-ancestors 'none'`;

/** The stylesheet of all text pages, served at `/docs/text.css`. */
export const textStyle: StaticPage = { type: 'text/css; charset=utf-8', bytes: Buffer.from(STYLE) };

/**
 * Origin of the control plane, which serves the guides: '' on the control plane itself, its URL on the gateway, undefined if the gateway
 * does not know it.
 */
export type GuidesOrigin = string | undefined;

const renderLinks = (guides: GuidesOrigin): string =>
  [
    ...(guides === undefined ? [] : [[`${guides}${GUIDES_PATH}`, 'Guides']]),
    [ERRORS_PAGE_PATH, 'Error codes'],
    ['/docs', 'API reference'],
    ['/', 'Start'],
  ]
    .map(([href = '', text = '']) => `<a href="${escapeHtml(href)}">${text}</a>`)
    .join('');

/** Creates a page of text without scripts. `body` is HTML; a page with a form may send it to its own origin only. */
export const newTextPage = (title: string, body: string, guides: GuidesOrigin, formAction: 'none' | 'self' = 'none'): StaticPage => ({
  type: HTML_TYPE,
  policy: newPolicy(formAction),
  bytes:
    Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: Agent Governance Service</title>${ICON_LINK}<link rel="stylesheet" href="/docs/text.css"></head>
<body><nav aria-label="Documentation">${renderLinks(guides)}</nav><main>
${body}
</main></body></html>`),
});
