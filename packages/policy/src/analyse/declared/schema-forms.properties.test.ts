import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { analyseVersion } from '../analyse-version.ts';
import type { AnalysedTool } from '../analysed-tool.ts';
import { openEngine } from '../example-request.ts';
import { evaluateSchema } from './evaluate-schema.ts';
import { inlineReferences } from './inline-references.ts';

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const leaf = one<unknown>(
  true,
  false,
  {},
  { type: 'number' },
  { type: 'string' },
  { type: ['number', 'string'] },
  { type: ['integer', 'null'] },
  { type: 'boolean' },
  { type: 'number', minimum: 3, maximum: 9 },
  { type: 'string', pattern: '^[0-9]+$' },
  { type: 'string', minLength: 3 },
  { const: 7 },
  { enum: [7, '7', null] },
  { type: 'array', items: { type: 'number' } },
  { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1 },
  { type: 'object', properties: { w: { type: 'number' } }, required: ['w'] },
  { $ref: '#/$defs/n' },
  { $ref: '#/$defs/t' },
);
const combined = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const several = fc.array(inner, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    inner,
    several.map((anyOf) => ({ anyOf })),
    several.map((oneOf) => ({ oneOf })),
    several.map((allOf) => ({ allOf })),
    inner.map((not) => ({ not })),
    fc.tuple(inner, inner, inner).map(([condition, held, otherwise]) => ({ if: condition, then: held, else: otherwise })),
    fc.tuple(one('number', 'string'), inner).map(([type, part]) => ({ type: [type, 'boolean'], allOf: [part] })),
  );
};
const values = combined(combined(leaf));
const wholes: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: values.map((v) => ({ properties: { v } })) },
  {
    weight: 1,
    arbitrary: fc.array(values, { minLength: 2, maxLength: 2 }).map((each) => ({ anyOf: each.map((v) => ({ properties: { v } })) })),
  },
  { weight: 1, arbitrary: values.map((v) => ({ additionalProperties: v })) },
  { weight: 1, arbitrary: fc.tuple(values, values).map(([v, w]) => ({ properties: { v }, patternProperties: { '^v': w } })) },
);
const schemas = fc.tuple(wholes, fc.boolean()).map(([whole, isRequired]) => ({
  type: 'object',
  ...whole,
  ...(isRequired ? { required: ['v'] } : {}),
  $defs: { n: { type: 'number' }, t: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] } },
}));

/** Values that a request may contain; the analysis may find others. */
const POOL = [
  0,
  1,
  3,
  4,
  5.5,
  7,
  8,
  9,
  10,
  -1,
  '',
  'a',
  'text',
  '7',
  '9',
  '123',
  'longer',
  true,
  false,
  null,
  [],
  [1],
  ['a'],
  ['a', 1],
  {},
  { w: 1 },
  { w: 'a' },
];
const PARAMETERS: readonly { readonly v?: unknown }[] = [{}, ...POOL.map((v) => ({ v }))];

const conditions = one<FieldCondition>(
  { field: 'parameters.v', op: 'gt', value: 3 },
  { field: 'parameters.v', op: 'lte', value: 8 },
  { field: 'parameters.v', op: 'eq', value: 7 },
  { field: 'parameters.v', op: 'in', value: ['7', 'a', 'text'] },
  { field: 'parameters.v', op: 'starts_with', value: '7' },
  { field: 'parameters.v', op: 'matches', value: '^[0-9a]' },
  { field: 'parameters.v', op: 'is_true' },
);

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

/** Fits only values that fit two parts of a forbidden `oneOf`: texts of three characters, and objects with a number `w`. */
const NEGATED_ALTERNATIVES = {
  type: 'object',
  additionalProperties: {
    not: {
      oneOf: [{ type: 'string', minLength: 3 }, true, { type: 'object', properties: { w: { type: 'number' } }, required: ['w'] }],
    },
  },
  $defs: { n: { type: 'number' }, t: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] } },
};

test('reports a value that fits the schema and has another type than the rule compares with', () => {
  let reported = 0;
  fc.assert(
    fc.property(schemas, conditions, (schema, when) => {
      const rule: PolicyRule = { id: 'r', effect: 'BLOCK', reason: 'r', when };
      const fits = new Ajv2020({ strict: false }).compile(schema);
      const engine = openEngine();
      const outcomes = PARAMETERS.filter((parameters) => fits(parameters)).map((parameters) => ({
        parameters,
        outcome: engine(rule, { 'tool.name': 'pay', parameters }),
      }));
      const { warnings, complete } = analyseVersion({ rules: [rule], tests: [] }, [toolWith(schema)]);
      assert.ok(complete);
      const kinds = new Set(warnings.map(({ kind }) => kind));
      for (const { kind, example } of warnings) {
        if (kind !== 'mistyped_field' && kind !== 'missing_field') continue;
        const { parameters = {} } = example as { parameters?: object };
        assert.ok(fits(parameters), `reported, and does not fit: ${JSON.stringify({ schema, parameters })}`);
      }
      // A rule that no value matches is not bypassed.
      if (!outcomes.some(({ outcome }) => outcome === 'matched')) return;
      for (const { parameters, outcome } of outcomes) {
        if (outcome !== 'unknown') continue;
        const isMissing = parameters.v === undefined || parameters.v === null;
        const kind = isMissing ? 'missing_field' : 'mistyped_field';
        reported += 1;
        assert.ok(kinds.has(kind), `not reported: ${JSON.stringify({ schema, when, parameters, kind })}`);
      }
    }),
    {
      numRuns: countRepetitions({ short: 400, long: 4_000 }),
      seed: getSeed(7),
      examples: [[NEGATED_ALTERNATIVES, { field: 'parameters.v', op: 'matches', value: '^[0-9a]' }]],
    },
  );
  assert.ok(reported > 100, `${reported} bypasses were tried`);
});

test('evaluates a schema like the service, or not at all', () => {
  let decided = 0;
  let asked = 0;
  fc.assert(
    fc.property(schemas, (schema) => {
      const fits = new Ajv2020({ strict: false }).compile(schema);
      const inlined = inlineReferences(schema);
      for (const parameters of PARAMETERS) {
        const verdict = evaluateSchema(inlined, parameters);
        asked += 1;
        if (verdict === undefined) continue;
        decided += 1;
        assert.equal(verdict, fits(parameters), JSON.stringify({ schema, parameters }));
      }
    }),
    { numRuns: countRepetitions({ short: 400, long: 4_000 }), seed: getSeed(9) },
  );
  assert.ok(decided > asked * 0.9, `${decided} of ${asked}`);
});
