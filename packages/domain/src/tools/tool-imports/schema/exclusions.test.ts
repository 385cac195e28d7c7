import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileParameters } from '../../schema/parameters-schema.ts';
import { fitSchema } from './fit-schema.ts';
import { newResolve } from './resolve-reference.ts';

const TEXT = { type: 'string' };
const LONG = { type: 'string', enum: Array.from({ length: 1_001 }, (_, n) => `v${n}`) };

const BOTH = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` }));

const fitted = (schema: object, schemas: object = {}) => {
  const found = fitSchema([{ name: 'it', schema, required: true, description: '' }], newResolve({ components: { schemas } }));
  assert.ok(!('refused' in found), JSON.stringify(found));
  const judge = compileParameters(found.schema);
  return { takes: (it: unknown): boolean => judge({ it }).length === 0, notes: found.notes.join(' ') };
};
const told = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });

test('makes incomplete alternatives non-exclusive', () => {
  const kind = (value: string) => told({ kind: { type: 'string', enum: [value], readOnly: true }, a: TEXT });
  const cases: readonly [string, readonly object[], unknown][] = [
    ['parts that are only read', [kind('a'), kind('b')], { a: 'x' }],
    [
      'patterns',
      [
        { type: 'string', pattern: '^(?=a)a' },
        { type: 'string', pattern: '^(?=b)b' },
      ],
      'a',
    ],
    ['long lists of values', [LONG, TEXT], 'v1'],
    ['conditions', [{ type: 'string', if: {}, then: false }, TEXT], 'x'],
  ];
  for (const [what, oneOf, value] of cases) {
    const { takes, notes } = fitted({ oneOf });
    assert.equal(takes(value), true, what);
    assert.match(notes, /conditions between its parameters are not checked/, what);
    const [A, B] = oneOf.map((x) => told({ x }));
    assert.equal(fitted({ oneOf: BOTH }, { A, B }).takes({ x: value }), true, `${what}, by reference`);
    const before = told({ a: BOTH[0], b: BOTH[1], c: { oneOf: BOTH } });
    assert.equal(fitted(before, { A, B }).takes({ c: { x: value } }), true, `${what}, of what is referred to before`);
    assert.equal(fitted({ oneOf, anyOf: [{ type: 'null' }] }).takes(value), false, `${what}, beside others`);
  }
});

test('drops an incomplete exclusion', () => {
  for (const not of [{ pattern: '^(?=a)a' }, LONG, told({ id: { readOnly: true } })])
    assert.equal(fitted({ type: 'string', not }).takes('x'), true);
  assert.equal(fitted({ not: { $ref: '#/components/schemas/A' } }, { A: { type: 'object', properties: { x: LONG } } }).takes({}), true);
});

test('keeps complete alternatives and exclusions next to incomplete ones', () => {
  const oneOf = [told({ a: TEXT }, ['a']), told({ b: TEXT }, ['b'])];
  const { takes } = fitted(told({ pick: { oneOf }, no: { not: { enum: ['x'] } }, id: { readOnly: true } }));
  assert.deepEqual(
    [takes({ pick: { a: '1' } }), takes({ pick: { a: '1', b: '2' } }), takes({ no: 'y' }), takes({ no: 'x' })],
    [true, false, true, false],
  );
  const referred = fitted({ oneOf: BOTH }, { A: oneOf[0], B: oneOf[1] });
  assert.deepEqual([referred.takes({ a: '1' }), referred.takes({ a: '1', b: '2' })], [true, false]);
});
