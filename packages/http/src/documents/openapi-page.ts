import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { GUIDES_PATH } from '@svc/contract/tables/guides.ts';
import { type Written, writtenDocument } from '../answers/written.ts';
import { escapeHtml } from '../wires/page/escape-html.ts';
import { HTML_TYPE, type Page } from '../wires/page.ts';
import { once } from './once.ts';
import { openApiOf } from './openapi.ts';
import { PLANES } from './root-page.ts';

const folder = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const pageOf = (plane: Endpoint['plane'], otherUrl: string | undefined): string => {
  const { title, other } = PLANES[plane];
  const beside = otherUrl === undefined ? '' : `<a href="${escapeHtml(`${otherUrl}/docs`)}">${PLANES[other].title}</a>`;
  const origin = plane === 'control' ? '' : otherUrl;
  const guides = origin === undefined ? '' : `<a href="${escapeHtml(`${origin}${GUIDES_PATH}`)}">Guides</a>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}: API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css"></head><body>
<nav><a href="/">${title}</a>${beside}${guides}<a href="/docs/errors">Error codes</a><a href="/openapi.json">openapi.json</a></nav><div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;
};

/** The library's filter has no label but a placeholder that disappears, and is rendered late. */
const START = `new MutationObserver(() => document.querySelector('.operation-filter-input')?.setAttribute('aria-label', 'Show the calls of one area'))
  .observe(document.querySelector('#page'), { childList: true, subtree: true });
SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', validatorUrl: null, tryItOutEnabled: true, filter: true, deepLinking: true });`;

/** The library supports light screens only. */
const STYLE = `nav { max-width: 1460px; margin: 0 auto; padding: 12px 20px; font: 14px sans-serif } nav a { margin-right: 1.5em; color: #0b57d0 }
@media (prefers-color-scheme: dark) { html { background: #141414 } nav a { color: #8ab4f8 } #page { filter: invert(.92) hue-rotate(180deg) } }`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

type DocsAsset = (typeof ENDPOINTS)['controlDocs' | 'gatewayDocs']['assets'][number];

/** Returns a file of the library, with its compressed form. */
const fileOf = (name: string): Pick<Page, 'bytes' | 'gzip'> => {
  const bytes = readFileSync(path.join(folder, name));
  return { bytes, gzip: gzipSync(bytes) };
};
const STYLE_TYPE = 'text/css; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Built on first request and cached: a plane whose documents are never read holds none of them. */
const ASSETS: Readonly<Record<DocsAsset, () => Page>> = {
  '/docs/start.js': once(() => ({ type: SCRIPT_TYPE, bytes: Buffer.from(START) })),
  '/docs/page.css': once(() => ({ type: STYLE_TYPE, bytes: Buffer.from(STYLE) })),
  '/docs/swagger-ui.css': once(() => ({ type: STYLE_TYPE, ...fileOf('swagger-ui.css') })),
  '/docs/swagger-ui-bundle.js': once(() => ({ type: SCRIPT_TYPE, ...fileOf('swagger-ui-bundle.js') })),
};

/** Creates a page that shows /openapi.json, loads nothing from elsewhere, and links to the other plane's. */
export const newDocsPage = (plane: Endpoint['plane']): ((asset: DocsAsset | undefined, otherUrl: string | undefined) => Page) => {
  const pageAt = once(
    (otherUrl: string | undefined): Page => ({ type: HTML_TYPE, bytes: Buffer.from(pageOf(plane, otherUrl)), policy: POLICY }),
  );
  return (asset, otherUrl) => (asset === undefined ? pageAt(otherUrl) : ASSETS[asset]());
};

/** Returns the document of a plane, plain and compressed, built on first request. */
export const newOpenapiDocument = <Result>(plane: Endpoint['plane']): (() => Written<Result>) =>
  once(() => {
    const bytes = Buffer.from(JSON.stringify(openApiOf(plane)));
    return writtenDocument<Result>(bytes, gzipSync(bytes));
  });
