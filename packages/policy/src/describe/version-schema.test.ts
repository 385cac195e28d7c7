import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { OPERATORS } from '@svc/contract/policies/language.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FIELDS } from '../language/fields.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { buildVersionSchema } from './version-schema.ts';

const fits = new Ajv2020({ strict: false }).compile(buildVersionSchema());

const rule = (more: object = {}) => ({ id: 'a', effect: 'BLOCK', reason: 'r', ...more });
const withWhen = (when: unknown) => ({ rules: [rule({ when })] });
const agree = (body: unknown): void => {
  const checked = validateVersion(body);
  if (fits(body) !== checked.ok) assert.fail(`${JSON.stringify(body)} ${JSON.stringify(checked)} ${JSON.stringify(fits.errors)}`);
};

const VALUES: readonly unknown[] = [
  undefined,
  null,
  0,
  5,
  24,
  -1,
  1.5,
  true,
  '',
  'x',
  'EUR',
  'AGENT',
  'HIGH',
  'MON',
  '08:30',
  '22:00-06:00',
  '22:30-06:00',
  '2026-03-01',
  '203.0.113.7',
  '10.0.0.0/8',
  [],
  ['x'],
  ['MON', 'SUN'],
  ['10.0.0.0/8'],
  [1, 5],
  [1, 5, 6],
  ['2026-03-01', '2026-03-02'],
  ['08:30', '17:00'],
  {},
  'x'.repeat(2049),
];

test('schema and validation agree on every field with every operator and many values', () => {
  let valid = 0;
  for (const field of FIELDS.flatMap(({ name }) =>
    name === 'parameters.*' ? ['parameters.a', 'parameters.items.*.a'] : [name.replace('*', 'a.b')],
  )) {
    for (const op of OPERATORS) {
      for (const value of VALUES) {
        for (const quantifier of [undefined, 'any']) {
          const body = withWhen({
            field,
            op,
            ...(value === undefined ? {} : { value }),
            ...(quantifier === undefined ? {} : { quantifier }),
          });
          agree(body);
          if (fits(body)) valid += 1;
        }
      }
    }
  }
  assert.ok(valid > 300, `${valid} of them are valid`);
});

test('schema and validation agree on the names of fields', () => {
  const names = [
    'tool.nam',
    'parameters',
    'parameters.',
    'parameters.a..b',
    'parameters.a~b',
    'parameters.a~1b',
    'parameters.a*',
    'parameters.*.*',
  ];
  for (const field of [
    ...names,
    'agent.labels',
    'agent.labels.',
    'agent.labels.a*.~',
    '',
    '__proto__',
    'amount.x',
    `parameters.${'a.'.repeat(15)}a`,
  ])
    agree(withWhen({ field, op: 'exists' }));
  agree(withWhen({ field: `parameters.${'a.'.repeat(16)}a`, op: 'exists' }));
  agree(withWhen({ field: `parameters.${'a'.repeat(300)}`, op: 'exists' }));
});

test('schema and validation agree on groups and how deep they nest', () => {
  const field = { field: 'amount', op: 'gt', value: 1 };
  const nest = (depth: number): object => (depth === 0 ? field : { all: [nest(depth - 1)] });
  for (let depth = 0; depth <= 10; depth++) agree(withWhen(nest(depth)));
  for (const when of [
    {},
    [],
    null,
    { all: [] },
    { any: [field, {}] },
    { not: field },
    { not: [field] },
    { all: [field], any: [field] },
    { all: field },
  ])
    agree(withWhen(when));
});

test('schema and validation agree on effects and what they demand', () => {
  const demands = [
    {},
    { limit: { max_amount: 5 } },
    { limit: { max_calls: 5 } },
    { limit: { max_calls: 5, window_seconds: 60 } },
    { limit: { max_calls: 5, window_seconds: 60, per: 'root_principal' } },
    { limit: { max_calls: 5, window_seconds: 60, per: 'person' } },
    { limit: { max_amount: 5, per: 'agent' } },
    { limit: {} },
    { mask: { parameters: ['a'] } },
    { mask: {} },
    { approval: {} },
    { approval: { quorum: 0 } },
    { if_missing: 'match' },
    { if_missing: 'no' },
    { reason: ' ' },
    { id: 'no good' },
    { extra: 1 },
  ];
  for (const effect of ['ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK', 'DENY', 5])
    for (const demand of demands)
      for (const more of [{}, { limit: { max_amount: 1 } }, { mask: { result: ['b.*'] } }])
        agree({ rules: [rule({ effect, ...more, ...demand })] });
});

test('schema and validation agree on what a test gives', () => {
  const givens: readonly object[] = [
    { amount: 5, tool: { name: 'x' }, 'tool.kind': 'HTTP' },
    { agent: { labels: { a: 'b' }, 'labels.c': 'd', capabilities: ['x'] }, 'agent.labels.e.f': 'g' },
    { 'agent.labels': { a: 'b' } },
    { parameters: { a: [1] } },
    { 'parameters.a.b': [1] },
    { tool: 'x' },
    { tool: { nam: 'x' } },
    { amount: '5' },
    { agent: { labels: { a: 1 } } },
    { parameters: 5 },
    { 'parameters.a..b': 1 },
    { time: { hour: 24 } },
    { time: { hour: 3, clock: '03:00', weekday: 'SUN', date: '2026-03-29' }, request: { source_ip: '::1' }, approval: { present: true } },
  ];
  for (const given of givens) agree({ rules: [rule()], tests: [{ name: 't', given, then: { effect: 'BLOCK', rule: 'a' } }] });
});

test('schema and validation agree on what a test expects', () => {
  const expected = [
    { effect: 'BLOCK', rule: null },
    { effect: 'ALLOW', rule: null },
    { effect: 'ALLOW', rule: 'a' },
    { effect: 'ALLOW', rule: 5 },
    { rule: 'a' },
    {},
  ];
  for (const then of expected) agree({ rules: [rule()], tests: [{ name: 't', given: {}, then }] });
});

test('accepts every policy among the decision cases', () => {
  const folder = resolve(import.meta.dirname, '../../cases');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const { policies } = JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as { policies: { rules: unknown }[] };
    for (const { rules } of policies) assert.ok(fits({ rules }), `${name}: ${JSON.stringify(fits.errors)}`);
  }
});

test('is valid JSON', () => {
  const schema = buildVersionSchema();
  assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema);
});
