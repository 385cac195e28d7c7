import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type Endpoint, listPermissions } from '@svc/contract/rows/endpoint.ts';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { PIPELINE } from '@svc/enforcement/pipeline.ts';
import { buildOpenApi } from './openapi.ts';
import { removeFlagU } from './openapi-schemas.ts';

type Operation = {
  readonly 'x-refuses': readonly ErrorCode[];
  readonly 'x-permissions'?: readonly string[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
};

const DOCUMENTS = { control: buildOpenApi('control'), gateway: buildOpenApi('gateway') };

const getOperation = ({ plane, path, method }: Endpoint): Operation =>
  (DOCUMENTS[plane].paths as Record<string, Record<string, Operation>>)[path]?.[method.toLowerCase()] as Operation;

const assertTold = (row: Endpoint, codes: readonly ErrorCode[]): void => {
  const { 'x-refuses': refuses, responses } = getOperation(row);
  for (const code of codes) {
    assert.ok(refuses.includes(code), `${row.path}: ${code}`);
    assert.ok(responses[String(ERRORS[code].status)]?.description.split(', ').includes(code), `${row.path}: ${code} at its status`);
  }
};

test('the document of an action lists every code of the pipeline, at its status', () => {
  assertTold(ENDPOINTS.act, [...PIPELINE.flatMap(({ refuses }): readonly ErrorCode[] => refuses), 'APPROVAL_REQUIRED']);
});

test('the document of every row lists each code that it refuses with, and each required permission', () => {
  for (const row of Object.values(ENDPOINTS) as Endpoint[]) {
    assertTold(row, row.refuses);
    assert.deepEqual(getOperation(row)['x-permissions'] ?? [], listPermissions(row), row.path);
  }
});

/** Returns every member of a document with this name, anywhere. */
const listMembers = (value: unknown, name: string): readonly Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { properties } = value as { readonly properties?: Readonly<Record<string, Record<string, unknown>>> };
  const own = properties?.[name];
  return [...(own ? [own] : []), ...Object.values(value).flatMap((each) => listMembers(each, name))];
};

test('secrets are marked as such, in bodies and in responses', () => {
  const getFormats = (row: Endpoint, name: string) => listMembers(getOperation(row), name).map(({ format }) => format);
  assert.deepEqual(getFormats(ENDPOINTS.login, 'password'), ['password']);
  assert.deepEqual(getFormats(ENDPOINTS.createApiKey, 'token'), ['password']);
  assert.deepEqual(getFormats(ENDPOINTS.createApiKey, 'name'), [undefined]);
  const [key, ...more] = listMembers(DOCUMENTS.control.components.schemas, 'private_key');
  assert.deepEqual([key?.format, key?.anyOf, more], ['password', [{ type: 'string' }, { type: 'null' }], []]);
});

/** Returns the pointers of members with this name. */
const listPlaces = (value: unknown, name: string, at = ''): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, each]) => [...(key === name ? [at] : []), ...listPlaces(each, name, `${at}/${key}`)]);

test('every reference resolves to a component of its document, and no schema is a separate document, in which it would be broken', () => {
  for (const document of Object.values(DOCUMENTS)) {
    assert.deepEqual(
      ['$id', '$anchor', '$defs'].flatMap((name) => listPlaces(document, name)),
      [],
    );
    const schemas: object = document.components.schemas;
    const referred = new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = '']) => to));
    assert.ok(referred.size > 10);
    for (const to of referred) assert.ok(Object.hasOwn(schemas, to.replace('#/components/schemas/', '')), to);
  }
});

type Described = Readonly<Record<string, unknown>> & { readonly responses: Readonly<Record<string, { readonly content?: object }>> };
const operations = Object.values(DOCUMENTS).flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, each]) => [`${method} ${at}`, each as Described] as const),
  ),
);

test('every operation has a description longer than its summary, and a successful response', () => {
  for (const [at, { description, summary, responses }] of operations) {
    assert.ok(String(description).startsWith(`${summary} `), at);
    assert.ok(
      Object.keys(responses).some((status) => /^[23]/.test(status)),
      at,
    );
  }
});

test('redirects and media types of responses that are not JSON are documented', () => {
  const mediaTypes = (row: Endpoint) => {
    const { responses } = getOperation(row) as unknown as Described;
    return Object.entries(responses).flatMap(([status, { content = {} }]) =>
      /^[23]/.test(status) ? [[status, ...Object.keys(content)]] : [],
    );
  };
  assert.deepEqual(mediaTypes(ENDPOINTS.startSso), [['303']]);
  assert.deepEqual(mediaTypes(ENDPOINTS.receiveSamlResponse), [['303']]);
  assert.deepEqual(mediaTypes(ENDPOINTS.ssoCallback), [['200', 'application/json'], ['303']]);
  assert.deepEqual(mediaTypes(ENDPOINTS.getSamlMetadata), [['200', 'application/samlmetadata+xml']]);
  assert.deepEqual(mediaTypes(ENDPOINTS.getAuditLogCheckpoint), [['200', 'text/plain']]);
  assert.deepEqual(mediaTypes(ENDPOINTS.exportAuditEvents), [['200', 'application/x-ndjson', 'text/csv']]);
});

/** Returns every pattern below a value, and every name that is one. */
const collectPatterns = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, each]) => [
        ...(key === 'pattern' && typeof each === 'string' ? [each] : []),
        ...(key === 'patternProperties' ? Object.keys(each as object) : []),
        ...collectPatterns(each),
      ]);

test('patterns are valid with and without the flag u, and accept what the contract accepts', () => {
  const patterns = new Set(Object.values(DOCUMENTS).flatMap(collectPatterns));
  assert.ok(patterns.size > 20);
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\[pP]\{|\\u\{/, 'needs the flag u');
    for (const flags of ['', 'u']) assert.doesNotThrow(() => new RegExp(pattern, flags), pattern);
  }
  const samples = ['Ada', 'ada@example.com', 'né@exämple.com', '😀 desk', 'a\u200b', 'tab\t', '', ' ', 'ligne\u2028', 'x@y', '日本語'];
  for (const row of Object.values(ENDPOINTS) as Endpoint[])
    for (const pattern of [row.body, row.query, row.result].flatMap(collectPatterns)) {
      const strict = new RegExp(pattern, 'u');
      for (const sample of samples.filter((text) => strict.test(text)))
        for (const flags of ['', 'u']) assert.match(sample, new RegExp(removeFlagU(pattern), flags), pattern);
    }
});
