import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkParametersSchema, compileParameters } from './parameters-schema.ts';

const order = {
  type: 'object',
  properties: {
    amount: { type: 'integer', minimum: 0 },
    currency: { enum: ['EUR', 'USD'] },
    customer: { type: 'object', properties: { email: { type: 'string', format: 'email' } }, required: ['email'] },
    due: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 }, uniqueItems: true, maxItems: 3 },
    size: { oneOf: [{ type: 'integer' }, { minimum: 5 }] },
  },
  required: ['amount'],
  dependentRequired: { amount: ['currency'] },
  additionalProperties: false,
};

const getFaults = (schema: unknown, parameters: unknown): Record<string, string> => {
  assert.deepEqual(checkParametersSchema(schema), []);
  return Object.fromEntries(compileParameters(schema)(parameters).map(({ pointer, message }) => [pointer, message]));
};

test('accepts parameters that fit', () => {
  assert.deepEqual(
    getFaults(order, { amount: 5, currency: 'EUR', customer: { email: 'a@b.example' }, due: null, tags: ['a', 'b'], size: 1 }),
    {},
  );
  assert.deepEqual(getFaults({}, { anything: [1] }), {});
});

test('states the pointer and the correction of every fault', () => {
  assert.deepEqual(getFaults(order, { amount: -1.5, customer: {}, due: 5, tags: ['A', 'A', 'toolong', 1], size: 7, 'x/y': 1 }), {
    '/parameters/currency': 'is required together with "amount"',
    '/parameters/x~1y': 'is not a known parameter; must be one of "amount", "currency", "customer", "due", "tags", "size"',
    '/parameters/amount': 'must be a whole number, and must be at least 0',
    '/parameters/customer/email': 'is required',
    '/parameters/due': 'must be a string, or must be null',
    '/parameters/tags': 'must have at most 3 items, and must not contain duplicate items',
    '/parameters/tags/0': 'must match the pattern "^[a-z]+$"',
    '/parameters/tags/1': 'must match the pattern "^[a-z]+$"',
    '/parameters/tags/2': 'must have at most 5 characters',
    '/parameters/tags/3': 'must be a string',
    '/parameters/size': 'must match exactly one of the allowed schemas',
  });
  assert.deepEqual(getFaults(order, {}), { '/parameters/amount': 'is required' });
  assert.deepEqual(getFaults({ propertyNames: { maxLength: 2 } }, { abc: 1 }), { '/parameters/abc': 'has a name that is not allowed' });
  assert.deepEqual(getFaults({ if: { required: ['a'] }, else: { required: ['b'] } }, {}), { '/parameters/b': 'is required' });
  assert.deepEqual(getFaults({ properties: { a: false } }, { a: 1 }), { '/parameters/a': 'is not allowed' });
  assert.deepEqual(getFaults({ properties: { a: { prefixItems: [{}], items: false } } }, { a: [1, 2] }), {
    '/parameters/a': 'must have at most 1 items',
  });
});

test('repeats no value, which may be a secret', () => {
  const secret = 'hunter2-secret';
  const schema = {
    properties: { a: { type: 'integer' }, b: { const: 1 }, c: { enum: [1] }, d: { pattern: '^x' }, e: { format: 'date' }, f: { not: {} } },
  };
  const parameters = Object.fromEntries([...'abcdef'].map((name) => [name, secret]));
  const faults = compileParameters(schema)(parameters);
  assert.equal(faults.length, 6);
  assert.ok(!JSON.stringify(faults).includes('hunter2'));
});

test('lists at most twenty faults', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 1]));
  assert.equal(compileParameters({ additionalProperties: false })(many).length, 20);
  const schema = { properties: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, { nope: 1 }])) };
  assert.equal(checkParametersSchema(schema).length, 20);
});

test('rejects parameters that are no object, too deep, too large or unstorable before judging', () => {
  for (const parameters of [null, [], 'x', 5, undefined]) {
    assert.deepEqual(getFaults({}, parameters), { '/parameters': 'must be an object' });
  }
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
  assert.deepEqual(Object.values(getFaults({}, deep)), ['must not nest deeper than 32 levels']);
  assert.deepEqual(getFaults({}, { a: 'x'.repeat(66_000) }), { '/parameters': 'must be at most 65536 bytes of JSON' });
  assert.deepEqual(Object.keys(getFaults({}, { a: 'x\u0000' })), ['/parameters/a']);
});

