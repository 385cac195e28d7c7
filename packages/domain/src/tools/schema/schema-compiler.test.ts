import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { compileSchema } from './schema-compiler.ts';

const fits = (schema: unknown, value: unknown): boolean => compileSchema(schema)(value) === null;

test('keeps names and texts that try to break out of generated code', () => {
  const names = [
    '"',
    "'",
    '`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is not meant to be one
    '${globalThis.broken=1}',
    '"];globalThis.broken=1;//',
    "'+(globalThis.broken=1)+'",
    '\n',
    '\u2028',
    '\\',
    '*/',
    '</script>',
    'constructor',
    'toString',
    'hasOwnProperty',
    'a/b~c',
    '😀',
    '',
  ];
  for (const name of names) {
    const schema = {
      properties: { [name]: { type: 'string', const: name } },
      required: [name],
      dependentRequired: { [name]: [name] },
      additionalProperties: false,
      description: name,
      patternProperties: { '^zz': { enum: [name] } },
      dependentSchemas: { [name]: { title: name } },
    };
    assert.equal(fits(schema, { [name]: name }), true, name);
    assert.equal(fits(schema, {}), false, name);
    assert.equal(fits(schema, { [name]: 1 }), false, name);
    assert.equal(fits(schema, { [name]: name, other: 1 }), false, name);
  }
  assert.equal('broken' in globalThis, false);
});

test('does not count inherited members as given', () => {
  assert.equal(fits({ required: ['constructor'] }, {}), false);
  assert.equal(fits({ properties: { toString: { type: 'string' } } }, {}), true);
});

test('keeps two patterns of one schema apart', () => {
  const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } }, patternProperties: { '^c': { type: 'null' } } };
  assert.equal(fits(schema, { a: 'a', b: 'b', c: null }), true);
  assert.equal(fits(schema, { a: 'b' }), false);
  assert.equal(fits(schema, { b: 'a' }), false);
  assert.equal(fits(schema, { c1: 1 }), false);
});

test('cannot see another schema, even with the same identifier', () => {
  const first = { $id: 'https://tenant.example/s', type: 'object', $defs: { a: { type: 'string' } } };
  compileSchema(first);
  assert.equal(fits({ ...first, $defs: { a: { type: 'number' } }, properties: { x: { $ref: '#/$defs/a' } } }, { x: 1 }), true);
  assert.throws(() => compileSchema({ properties: { x: { $ref: 'https://tenant.example/s#/$defs/a' } } }), /resolve/);
  assert.throws(() => compileSchema({ $ref: 'https://json-schema.org/draft/2020-12/schema' }), /resolve/);
});

test('changes nothing in the value', () => {
  const value = { a: '1' };
  fits({ properties: { a: { type: 'integer' }, b: { default: 5 } } }, value);
  assert.deepEqual(value, { a: '1' });
});

test("gives the results of the compiler's own keywords with the linear ones", () => {
  const own = new Ajv2020({ strict: false });
  // When it compares two objects, the compiler calls members of these names as functions; no body can be equal there.
  const called = /"(?:valueOf|toString|constructor|__proto__)":/;
  const item = fc
    .jsonValue({ maxDepth: 2 })
    .filter((json) => !called.test(JSON.stringify(json)))
    .map((json) => JSON.parse(JSON.stringify(json)));
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), fc.array(item, { minLength: 1, maxLength: 6 }), (value, allowed) => {
      const schema = { uniqueItems: true, items: { anyOf: [{ enum: allowed }, { type: 'number' }] } };
      assert.equal(fits(schema, value), own.validate(schema, value));
    }),
    { numRuns: 300 },
  );
  assert.equal(fits({ uniqueItems: false }, [1, 1]), true);
});

test('judges decimal multiples like people', () => {
  assert.equal(fits({ multipleOf: 0.01 }, 19.99), true);
  assert.equal(fits({ multipleOf: 0.01 }, 19.995), false);
  assert.equal(fits({ multipleOf: 0.123456789 }, 1e308), false);
});

const nest = (levels: number): unknown => (levels === 0 ? {} : { c: nest(levels - 1) });
const filled = (length: number, item: unknown): readonly unknown[] => Array.from({ length }, () => item);
const letters = (length: number): string =>
  Array.from({ length }, (_, index) => ((index * index + (index >> 3)) % 3 === 0 ? 'a' : 'b')).join('');

const hostile: readonly (readonly [why: string, schema: unknown, value: unknown])[] = [
  ['doubling at each level', { properties: { c: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }, nest(31)],
  ['doubling with findings', { properties: { c: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } }, required: ['z'] }, nest(31)],
  ['many findings', { properties: { a: { items: { required: filled(500, 0).map((_, i) => `p${i}`) } } } }, { a: filled(20_000, {}) }],
  ['a costly pattern', { properties: { a: { pattern: '(?:[ab]{1,50}a){1,19}[cd]' } } }, { a: letters(60_000) }],
  [
    'many patterns',
    { items: { allOf: filled(32, 0).map((_, i) => ({ pattern: `[ab]*a[ab]{${10 + i}}[cd]` })) } },
    filled(600, 0).map((_, i) => letters(100 + i)),
  ],
  ['many forms', { items: { anyOf: filled(200, 0).map((_, i) => ({ const: i })) } }, filled(12_000, 199)],
];

test('gives up soon for an adversarial value and schema', () => {
  for (const [why, schema, value] of hostile) {
    const judge = compileSchema(schema);
    const start = process.cpuUsage();
    assert.equal(judge(value), 'too costly', why);
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 8_000_000, `${why} took ${user + system} microseconds`);
    assert.notEqual(judge({}), 'too costly', why);
  }
});

test('judges a large ordinary value completely', () => {
  assert.equal(fits({ items: { type: 'integer', minimum: 0 } }, filled(32_000, 1)), true);
  assert.equal(
    fits(
      { uniqueItems: true },
      filled(8000, 0).map((_, i) => ({ i })),
    ),
    true,
  );
  assert.equal(fits({ pattern: '^[a-z ]+$' }, 'a'.repeat(65_000)), true);
  assert.equal(fits({ items: { enum: filled(2000, 0).map((_, i) => i) } }, filled(12_000, 1999)), true);
});
