import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '@svc/contract/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { addErrorsPage } from './errors-page.ts';
import { openApiOf } from './openapi.ts';
import { addStatic } from './static-file.ts';

const folder = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

const ASSETS = [
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
] as const;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css"></head><body><div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', validatorUrl: null, tryItOutEnabled: true, filter: true, deepLinking: true });`;

/** The library draws for light screens only. */
const STYLE = `@media (prefers-color-scheme: dark) { html { background: #141414 } #page { filter: invert(.92) hue-rotate(180deg) } }`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The document at /openapi.json, and a page at /docs that reads it with nothing fetched from elsewhere. */
export const addOpenApi = (app: FastifyInstance, plane: Endpoint['plane']): void => {
  addStatic(app, '/openapi.json', { type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(openApiOf(plane))) });
  addStatic(app, '/docs', { type: 'text/html; charset=utf-8', bytes: Buffer.from(PAGE), policy: POLICY });
  addStatic(app, '/docs/start.js', { type: 'text/javascript', bytes: Buffer.from(START) });
  addStatic(app, '/docs/page.css', { type: 'text/css', bytes: Buffer.from(STYLE) });
  addErrorsPage(app);
  for (const [name, type] of ASSETS) addStatic(app, `/docs/${name}`, { type, bytes: readFileSync(path.join(folder, name)) });
};
