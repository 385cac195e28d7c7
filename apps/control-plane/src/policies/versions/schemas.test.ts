import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { checkVersion } from '@svc/testing/builder-check/check-version.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Row = {
  readonly name: string;
  readonly operators: string[];
  readonly type: string;
  readonly example: unknown;
  readonly family: string | null;
};
type Builder = { readonly fields: Row[]; readonly operators: { name: string }[]; readonly left_to_the_service: { name: string }[] };

const s = createScene();
let builder: Builder;
let fits: ValidateFunction;
s.before(async () => {
  builder = (await get('/v1/policies/builder-schema')).json;
  fits = new Ajv2020({ strict: false }).compile((await get('/v1/policies/schema')).json);
});

const get = (path: string): Promise<TestResponse> => call(s.planes.controlUrl, 'GET', path, { token: s.tenant.token });
let made = 0;
/** Returns the pointers of the faults that the server finds; empty if it saves the version. */
const askServer = async (body: object): Promise<{ pointer: string; message: string }[]> => {
  made += 1;
  const answer = await call(s.planes.controlUrl, 'POST', '/v1/policies', { token: s.tenant.token, body: { name: `p${made}`, ...body } });
  if (answer.status === 201) return [];
  assert.equal(answer.json.error.code, 'INVALID_POLICY', answer.text.slice(0, 300));
  return answer.json.error.details.faults;
};

/** Messages of faults that the schema leaves to the service. */
const LEFT = [
  /syntax of RE2|a pattern is not empty|steps/i,
  /no network|behind|ends? in|bits|mean|host part|::ffff|IPv4/i,
  /IPv4 address in dotted decimal/,
  /date in the form/,
  /00:00-24:00/,
  /U\+0000|surrogate|nested/,
];
const isLeft = (message: string): boolean => LEFT.some((sentence) => sentence.test(message));

const rule = (more: object = {}) => ({ id: 'a', effect: 'BLOCK', reason: 'r', ...more });
const withWhen = (when: unknown) => ({ rules: [rule({ when })] });
const withTest = (more: object) => ({ rules: [rule()], tests: [{ name: 't', given: {}, then: { effect: 'BLOCK' }, ...more }] });
const nest = (depth: number): object => (depth === 0 ? { field: 'amount', op: 'gt', value: 1 } : { not: nest(depth - 1) });
const many = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index));

