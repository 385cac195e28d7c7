import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDeclaredProperty } from './declared-property.ts';

const schema = {
  properties: {
    order: { $ref: '#/$defs/order' },
    lines: { type: 'array', prefixItems: [{ type: 'null' }], items: { properties: { sku: { type: 'string' } } } },
    open: {},
    choice: { properties: { a: {} }, anyOf: [{ properties: { b: {} } }] },
    labels: { properties: {}, additionalProperties: { type: 'string' } },
    pattern: { properties: {}, patternProperties: { '^x': {} } },
  },
  $defs: { order: { properties: { total: { type: 'integer' }, again: { $ref: '#/$defs/order' } } }, loop: { $ref: '#/$defs/loop' } },
};
const find = (...tokens: readonly string[]) => findDeclaredProperty(schema, tokens);

test('finds a declared property through references, arrays and open-ended objects', () => {
  assert.deepEqual(find('order', 'total'), { schema: { type: 'integer' } });
  assert.deepEqual(find('order', 'again', 'again', 'total'), { schema: { type: 'integer' } });
  assert.deepEqual(find('lines', '0'), { schema: { type: 'null' } });
  assert.deepEqual(find('lines', '3', 'sku'), { schema: { type: 'string' } });
  assert.deepEqual(find('labels', 'anything'), { schema: { type: 'string' } });
});

test('returns undeclared if the schema lists properties and this is none of them', () => {
  assert.equal(find('nothing'), 'undeclared');
  assert.equal(find('order', 'totl'), 'undeclared');
  assert.equal(find('lines', '0', 'x'), 'open');
  assert.equal(find('lines', '1', 'x'), 'undeclared');
  assert.equal(find('constructor'), 'undeclared');
});

test('returns open if the schema does not list properties', () => {
  assert.equal(find('open', 'x'), 'open');
  assert.equal(find('choice', 'b'), 'open');
  assert.equal(find('pattern', 'x1'), 'open');
  assert.equal(findDeclaredProperty({}, ['x']), 'open');
  assert.deepEqual(findDeclaredProperty({ properties: { x: { $ref: '#/properties/x' } } }, ['x']), { schema: undefined });
});
