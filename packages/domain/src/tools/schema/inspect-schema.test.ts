import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectSchema } from './inspect-schema.ts';

const listPointers = (schema: unknown): readonly string[] => inspectSchema(schema).map(({ pointer }) => pointer);
const named = (count: number, make: (index: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make(index)]));

test('accepts a schema with local references, recursion into members and every supported keyword', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://tenant.example/order',
    title: 'Order',
    type: 'object',
    properties: { node: { $ref: '#/$defs/node' }, $ref: { type: 'string' }, root: { $ref: '#' } },
    patternProperties: { '^x-': true },
    $defs: { node: { properties: { next: { $ref: '#/$defs/node' }, 'a/b': { $ref: '#/$defs/node/properties/a~1b/not', not: {} } } } },
  };
  assert.deepEqual(listPointers(schema), []);
});

test('rejects a misspelt, outdated or remote keyword at its pointer', () => {
  const schema = {
    properties: { a: { maxLenght: 3 }, b: { nullable: true }, c: { $id: 'x' }, d: { $dynamicRef: '#x' }, e: { $anchor: 'x' } },
    definitions: {},
    $async: true,
    allOf: [{ constructor: 1 }],
  };
  assert.deepEqual(listPointers(schema), [
    '/properties/a/maxLenght',
    '/properties/b/nullable',
    '/properties/c/$id',
    '/properties/d/$dynamicRef',
    '/properties/e/$anchor',
    '/definitions',
    '/$async',
    '/allOf/0/constructor',
  ]);
  assert.deepEqual(listPointers({ $schema: 'http://json-schema.org/draft-07/schema#' }), ['/$schema']);
});

test('rejects a schema for which the compiler would misjudge evaluated properties', () => {
  const halves = { allOf: [{ if: {}, else: {} }], unevaluatedProperties: false };
  assert.deepEqual(listPointers(halves), ['/allOf/0/if']);
  assert.deepEqual(listPointers({ allOf: [{ if: {}, else: {} }] }), []);
  assert.deepEqual(listPointers({ properties: { a: { unevaluatedItems: false } } }), ['/properties/a/unevaluatedItems']);
});

test('rejects a reference that does not lead to a subschema of the same schema', () => {
  const targets = [
    'https://evil.example/x',
    'other.json',
    '#anchor',
    '#/$defs/none',
    '#/properties',
    '#/enum/0',
    '#/%24defs/a',
    '//x',
    '',
    '#/default',
  ];
  for (const $ref of targets) {
    const schema = { $defs: { a: {} }, enum: [{}], default: {}, properties: { x: { $ref } } };
    assert.deepEqual(listPointers(schema), ['/properties/x/$ref'], $ref);
  }
});

test('rejects references that lead back for the same value, since judging would never end', () => {
  assert.deepEqual(inspectSchema({ $ref: '#' }), [{ pointer: '/$ref', message: 'must not refer to itself for the same value' }]);
  assert.deepEqual(listPointers({ allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { anyOf: [{ not: { $ref: '#/$defs/a' } }] } } }), [
    '/allOf/0/$ref',
    '/$defs/a/anyOf/0/not/$ref',
  ]);
  assert.deepEqual(listPointers({ dependentSchemas: { a: { $ref: '#' } } }), ['/dependentSchemas/a/$ref']);
  assert.deepEqual(listPointers({ if: { $ref: '#' } }), ['/if/$ref']);
});

test('bounds the length of a chain of references', () => {
  const chain = (length: number) => ({
    $ref: '#/$defs/p0',
    $defs: named(length, (index) => (index === length - 1 ? {} : { $ref: `#/$defs/p${index + 1}` })),
  });
  assert.deepEqual(listPointers(chain(16)), []);
  assert.deepEqual(listPointers(chain(17)), ['/$ref']);
});

test('bounds the number of subschemas, references, patterns and required names', () => {
  assert.deepEqual(listPointers({ properties: named(255, () => ({})) }), []);
  assert.match(inspectSchema({ properties: named(256, () => ({})) })[0]?.message ?? '', /256 subschemas, not 257/);
  const referring = { $defs: named(65, () => ({})), properties: named(65, (index) => ({ $ref: `#/$defs/p${index}` })) };
  assert.match(inspectSchema(referring)[0]?.message ?? '', /64 different references/);
  const patterns = { patternProperties: named(20, () => ({})), allOf: Array.from({ length: 13 }, () => ({ pattern: 'a' })) };
  assert.match(inspectSchema(patterns)[0]?.message ?? '', /32 patterns, not 33/);
  const names = Array.from({ length: 300 }, (_, index) => `p${index}`);
  assert.match(inspectSchema({ required: names, dependentRequired: { a: names } })[0]?.message ?? '', /512 required names, not 600/);
});

test('rejects unsafe patterns and formats at their pointers', () => {
  const schema = {
    properties: { a: { pattern: '(?=x)' }, b: { format: 'url' }, c: { format: 'toString' } },
    patternProperties: { '(a)\\1': {} },
  };
  assert.deepEqual(listPointers(schema), [
    '/properties/a/pattern',
    '/properties/b/format',
    '/properties/c/format',
    '/patternProperties/(a)\\1',
  ]);
});