const BODIES: readonly object[] = [
  { rules: [rule()] },
  { rules: [] },
  { rules: [rule(), rule()] },
  { rules: many(201, (index) => rule({ id: `r${index}` })) },
  { rules: [7] },
  { rules: [rule({ extra: 1 })] },
  { rules: [rule({ id: '' })] },
  { rules: [rule({ id: '-x' })] },
  { rules: [rule({ reason: '' })] },
  { rules: [rule({ reason: ' ' })] },
  { rules: [rule({ reason: 'x'.repeat(501) })] },
  { rules: [rule({ description: 'x'.repeat(2001) })] },
  { rules: [rule({ description: '' })] },
  { rules: [rule({ effect: 'DENY' })] },
  { rules: [rule({ if_missing: 'match' })] },
  { rules: [rule({ if_missing: 'no' })] },
  { rules: [rule({ effect: 'ALLOW', if_missing: 'match' })] },
  { rules: [{ id: 'a', effect: 'BLOCK' }] },
  ...[
    {},
    { mask: {} },
    { mask: { parameters: [] } },
    { mask: { parameters: ['a.*'] } },
    { mask: { result: ['a..b'] } },
    { mask: { result: [5] } },
    { mask: { result: ['a'], both: 1 } },
  ].map((more) => ({ rules: [rule({ effect: 'MASK', ...more })] })),
  ...[
    {},
    { limit: {} },
    { limit: { max_amount: 5 } },
    { limit: { max_calls: 5 } },
    { limit: { max_calls: 5, window_seconds: 60 } },
    { limit: { max_calls: 0, window_seconds: 60 } },
    { limit: { window_seconds: 60 } },
    { limit: { max_amount: 1.5 } },
    { limit: { max_amount: -1 } },
  ].map((more) => ({ rules: [rule({ effect: 'LIMIT', ...more })] })),
  ...[
    {},
    { approval: {} },
    { approval: { quorum: 2, approver_role: 'approver', expires_in_seconds: 60, step_up: true } },
    { approval: { quorum: 11 } },
    { approval: { approver_role: '' } },
    { approval: { expires_in_seconds: 59 } },
    { approval: { step_up: 'yes' } },
    { approval: { people: 2 } },
    { approval: 5 },
    { limit: { max_amount: 1 } },
  ].map((more) => ({ rules: [rule({ effect: 'REQUIRE_APPROVAL', ...more })] })),
  ...many(11, (depth) => withWhen(nest(depth))),
  ...[
    {},
    [],
    null,
    5,
    { all: [] },
    { any: [nest(0), {}] },
    { not: [nest(0)] },
    { all: nest(0) },
    { all: [nest(0)], any: [nest(0)] },
    { all: [nest(0)], field: 'amount' },
    { field: 'amount' },
    { op: 'gt', value: 1 },
    { field: 5, op: 'gt', value: 1 },
    { field: 'amount', op: 'above', value: 1 },
    { field: 'amonut', op: 'gt', value: 1 },
    { field: 'amount', op: 'gt', value: 1, unit: 'EUR' },
    { field: 'amount', op: 'gt', value: 1, quantifier: 'any' },
    { field: 'parameters.a.*', op: 'neq', value: 1 },
    { field: 'parameters.a.*', op: 'neq', value: 1, quantifier: 'all' },
    { field: 'parameters.a.*', op: 'neq', value: 1, quantifier: 'some' },
    { field: 'parameters', op: 'exists' },
    { field: 'parameters.', op: 'exists' },
    { field: 'parameters.a..b', op: 'exists' },
    { field: 'parameters.a~b', op: 'exists' },
    { field: 'parameters.a~1b', op: 'exists' },
    { field: 'parameters.a*', op: 'exists' },
    { field: `parameters.${'a.'.repeat(16)}a`, op: 'exists' },
    { field: `parameters.${'a'.repeat(300)}`, op: 'exists' },
    { field: 'agent.labels.', op: 'exists' },
    { field: 'agent.labels.a.b*~', op: 'exists' },
    { field: 'agent.labels', op: 'exists' },
    ...[
      { of: 'parameters.a.*', meets: { field: 'parameters.a.*.b', op: 'neq', value: 1 } },
      { of: 'parameters.a.*', meets: { field: 'parameters.a.*.b', op: 'neq', value: 1, quantifier: 'any' } },
      { of: 'parameters.a.*', meets: { field: 'parameters.a.*.b.*', op: 'neq', value: 1 } },
      { of: 'parameters.a.*', meets: { field: 'parameters.a.*.b.*', op: 'neq', value: 1, quantifier: 'all' } },
      {
        of: 'parameters.a.*',
        meets: {
          all: [
            { field: 'parameters.a.*', op: 'exists' },
            { field: 'parameters.a.*.b', op: 'gt', value: 1 },
          ],
        },
      },
      { of: 'parameters.a', meets: { field: 'parameters.a', op: 'exists' } },
      { of: 'agent.capabilities', meets: { field: 'agent.capabilities', op: 'exists' } },
      { of: 5, meets: { field: 'parameters.a.*', op: 'exists' } },
      { of: 'parameters.a.*' },
      { meets: { field: 'parameters.a.*', op: 'exists' } },
      { of: 'parameters.a.*', meets: {} },
      5,
    ].map((any_element) => ({ any_element })),
    { any_element: { of: 'parameters.a.*', meets: { field: 'parameters.a.*', op: 'exists' } }, field: 'amount' },
  ].map(withWhen),
  { rules: many(101, (index) => rule({ id: `r${index}`, when: { any: many(5, () => nest(0)) } })) },
  ...[
    { given: 5 },
    { given: { amount: 5, tool: { name: 'x' }, 'tool.kind': 'HTTP' } },
    { given: { agent: { labels: { a: 'b' }, 'labels.c': 'd', capabilities: ['x'] }, 'agent.labels.e.f': 'g' } },
    { given: { parameters: { a: [1] } } },
    { given: { parameters: 5 } },
    { given: { 'parameters.a.b': [1] } },
    { given: { 'parameters.a.0': 1 } },
    { given: { 'parameters.a.*': 1 } },
    { given: { parameters: { a: 1 }, 'parameters.b': 1 } },
    { given: { tool: 'x' } },
    { given: { tool: { nam: 'x' } } },
    { given: { tool: { name: 'x' }, 'tool.name': 'y' } },
    { given: { amount: '5' } },
    { given: { 'agent.capabilities': 'x' } },
    { given: { 'time.weekday': 'MONDAY' } },
    { given: { 'time.hour': 24 } },
    { name: '' },
    { name: 'x'.repeat(121) },
    { extra: 1 },
    { then: {} },
    { then: { effect: 'NO' } },
    { then: { effect: 'BLOCK', rule: 'a' } },
    { then: { effect: 'BLOCK', rule: 'b' } },
    { then: { effect: 'BLOCK', rule: null } },
    { then: { effect: 'ALLOW', rule: null } },
    { then: { effect: 'BLOCK', why: 1 } },
    { then: { effect: 'BLOCK', matches: ['a'] } },
    { then: { effect: 'BLOCK', matches: ['b'] } },
    { then: { effect: 'BLOCK', matches: [] } },
    { then: { effect: 'BLOCK', matches: 'a' } },
  ].map(withTest),
  { rules: [rule()], tests: many(201, (index) => ({ name: `${index}`, given: {}, then: { effect: 'BLOCK' } })) },
  { rules: [rule()], tests: many(2, () => ({ name: 't', given: {}, then: { effect: 'BLOCK' } })) },
];

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
  '10.1.0.0/8',
  'example.com.',
  [],
  ['x'],
  ['MON', 'SUN'],
  ['10.0.0.0/8'],
  [1, 5],
  [5, 1],
  [1, 5, 6],
  ['2026-03-01', '2026-03-02'],
  ['17:00', '08:30'],
  {},
];
const example = ({ name, family }: Row): string => (family === null ? name : name.replace('*', 'member'));

