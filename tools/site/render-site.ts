import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderMarkdown } from '@svc/http/documents/guides/render-markdown.ts';
import { type Section, searchSections } from '@svc/http/documents/guides/search-sections.ts';
import { splitSections } from '@svc/http/documents/guides/split-sections.ts';
import { textStyle } from '@svc/http/documents/text-page.ts';
import { escapeHtml } from '@svc/http/wires/page/escape-html.ts';
import { findDocuments } from './find-documents.ts';

const pageName = (document: string): string => document.replace(/\.md$/, '.html');

const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['Guides', /^docs\/guides\//],
  ['Operating', /^docs\/operating\//],
  ['Project', /^[^/]+$|^docs\/[^/]+$/],
  ['Packages', /^(packages|sdks|deploy)\//],
  ['Measurements', /^docs\/measurements\//],
  ['Decisions', /^docs\/decisions\//],
];

type Rendered = { readonly document: string; readonly title: string; readonly html: string };

/** Resolves links between documents to links between pages. Links to files that the site lacks become text. */
const newResolver = (document: string, documents: ReadonlySet<string>) => (target: string) => {
  if (/^https:\/\//.test(target) || target.startsWith('#')) return target;
  const [relative = '', anchor] = target.split('#', 2);
  if (!documents.has(path.posix.join(path.posix.dirname(document), relative))) return undefined;
  return anchor === undefined ? pageName(relative) : `${pageName(relative)}#${anchor}`;
};

const POLICY = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'";

const renderPage = (name: string, title: string, body: string): string => {
  const up = '../'.repeat(name.split('/').length - 1);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>${escapeHtml(title)}: Agent Governance Service</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${up}text.css"></head>
<body><nav aria-label="Documentation"><a href="${up}index.html">All documents</a></nav>
<form role="search"><input type="search" id="query" data-up="${up}" maxlength="200" aria-label="Search documents" placeholder="Search"></form><ul id="found" aria-live="polite"></ul>
<main>
${body}
</main><script src="${up}sections.js"></script><script src="${up}search.js"></script></body></html>`;
};

/** Runs in the browser. Scripts are not modules, because a page that is opened as a file cannot load those. */
const SEARCH = `'use strict';
const searchSections = ${searchSections.toString()};
const query = document.getElementById('query');
const found = document.getElementById('found');
query.form.addEventListener('submit', (event) => event.preventDefault());
query.addEventListener('input', () => {
  found.replaceChildren(...searchSections(SECTIONS, query.value, 20).map(({ address, page, heading, text }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = query.dataset.up + address;
    link.textContent = heading === page ? page : page + ': ' + heading;
    item.append(link, document.createElement('br'), text.slice(0, 160));
    return item;
  }));
});
`;

const renderIndex = (rendered: readonly Rendered[]): string => {
  const groups = GROUPS.map(([name, pattern]) => {
    const items = rendered
      .filter(({ document }) => pattern.test(document))
      .map(({ document, title }) => `<li><a href="${escapeHtml(pageName(document))}">${escapeHtml(title)}</a></li>`);
    return `<h2 id="${name.toLowerCase()}">${name}</h2><ul>${items.join('\n')}</ul>`;
  });
  return renderPage('index.html', 'Documentation', `<h1>Documentation</h1>${groups.join('\n')}`);
};

/** Returns the files of the static site by path: a page for each document, an index, and a search that needs no network. */
export const renderSite = (root: string): ReadonlyMap<string, string> => {
  const documents = findDocuments(root);
  const names = new Set(documents);
  const rendered = documents.map((document): Rendered => {
    const source = readFileSync(path.join(root, document), 'utf8');
    const title = /^# (.+)$/m.exec(source)?.[1]?.replaceAll('`', '') ?? document;
    return { document, title, html: renderMarkdown(source, newResolver(document, names)) };
  });
  const sections: readonly Section[] = rendered.flatMap(({ document, title, html }) => splitSections(pageName(document), title, html));
  return new Map([
    ...rendered.map(({ document, title, html }): [string, string] => [pageName(document), renderPage(document, title, html)]),
    ['index.html', renderIndex(rendered)],
    ['text.css', textStyle.bytes.toString()],
    ['sections.js', `'use strict';\nconst SECTIONS = ${JSON.stringify(sections)};\n`],
    ['search.js', SEARCH],
  ]);
};
