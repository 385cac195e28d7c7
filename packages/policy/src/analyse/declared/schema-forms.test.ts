import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validateVersion } from '../../validate/validate-version.ts';
import { analyseVersion } from '../analyse-version.ts';
import type { AnalysedTool } from '../analysed-tool.ts';

const toolWith = (parameters_schema: object): AnalysedTool => ({
  name: 'pay',
  required_capability: 'pay',
  kind: 'SDK',
  risk_rating: 'LOW',
  dangerous: false,
  parameters_schema: parameters_schema as AnalysedTool['parameters_schema'],
  amount_from: null,
  currency_from: null,
  destination_from: null,
  execution: null,
});

type When = NonNullable<PolicyRule['when']>;
const PAY = { field: 'tool.name', op: 'eq', value: 'pay' } as const;
const ABOVE = { field: 'parameters.v', op: 'gt', value: 5 } as never;

/** Returns the kinds of bypass warnings for a condition, by name. */
const bypasses = (schema: object, condition: unknown = ABOVE): string[] => {
  const rules = [{ id: 'r', effect: 'BLOCK', reason: 'r', when: { all: [PAY, condition] } as When }] as PolicyRule[];
  const checked = validateVersion({ rules });
  assert.ok(checked.ok, JSON.stringify(checked));
  const { warnings, complete } = analyseVersion(checked.body, [toolWith(schema)]);
  assert.ok(complete);
  const found = warnings.filter(({ kind }) => kind === 'missing_field' || kind === 'mistyped_field');
  for (const { example } of found) {
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const { parameters = {} } = example as { parameters?: object };
    const filled = { ...(schema as { examples?: object[] }).examples?.[0], ...parameters };
    assert.ok(fits(filled), JSON.stringify({ parameters, errors: fits.errors }));
  }
  return found.map(({ kind }) => kind.replace('_field', '')).toSorted();
};

const number = { type: 'number' };
const string = { type: 'string' };
const object = (v: unknown, more: object = {}): object => ({ type: 'object', properties: { v }, required: ['v'], ...more });
const tree = { type: 'object', properties: { v: { anyOf: [number, { $ref: '#/$defs/tree' }] } }, required: ['v'] };

const FORMS: readonly (readonly [form: string, schema: object, expected: string[]])[] = [
  ['a number', object(number), []],
  ['a number that may be left out', { type: 'object', properties: { v: number } }, ['missing']],
  ['a list of types', object({ type: ['number', 'string'] }), ['mistyped']],
  ['a list of types with null', object({ type: ['number', 'null'] }), ['missing']],
  ['a nullable number by anyOf', object({ anyOf: [number, { type: 'null' }] }), ['missing']],
  ['anyOf of a number and a text', object({ anyOf: [number, string] }), ['mistyped']],
  ['oneOf of a number and a text', object({ oneOf: [number, string] }), ['mistyped']],
  [
    'oneOf of two kinds of number',
    object({
      oneOf: [
        { type: 'number', minimum: 10 },
        { type: 'number', maximum: 8 },
      ],
    }),
    [],
  ],
  ['oneOf that a text fits twice', object({ oneOf: [string, { type: ['string', 'number'] }] }), []],
  ['allOf that leaves a number', object({ allOf: [{ type: ['number', 'string'] }, number] }), []],
  [
    'allOf that leaves two types',
    object({ allOf: [{ type: ['number', 'string', 'boolean'] }, { type: ['number', 'string'] }] }),
    ['mistyped'],
  ],
  ['a reference to a number', { ...object({ $ref: '#/$defs/n' }), $defs: { n: number } }, []],
  ['a reference to anyOf', { ...object({ $ref: '#/$defs/n' }), $defs: { n: { anyOf: [number, string] } } }, ['mistyped']],
  [
    'a chain of references',
    { ...object({ $ref: '#/$defs/a' }), $defs: { a: { $ref: '#/$defs/b' }, b: { type: ['number', 'string'] } } },
    ['mistyped'],
  ],
  ['a reference with siblings', { ...object({ $ref: '#/$defs/n', type: 'number' }), $defs: { n: { type: ['number', 'string'] } } }, []],
  ['a recursive reference', { ...object({ anyOf: [number, { $ref: '#/$defs/tree' }] }), $defs: { tree } }, ['mistyped']],
  ['the whole by a reference', { $ref: '#/$defs/whole', $defs: { whole: object({ anyOf: [number, string] }) } }, ['mistyped']],
  ['a constant', object({ const: 7 }), []],
  ['an enumeration of two types', object({ enum: [7, '7'] }), ['mistyped']],
  ['an enumeration with null', object({ enum: [7, null] }), ['missing']],
  ['an enumeration within a type', object({ type: 'number', enum: [7, '7'] }), []],
  ['not a text', object({ type: ['number', 'string'], not: string }), []],
  ['not a short text', object({ type: ['number', 'string'], not: { type: 'string', maxLength: 3 } }), ['mistyped']],
  ['a text by a pattern', object({ anyOf: [number, { type: 'string', pattern: '^[0-9]{3,}$' }] }), ['mistyped']],
  ['a text by a format', object({ anyOf: [number, { type: 'string', format: 'uuid' }] }), ['mistyped']],
  ['a long text', object({ anyOf: [number, { type: 'string', minLength: 12 }] }), ['mistyped']],
  [
    'an object with members',
    object({ anyOf: [number, { type: 'object', properties: { minor: number }, required: ['minor'] }] }),
    ['mistyped'],
  ],
  ['a list with elements', object({ anyOf: [number, { type: 'array', items: number, minItems: 2 }] }), ['mistyped']],
  ['if a text then a long one', object({ type: ['number', 'string'], if: string, then: { minLength: 4 } }), ['mistyped']],
  ['if a text then nothing', object({ type: ['number', 'string'], if: string, then: false }), []],
  ['a boolean schema', object(true), ['missing', 'mistyped']],
  ['no schema for the member', { type: 'object', required: ['v'] }, ['missing', 'mistyped']],
  [
    'additional members of two types',
    { type: 'object', required: ['v'], additionalProperties: { type: ['number', 'string'] } },
    ['mistyped'],
  ],
  [
    'members by a pattern',
    { type: 'object', required: ['v'], patternProperties: { '^v$': { type: ['number', 'string'] } }, additionalProperties: false },
    ['mistyped'],
  ],
  [
    'members by a pattern that is another',
    { type: 'object', required: ['v'], properties: { v: number }, patternProperties: { '^w': string } },
    [],
  ],
  ['anyOf at the top', { type: 'object', anyOf: [object(number), object(string)] }, ['mistyped']],
  [
    'oneOf at the top by a kind',
    {
      type: 'object',
      oneOf: [
        object(number, { properties: { kind: { const: 'n' }, v: number }, required: ['kind', 'v'] }),
        object(string, { properties: { kind: { const: 's' }, v: string }, required: ['kind', 'v'] }),
      ],
      examples: [{ kind: 's' }],
    },
    ['mistyped'],
  ],
  [
    'allOf at the top',
    { type: 'object', allOf: [{ required: ['v'] }, { properties: { v: { type: ['number', 'string'] } } }] },
    ['mistyped'],
  ],
  ['allOf at the top that requires it', { type: 'object', properties: { v: number }, allOf: [{ required: ['v'] }] }, []],
  [
    'anyOf at the top that requires it in one',
    { type: 'object', properties: { v: number, w: number }, anyOf: [{ required: ['v'] }, { required: ['w'] }], examples: [{ w: 1 }] },
    ['missing'],
  ],
  ['not required at the top is forbidden', { type: 'object', properties: { v: number }, not: { not: { required: ['v'] } } }, []],
  [
    'if at the top',
    {
      type: 'object',
      properties: { v: { type: ['number', 'string'] }, text: { type: 'boolean' } },
      required: ['v', 'text'],
      if: { properties: { text: { const: true } } },
      else: { properties: { v: number } },
      examples: [{ text: true }],
    },
    ['mistyped'],
  ],
  [
    'a schema that depends on a member',
    {
      type: 'object',
      properties: { v: { type: ['number', 'string'] } },
      required: ['v'],
      dependentSchemas: { v: { properties: { v: number } } },
    },
    [],
  ],
  [
    'a schema that depends on another member',
    {
      type: 'object',
      properties: { v: { type: ['number', 'string'] }, w: number },
      required: ['v'],
      dependentSchemas: { w: { properties: { v: number } } },
    },
    ['mistyped'],
  ],
  [
    'a member that another one requires',
    { type: 'object', properties: { v: number, w: number }, dependentRequired: { w: ['v'] } },
    ['missing'],
  ],
  [
    'no members beyond those evaluated',
    { type: 'object', allOf: [{ properties: { v: { anyOf: [number, string] } } }], required: ['v'], unevaluatedProperties: false },
    ['mistyped'],
  ],
  ['at least one member', { type: 'object', properties: { v: number }, additionalProperties: false, minProperties: 1 }, []],
];

