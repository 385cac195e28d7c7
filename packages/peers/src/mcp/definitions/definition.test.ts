import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDefinition } from './definition.ts';

const read = (value: unknown) => readDefinition(typeof value === 'string' ? value : JSON.stringify(value));
const schema = { type: 'object' };

test('reads the members that a definition is judged by', () => {
  const definition = {
    name: 'Get.User',
    title: 'Get a user',
    description: 'Gets a user.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    outputSchema: schema,
    annotations: { readOnlyHint: true, title: 'x' },
    execution: { taskSupport: 'forbidden' },
    _meta: { ui: {} },
  };
  assert.deepEqual(read({ ...definition, icons: [{ src: 'https://a.example/i.png' }], other: 1 }), definition);
  assert.deepEqual(read({ name: 'a', inputSchema: {} }), { name: 'a', inputSchema: {} });
});

/** Each: a definition, and the pointer of its fault. */
const UNFIT: Readonly<Record<string, readonly [value: unknown, pointer: string]>> = {
  'is not JSON': ['{"name":', ''],
  'is no object': [[], ''],
  'has no name': [{ inputSchema: schema }, '/name'],
  'has an empty name': [{ name: '', inputSchema: schema }, '/name'],
  'has a name of more than 128 characters': [{ name: 'a'.repeat(129), inputSchema: schema }, '/name'],
  'has a title that is no text': [{ name: 'a', title: 1, inputSchema: schema }, '/title'],
  'has a description of more than 16 KiB': [{ name: 'a', description: 'é'.repeat(8_193), inputSchema: schema }, '/description'],
  'has no schema': [{ name: 'a' }, '/inputSchema'],
  'has a schema that is no object': [{ name: 'a', inputSchema: true }, '/inputSchema'],
  'has a schema of more than 32 KiB': [{ name: 'a', inputSchema: { description: 'a'.repeat(32_768) } }, '/inputSchema'],
  'has an output schema of more than 32 KiB': [
    { name: 'a', inputSchema: schema, outputSchema: { x: 'a'.repeat(32_768) } },
    '/outputSchema',
  ],
  'has a hint that is no boolean': [
    { name: 'a', inputSchema: schema, annotations: { destructiveHint: 'false' } },
    '/annotations/destructiveHint',
  ],
  'has more than 256 KiB': [{ name: 'a', inputSchema: schema, icons: 'a'.repeat(262_144) }, ''],
  'holds U+0000': [{ name: 'a', description: 'a\u0000', inputSchema: schema }, '/description'],
  'holds half a surrogate pair': [{ name: 'a', description: '\ud800', inputSchema: schema }, '/description'],
  'states a member twice': ['{"name":"a","description":"good","inputSchema":{},"description":"bad"}', '/description'],
  'states a member twice in other letters': ['{"name":"a","inputSchema":{"a":[{"b":1,"\\u0062":2}]}}', '/inputSchema/a/0/b'],
  'holds a number that is infinite': ['{"name":"a","inputSchema":{"maximum":1e999}}', '/inputSchema/maximum'],
  'would set a prototype': ['{"name":"a","inputSchema":{"__proto__":{}}}', '/inputSchema'],
};

for (const [title, [value, pointer]] of Object.entries(UNFIT))
  test(`rejects a definition that ${title}`, () => {
    const fault = read(value);
    assert.ok('fault' in fault, 'read');
    assert.equal(fault.pointer, pointer, fault.fault);
    assert.match(fault.fault, /^must /);
  });

test('rejects a definition that nests too deep, however deep', () => {
  for (const depth of [65, 50_000]) {
    const deep = `{"name":"a","inputSchema":${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}}`;
    const fault = read(deep);
    assert.ok('fault' in fault, String(depth));
  }
});
