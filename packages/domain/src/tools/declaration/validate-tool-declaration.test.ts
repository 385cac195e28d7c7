import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JudgedDeclaration, validateToolDeclaration } from './validate-tool-declaration.ts';

const refund: JudgedDeclaration = {
  kind: 'HTTP',
  destination_allowlist: ['api.example.com'],
  parameters_schema: {
    type: 'object',
    properties: { id: { type: 'string' }, total: { type: 'integer' }, currency: { type: 'string' }, note: { type: ['string', 'null'] } },
    additionalProperties: false,
  },
  amount_from: '/total',
  currency_from: '/currency',
  execution: { method: 'POST', url: 'https://api.example.com/v1/orders/{id}/refunds', body: { amount: '{total}', note: 'by {note}' } },
};
const listPointers = (change: Partial<JudgedDeclaration>): readonly string[] =>
  validateToolDeclaration({ ...refund, ...change }).map(({ pointer }) => pointer);
const execute = (change: Partial<NonNullable<JudgedDeclaration['execution']>>): Partial<JudgedDeclaration> => ({
  execution: { method: 'POST', url: 'https://api.example.com/v1', ...change },
});

test('accepts a consistent declaration', () => {
  assert.deepEqual(listPointers({}), []);
  assert.deepEqual(validateToolDeclaration({ kind: 'SDK' }), []);
  assert.deepEqual(validateToolDeclaration({ kind: 'MCP', destination_allowlist: ['*.example.com:8443'] }), []);
});

test('requires an execution for an HTTP tool, and only there', () => {
  const { execution: _none, ...without } = refund;
  assert.deepEqual(
    validateToolDeclaration(without).map(({ pointer }) => pointer),
    ['/execution'],
  );
  for (const kind of ['SDK', 'MCP'] as const) assert.deepEqual(listPointers({ kind }), ['/execution']);
});

test('names each unreadable allowlist entry', () => {
  assert.deepEqual(listPointers({ destination_allowlist: ['api.example.com', '*', 'https://x.example'] }), [
    '/destination_allowlist/1',
    '/destination_allowlist/2',
  ]);
});

test('rejects a URL outside the allowlist at the declaration', () => {
  assert.deepEqual(listPointers({ destination_allowlist: [] }), ['/execution/url']);
  assert.deepEqual(listPointers({ destination_allowlist: ['*.api.example.com'] }), ['/execution/url']);
  assert.deepEqual(listPointers(execute({ url: 'https://api.example.com:8443/v1' })), ['/execution/url']);
  assert.deepEqual(listPointers(execute({ url: 'http://api.example.com/v1' })), []);
  assert.deepEqual(listPointers(execute({ url: 'https://{id}/v1' })), []);
});

test('requires pointers of amount, currency and destination to lead to a declared parameter of a fitting type', () => {
  assert.deepEqual(listPointers({ amount_from: 'total' }), ['/amount_from']);
  assert.deepEqual(listPointers({ amount_from: '' }), ['/amount_from']);
  assert.deepEqual(listPointers({ amount_from: '/totl' }), ['/amount_from']);
  assert.deepEqual(listPointers({ amount_from: '/id', currency_from: '/total', destination_from: '/total' }), [
    '/amount_from',
    '/currency_from',
    '/destination_from',
  ]);
  assert.deepEqual(listPointers({ destination_from: '/note' }), []);
  assert.deepEqual(listPointers({ amount_from: '/total/cents' }), []);
});

test('requires a declared parameter for a reduction', () => {
  assert.deepEqual(listPointers({ narrowable: ['/total', '/note'] }), []);
  assert.deepEqual(listPointers({ narrowable: ['/total', '/totl', '', 'id'] }), ['/narrowable/1', '/narrowable/2', '/narrowable/3']);
});

test('accepts only declared parameters in an execution', () => {
  assert.deepEqual(listPointers(execute({ url: 'https://api.example.com/{order}' })), ['/execution/url']);
  assert.deepEqual(listPointers(execute({ headers: { 'x-a': '{nope}' }, query: { q: '{nope}' }, body: ['{nope}'] })), [
    '/execution/headers/x-a',
    '/execution/query/q',
    '/execution/body',
  ]);
  assert.deepEqual(listPointers({ ...execute({ url: 'https://api.example.com/{order}' }), parameters_schema: {}, amount_from: '/x' }), []);
});

test('names faults of schema and execution by their pointers', () => {
  assert.deepEqual(listPointers({ parameters_schema: { properties: { a: { pattern: '(?=x)' } } } }), [
    '/parameters_schema/properties/a/pattern',
  ]);
  assert.deepEqual(listPointers(execute({ url: 'ftp://x', headers: { Host: 'x' } })), ['/execution/url', '/execution/headers/Host']);
});
