import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, jsonObject } from '../rows/schema.ts';
import { ERRORS_PAGE_PATH } from '../tables/errors.ts';
import { GUIDE_QUERY_CHARS, GUIDES_PATH } from '../tables/guides.ts';
import { LIMITS } from '../tables/limits.ts';

/** Builds the row of a document that is the same for everyone and built once. */
const document = <const Rest extends object>(rest: Rest) => ({
  area: 'service' as const,
  method: 'GET' as const,
  credential: 'none' as const,
  budget: 'address' as const,
  cacheSeconds: LIMITS.documents.cacheSeconds,
  emits: [] as const,
  ...rest,
});

const PAGE = { wire: 'page', result: Type.String({ description: 'An HTML page.' }), refuses: [] } as const;

const ROOT = {
  ...PAGE,
  path: '/',
  media: ['text/html', 'application/json'],
  summary: 'Describe this plane: a page for browsers, JSON for other clients.',
  assets: ['/root.css', '/favicon.svg', '/favicon.ico'],
} as const;

const DOCS = {
  ...PAGE,
  path: '/docs',
  summary: 'Get the API reference of this plane.',
  assets: ['/docs/start.js', '/docs/page.css', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'],
} as const;

const OPENAPI = {
  path: '/openapi.json',
  summary: 'Get the OpenAPI document of this plane.',
  wire: 'json',
  result: jsonObject('An OpenAPI 3.1 document.'),
  refuses: [],
} as const;

const CODES = {
  ...PAGE,
  path: ERRORS_PAGE_PATH,
  summary: 'Get the page of error codes, which the `docs_url` of each error links to.',
  assets: ['/docs/text.css'],
} as const;

const GUIDES = {
  ...PAGE,
  path: GUIDES_PATH,
  summary: 'Get the index of the guides, by reader, or search them.',
  query: closedObject({
    q: Type.Optional(Type.String({ maxLength: GUIDE_QUERY_CHARS, description: 'Words that a section of a guide contains.' })),
  }),
} as const;

const GUIDE = {
  ...PAGE,
  path: `${GUIDES_PATH}/{guideName}`,
  summary: 'Get one guide.',
  refuses: ['NOT_FOUND'],
} as const;

export const documentEndpoints = {
  controlRoot: defineEndpoint(document({ plane: 'control', ...ROOT })),
  controlDocs: defineEndpoint(document({ plane: 'control', ...DOCS })),
  controlOpenapi: defineEndpoint(document({ plane: 'control', ...OPENAPI })),
  controlErrorsPage: defineEndpoint(document({ plane: 'control', ...CODES })),
  controlGuides: defineEndpoint(document({ plane: 'control', ...GUIDES })),
  controlGuide: defineEndpoint(document({ plane: 'control', ...GUIDE })),
  gatewayRoot: defineEndpoint(document({ plane: 'gateway', ...ROOT })),
  gatewayDocs: defineEndpoint(document({ plane: 'gateway', ...DOCS })),
  gatewayOpenapi: defineEndpoint(document({ plane: 'gateway', ...OPENAPI })),
  gatewayErrorsPage: defineEndpoint(document({ plane: 'gateway', ...CODES })),
};
