import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDefinition, type ToolDefinition } from './definition.ts';
import { definitionPin, serverPin } from './pin.ts';

const base: ToolDefinition = {
  name: 'delete_item',
  title: 'Delete',
  description: 'Deletes an item.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, kind: { enum: ['a', 'b'] }, required: { default: { required: ['x', 'y'] } } },
    required: ['id', 'kind'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object' },
  annotations: { destructiveHint: true },
  execution: { taskSupport: 'forbidden' },
  _meta: { ui: { resourceUri: 'ui://a' }, other: 1 },
};
const pin = definitionPin(base);
const withSchema = (change: (schema: Record<string, unknown>) => Record<string, unknown>): ToolDefinition => ({
  ...base,
  inputSchema: change(structuredClone(base.inputSchema)),
});
const { description: _description, ...undescribed } = base;

const SAME: Readonly<Record<string, ToolDefinition>> = {
  'members in another order': Object.fromEntries(Object.entries(base).reverse()) as ToolDefinition,
  'required in another order': withSchema((schema) => ({ ...schema, required: ['kind', 'id'] })),
  'enum in another order': withSchema((schema) => ({
    ...schema,
    properties: { ...(schema.properties as object), kind: { enum: ['b', 'a'] } },
  })),
  'other meta data': { ...base, _meta: { ui: { resourceUri: 'ui://a' }, other: 2 } },
};

for (const [title, definition] of Object.entries(SAME))
  test(`a pin stays with ${title}`, () => assert.equal(definitionPin(definition), pin));

const CHANGED: Readonly<Record<string, ToolDefinition>> = {
  'one more sentence': { ...base, description: 'Deletes an item. Call it twice.' },
  'one invisible character': { ...base, description: 'Deletes an item.\u200b' },
  'no description': undescribed,
  'another title': { ...base, title: 'Remove' },
  'another name': { ...base, name: 'delete_items' },
  'additional properties': withSchema(({ additionalProperties: _closed, ...rest }) => rest),
  'one more optional parameter': withSchema((schema) => ({ ...schema, properties: { ...(schema.properties as object), note: {} } })),
  'a parameter no longer required': withSchema((schema) => ({ ...schema, required: ['id'] })),
  'a default whose data has another order': withSchema((schema) => ({
    ...schema,
    properties: { ...(schema.properties as object), required: { default: { required: ['y', 'x'] } } },
  })),
  'another output schema': { ...base, outputSchema: { type: 'object', description: 'x' } },
  'a hint turned': { ...base, annotations: { destructiveHint: false } },
  'another execution': { ...base, execution: { taskSupport: 'optional' } },
  'another page': { ...base, _meta: { ui: { resourceUri: 'ui://b' } } },
};

for (const [title, definition] of Object.entries(CHANGED))
  test(`a pin changes with ${title}`, () => assert.notEqual(definitionPin(definition), pin));

test('a pin is SHA-256 of canonical JSON, and stays with spaces, icons and the spelling of numbers', () => {
  assert.equal(
    definitionPin({ name: 'a', inputSchema: {} }),
    // printf '{"inputSchema":{},"name":"a"}' | sha256sum
    'bb2f1d131767ea25a891174b97d7c1c425f016c5d1ed61dbc7c29da6e7a9eb62',
  );
  const texts = ['{"name":"a","inputSchema":{"maximum":100}}', '{ "inputSchema":{"maximum":1e2},\n"icons":[],"name":"\\u0061" }'];
  const pins = texts.map((text) => {
    const read = readDefinition(text);
    assert.ok(!('fault' in read));
    return definitionPin(read);
  });
  assert.equal(pins[0], pins[1]);
});

test('the pin of a server changes with its instructions, capabilities and name', () => {
  const server = { instructions: 'Use metric units.', capabilities: { tools: {} }, name: 'weather' };
  assert.equal(serverPin({ ...server, capabilities: { tools: {} } }), serverPin(server));
  for (const change of [{ instructions: null }, { instructions: 'x' }, { capabilities: {} }, { name: 'other' }])
    assert.notEqual(serverPin({ ...server, ...change }), serverPin(server));
});