describe('an editor with only the schema of getBuilderSchema', () => {
  test('finds exactly the versions that the server refuses, except those documented as left to the server', async () => {
    let refused = 0;
    for (const body of BODIES) {
      const server = await askServer(body);
      const editor = checkVersion(builder, body);
      const shown = `${JSON.stringify(body).slice(0, 300)} editor ${editor} server ${JSON.stringify(server).slice(0, 500)}`;
      assert.equal(editor.length === 0, server.length === 0, shown);
      if (server.length > 0) refused += 1;
    }
    assert.ok(refused > 60 && BODIES.length - refused > 20, `${refused} of ${BODIES.length}`);
  });

  test('evaluates every field with every operator and many values as the server does', async () => {
    const conditions = builder.fields.flatMap((field) =>
      builder.operators.flatMap(({ name: op }) =>
        VALUES.map((value) => ({ field: example(field), op, ...(value === undefined ? {} : { value }) })),
      ),
    );
    let left = 0;
    for (let from = 0; from < conditions.length; from += 150) {
      const part = conditions.slice(from, from + 150);
      const rules = part.map((when, index) => rule({ id: `r${index}`, when }));
      const server = await askServer({ rules });
      const editor = new Set(checkVersion(builder, { rules }).map((pointer) => pointer.split('/')[2]));
      for (const [index, when] of part.entries()) {
        const faults = server.filter(({ pointer }) => pointer.split('/')[2] === `${index}`);
        if (editor.has(`${index}`) === faults.length > 0) continue;
        assert.ok(faults.length > 0, `the editor refuses what the server accepts: ${JSON.stringify(when)}`);
        assert.ok(
          faults.every(({ message }) => isLeft(message)),
          `${JSON.stringify(when)} ${JSON.stringify(faults)}`,
        );
        left += 1;
      }
    }
    assert.ok(conditions.length > 15_000 && left < 200, `${left} of ${conditions.length} were left to the server`);
  });
});

describe('the JSON Schema of a version that getPolicySchema serves', () => {
  test('accepts and refuses these versions as the server does, except where no schema can express it', async () => {
    const beyond = [/unique/, /no such rule/, /at most 500 conditions/, /one object or by dotted names|given twice/];
    // A wildcard after the element depends on two positions.
    const isBeyond = ({ pointer, message }: { pointer: string; message: string }) =>
      pointer.endsWith('/any_element/meets/quantifier') || beyond.some((sentence) => sentence.test(message));
    for (const body of BODIES) {
      const faults = (await askServer(body)).filter((fault) => !isBeyond(fault));
      assert.equal(
        fits(body),
        faults.length === 0,
        `${JSON.stringify(body).slice(0, 300)} ${JSON.stringify(faults)} ${JSON.stringify(fits.errors)}`,
      );
    }
  });

  test('accepts every template and every policy among the decision cases', async () => {
    for (const { id, rules, tests } of (await get('/v1/policies/templates')).json) {
      assert.ok(fits({ rules, tests }), `${id} ${JSON.stringify(fits.errors)}`);
      assert.deepEqual(checkVersion(builder, { rules, tests }), [], id);
    }
    const folder = new URL('../../../../../packages/policy/cases/', import.meta.url);
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
      const { policies } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { policies: { rules: unknown }[] };
      for (const { rules } of policies) {
        assert.ok(fits({ rules }), `${name}: ${JSON.stringify(fits.errors)}`);
        assert.deepEqual(checkVersion(builder, { rules }), [], name);
      }
    }
  });

  test('describes itself and every member', async () => {
    const { json } = await get('/v1/policies/schema');
    assert.deepEqual([json.$schema, json.$id], ['https://json-schema.org/draft/2020-12/schema', 'urn:svc:policy-version']);
    for (const part of [json, json.$defs.rule, json.$defs.test, json.$defs.field_condition]) {
      for (const [name, member] of Object.entries<{ description?: string }>(part.properties)) {
        if (!['approval', 'limit', 'mask'].includes(name)) assert.ok((member.description ?? '').length > 10, name);
      }
    }
  });
});