const DEEP: readonly (readonly [form: string, field: string, schema: object, expected: string[]])[] = [
  [
    'a member of a combined object',
    'parameters.a.v',
    object(undefined, { properties: { a: { anyOf: [object(number), object(string)] } }, required: ['a'] }),
    ['mistyped'],
  ],
  [
    'a member of an object that may be null',
    'parameters.a.v',
    { type: 'object', properties: { a: { anyOf: [object(number), { type: 'null' }] } }, required: ['a'], examples: [{ a: null }] },
    ['missing'],
  ],
  [
    'a member through a recursive reference',
    'parameters.v.v.v',
    { ...object({ $ref: '#/$defs/tree' }), $defs: { tree }, examples: [{ v: { v: 1 } }] },
    ['missing', 'mistyped'],
  ],
  [
    'elements of two types',
    'parameters.l.*',
    object(undefined, { properties: { l: { type: 'array', items: { anyOf: [number, string] } } }, required: ['l'] }),
    ['mistyped'],
  ],
  [
    'elements by a reference',
    'parameters.l.*.v',
    {
      type: 'object',
      properties: { l: { type: 'array', items: { $ref: '#/$defs/i' } } },
      required: ['l'],
      $defs: { i: object({ type: ['number', 'string'] }) },
    },
    ['mistyped'],
  ],
  [
    'elements of a nullable list',
    'parameters.l.*.v',
    {
      type: 'object',
      properties: { l: { anyOf: [{ type: 'array', items: { anyOf: [object(number), object(string)] } }, { type: 'null' }] } },
    },
    ['mistyped'],
  ],
];

describe('bypasses of a strict rule by the schema of a tool', () => {
  for (const [form, schema, expected] of FORMS) test(`reads ${form}`, () => assert.deepEqual(bypasses(schema), expected));
  for (const [form, field, schema, expected] of DEEP)
    test(`reads ${form}`, () =>
      assert.deepEqual(bypasses(schema, { field, op: 'gt', value: 5, ...(field.includes('*') ? { quantifier: 'any' } : {}) }), expected));
  test('reads a condition by a pattern', () => {
    const matches = { field: 'parameters.v', op: 'matches', value: '^drop' };
    assert.deepEqual(bypasses(object({ anyOf: [string, number] }), matches), ['mistyped']);
    assert.deepEqual(bypasses(object(string), matches), []);
  });
});