test('rejects a malformed schema with a pointer', () => {
  const malformed: readonly (readonly [unknown, string])[] = [
    [null, ''],
    [true, ''],
    [[], ''],
    [{ type: 'objekt' }, '/type'],
    [{ type: 'string' }, '/type'],
    [{ properties: [] }, '/properties'],
    [{ properties: { a: { minLength: -1 } } }, '/properties/a/minLength'],
    [{ properties: { a: { minLength: '1' } } }, '/properties/a/minLength'],
    [{ properties: { a: 5 } }, '/properties/a'],
    [{ properties: { a: { items: 5 } } }, '/properties/a/items'],
    [{ required: ['a', 'a'] }, '/required'],
    [{ allOf: [] }, '/allOf'],
    [{ enum: 5 }, '/enum'],
    [{ patternProperties: { '(': {} } }, '/patternProperties/('],
    [{ properties: { a: { $ref: '#/$defs/b' } } }, '/properties/a/$ref'],
    [JSON.parse('{"properties":{"__proto__":{}}}'), '/properties'],
    [{ minContains: 2 }, ''],
    [{ description: 'x'.repeat(33_000) }, ''],
  ];
  for (const [schema, pointer] of malformed) {
    assert.deepEqual(
      checkParametersSchema(schema).map((fault) => fault.pointer),
      [pointer],
      JSON.stringify(schema)?.slice(0, 80),
    );
  }
});

test('rejects a schema nested to exhaust its parser', () => {
  const deep = JSON.parse(`${'{"properties":{"a":'.repeat(5000)}{}${'}}'.repeat(5000)}`);
  assert.match(checkParametersSchema(deep)[0]?.message ?? '', /deeper than 64/);
});

test('compiles an ordinary schema in milliseconds and the largest accepted one in well under a second', () => {
  const wide = (count: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string', minLength: 1, maxLength: 9 }]),
    ),
  });
  const timed = (schema: unknown): number => {
    assert.deepEqual(checkParametersSchema(schema), []);
    // Processor time, not wall-clock time, which other processes on the machine would lengthen.
    const start = process.cpuUsage();
    compileParameters(schema);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  timed(order);
  assert.ok(Math.min(...Array.from({ length: 5 }, () => timed(order))) < 20);
  assert.ok(timed(wide(255)) < 2_000);
  const chain = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`p${index}`, { properties: { a: { anyOf: [{ $ref: `#/$defs/p${(index + 1) % 60}` }] } } }]),
  );
  assert.ok(timed({ $ref: '#/$defs/p0', $defs: chain }) < 2_000);
});

test('judges white space, line ends, offsets, ports and fractions by the standards', () => {
  const cases: readonly (readonly [schema: Record<string, unknown>, value: unknown, isValid: boolean])[] = [
    [{ pattern: '^\\S+$' }, 'a\u00a0b', false],
    [{ pattern: '^[^\\s@]+@[^\\s@]+$' }, 'a\u2003b@c', false],
    [{ pattern: '^.*$' }, 'a\u2028b', false],
    [{ pattern: '^\\S+$' }, '\u{1f600}', true],
    [{ pattern: '^.$' }, '\u{1f600}', true],
    [{ propertyNames: { pattern: '^\\S+$' } }, { 'a\ufeffb': 1 }, false],
    [{ patternProperties: { '^\\s': false } }, { '\u2028': 1 }, false],
    [{ format: 'date-time' }, '1985-04-12T23:20:50+01', false],
    [{ format: 'uri' }, 'http://example.com:abc/path', false],
    [{ format: 'uuid' }, 'urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380', false],
    [{ multipleOf: 0.01 }, 19.99, true],
    [{ multipleOf: 0.5 }, 1e308, true],
  ];
  for (const [schema, value, isValid] of cases) {
    const judge = compileParameters({ type: 'object', properties: { value: schema } });
    assert.equal(judge({ value }).length === 0, isValid, JSON.stringify([schema, value]));
  }
});
