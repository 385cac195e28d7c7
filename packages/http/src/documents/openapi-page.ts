import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { GUIDES_PATH } from '@svc/contract/tables/guides.ts';
import { type SerializedResult, serializeDocument } from '../answers/written.ts';
import { escapeHtml } from '../wires/page/escape-html.ts';
import { ICON_LINK } from '../wires/page/icon-link.ts';
import { HTML_TYPE, type StaticPage } from '../wires/page.ts';
import { compress } from './compress.ts';
import { memoizeFirst } from './once.ts';
import { buildOpenApi } from './openapi.ts';
import { PLANES } from './root-page.ts';

const folder = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const getPage = (plane: Endpoint['plane'], otherUrl: string | undefined): string => {
  const { title, other } = PLANES[plane];
  const beside = otherUrl === undefined ? '' : `<a href="${escapeHtml(`${otherUrl}/docs`)}">${PLANES[other].title}</a>`;
  const origin = plane === 'control' ? '' : otherUrl;
  const guides = origin === undefined ? '' : `<a href="${escapeHtml(`${origin}${GUIDES_PATH}`)}">Guides</a>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}: API</title>
${ICON_LINK}<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css"></head><body>
<nav aria-label="Documentation"><a href="/">${title}</a>${beside}${guides}<a href="/docs/errors">Error codes</a><a href="/openapi.json">openapi.json</a></nav><div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;
};

/**
 * Starts the library. Its own dark colours are chosen by a class. The links inside its buttons become text, and controls without names get
 * some, since the library draws them when it likes.
 */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
setColours();
dark.addEventListener('change', setColours);
const NAMES = { '.operation-filter-input': 'Filter by tag or path', '#servers': 'Server', '.download-url-input': 'Document',
  '.opblock-body select.content-type': 'Media type', '.body-param__text': 'Request body', '.opblock-body .parameters input': 'Value' };
const nameControls = () => {
  for (const [selector, name] of Object.entries(NAMES))
    for (const control of document.querySelectorAll(selector)) {
      const row = control.closest('tr[data-param-name]');
      if (!control.hasAttribute('aria-label')) control.setAttribute('aria-label', row?.dataset.paramName ?? name);
    }
  for (const block of document.querySelectorAll('.microlight, .opblock-body pre')) block.tabIndex = 0;
};
new MutationObserver(nameControls).observe(document.querySelector('#page'), { childList: true, subtree: true });
const plainPaths = ({ React }) => ({ wrapComponents: { DeepLink: () => ({ text }) => React.createElement('span', null, text) } });
SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', validatorUrl: null, tryItOutEnabled: true, filter: true, deepLinking: true, syntaxHighlight: false, plugins: [plainPaths] });`;

/** Colours of enough contrast on the surfaces of the library, which has its own dark theme, and targets that are large enough to press. */
const STYLE = `html { color-scheme: light; background: #fff } html.dark-mode { color-scheme: dark; background: #1c2022 }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; max-width: 1460px; margin: 0 auto; padding: 12px 20px; font: 14px/24px sans-serif }
nav a { color: #0b57d0; min-width: 24px } .dark-mode nav a { color: #8ab4f8 }
.swagger-ui .opblock-control-arrow { display: none }
.swagger-ui .info .title small { background: #5c6370 } .swagger-ui .info .title small.version-stamp { background: #3f6500 }
html:not(.dark-mode) .swagger-ui :is(.info a, .info .url, a.link, .info .base-url) { color: #0b57d0 }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #1d6b45; border-color: #1d6b45 }
html:not(.dark-mode) .swagger-ui .btn.cancel { color: #b42318; border-color: #b42318 } .dark-mode .swagger-ui .btn.cancel { color: #ff9a92; border-color: #ff9a92 }
.swagger-ui .btn.execute { background: #1864ab; border-color: #1864ab; color: #fff }
html:not(.dark-mode) .swagger-ui :is(.parameter__in, .parameter__extension, .prop-format, .response-col_links, .json-schema-2020-12-expand-deep-button, .json-schema-2020-12__attribute) { color: #4a4f57 }
.swagger-ui .opblock .opblock-summary-method { text-shadow: none }
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method { background: #1864ab }
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method { background: #1f7a4d }
html:not(.dark-mode) .swagger-ui .opblock-put .opblock-summary-method { background: #8a5000 }
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method { background: #0b6e66 }
html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method { background: #b42318 }`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

type DocsAsset = (typeof ENDPOINTS)['controlDocs' | 'gatewayDocs']['assets'][number];

/** A file of the library, with its compressed forms. */
const getFile = (name: string): Pick<StaticPage, 'bytes' | 'compressed'> => {
  const bytes = readFileSync(path.join(folder, name));
  return { bytes, compressed: compress(bytes) };
};
const STYLE_TYPE = 'text/css; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Built on first request and cached: a plane whose documents are never read holds none of them. */
const ASSETS: Readonly<Record<DocsAsset, () => StaticPage>> = {
  '/docs/start.js': memoizeFirst(() => ({ type: SCRIPT_TYPE, bytes: Buffer.from(START) })),
  '/docs/page.css': memoizeFirst(() => ({ type: STYLE_TYPE, bytes: Buffer.from(STYLE) })),
  '/docs/swagger-ui.css': memoizeFirst(() => ({ type: STYLE_TYPE, ...getFile('swagger-ui.css') })),
  '/docs/swagger-ui-bundle.js': memoizeFirst(() => ({ type: SCRIPT_TYPE, ...getFile('swagger-ui-bundle.js') })),
};

/** Creates a page that shows /openapi.json, loads nothing from elsewhere, and links to the other plane's. */
export const newDocsPage = (plane: Endpoint['plane']): ((asset: DocsAsset | undefined, otherUrl: string | undefined) => StaticPage) => {
  const pageAt = memoizeFirst((otherUrl: string | undefined): StaticPage => {
    const bytes = Buffer.from(getPage(plane, otherUrl));
    return { type: HTML_TYPE, bytes, compressed: compress(bytes), policy: POLICY };
  });
  return (asset, otherUrl) => (asset === undefined ? pageAt(otherUrl) : ASSETS[asset]());
};

/** Returns the document of a plane, plain and compressed, built on first request. */
export const newOpenapiDocument = <Result>(plane: Endpoint['plane']): (() => SerializedResult<Result>) =>
  memoizeFirst(() => {
    const bytes = Buffer.from(JSON.stringify(buildOpenApi(plane)));
    return serializeDocument<Result>(bytes, compress(bytes));
  });
