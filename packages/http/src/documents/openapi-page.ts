import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FastifyInstance } from 'fastify';
import { addErrorsPage } from './errors-page.ts';
import { escapeHtml } from './escape-html.ts';
import { openApiOf } from './openapi.ts';
import { PLANES } from './root-page.ts';
import { addStaticOnDemand } from './static-file.ts';

const folder = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const ASSETS = [
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
] as const;

const pageOf = (plane: Endpoint['plane'], otherUrl: string | undefined): string => {
  const { title, other } = PLANES[plane];
  const beside = otherUrl === undefined ? '' : `<a href="${escapeHtml(`${otherUrl}/docs`)}">${PLANES[other].title}</a>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}: API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css"></head><body>
<nav><a href="/">${title}</a>${beside}<a href="/openapi.json">openapi.json</a></nav><div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;
};

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', validatorUrl: null, tryItOutEnabled: true, filter: true, deepLinking: true });`;

/** The library draws for light screens only. */
const STYLE = `nav { max-width: 1460px; margin: 0 auto; padding: 12px 20px; font: 14px sans-serif } nav a { margin-right: 1.5em; color: #0b57d0 }
@media (prefers-color-scheme: dark) { html { background: #141414 } nav a { color: #8ab4f8 } #page { filter: invert(.92) hue-rotate(180deg) } }`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The document at /openapi.json, and a page at /docs that reads it with nothing fetched from elsewhere, and leads to the other plane's. */
export const addOpenApi = (app: FastifyInstance, plane: Endpoint['plane'], otherUrl: string | undefined): void => {
  const { cacheSeconds } = LIMITS.documents;
  const add = (url: string, type: string, make: () => Buffer | string, policy?: string): void =>
    addStaticOnDemand(app, url, () => ({ type, bytes: Buffer.from(make()), cacheSeconds, ...(policy === undefined ? {} : { policy }) }));
  add('/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(openApiOf(plane)));
  add('/docs', 'text/html; charset=utf-8', () => pageOf(plane, otherUrl), POLICY);
  addErrorsPage(app);
  add('/docs/start.js', 'text/javascript', () => START);
  add('/docs/page.css', 'text/css', () => STYLE);
  for (const [name, type] of ASSETS) add(`/docs/${name}`, type, () => readFileSync(path.join(folder, name)));
};
