import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { readGiven } from '../language/read-given.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { analyseVersion } from './analyse-version.ts';
import type { AnalysedTool } from './analysed-tool.ts';

type When = NonNullable<PolicyRule['when']>;

const ALLOW: PolicyRule = { id: 'allow', effect: 'ALLOW', reason: 'r' };
const EXPENSIVE: When = { field: 'parameters.items.*.price', op: 'gt', value: 10_000 };
const GOLD: When = { field: 'parameters.items.*.kind', op: 'eq', value: 'gold' };
const EXPENSIVE_GOLD: When = { any_element: { of: 'parameters.items.*', meets: { all: [GOLD, EXPENSIVE] } } };

const tool = (parameters_schema: object): AnalysedTool => ({
  name: 'order',
  required_capability: 'order',
  kind: 'SDK',
  risk_rating: 'LOW',
  dangerous: false,
  parameters_schema: parameters_schema as never,
  amount_from: null,
  currency_from: null,
  destination_from: null,
  execution: null,
});
/** A tool for orders of items with a kind and a price, declared by this schema. */
const orders = (price: object, required = ['kind', 'price']): AnalysedTool =>
  tool({
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: { type: 'object', required, properties: { kind: { type: 'string' }, price } } } },
  });

const told = (when: When, declared: AnalysedTool, more: Partial<PolicyRule> = {}) => {
  const checked = validateVersion({ rules: [ALLOW, { id: 'stop', effect: 'BLOCK', reason: 'r', when, ...more }] });
  assert.ok(checked.ok, JSON.stringify(checked));
  const { warnings, complete } = analyseVersion(checked.body, [declared]);
  assert.equal(complete, true);
  const names = { policy_id: 'p', policy_name: 'p', version_id: 'v', version_number: 1 };
  const set = compileSet([compileVersion({ ...names, binding: { scope: 'ORGANIZATION', id: 'org_1' }, body: checked.body })]);
  const dodges = warnings.filter(({ kind }) => kind === 'missing_field' || kind === 'mistyped_field');
  for (const { example, message } of dodges) {
    const given = readGiven(example ?? {});
    assert.ok(given.ok, JSON.stringify(example));
    assert.equal(evaluate(set, given.context).effect, 'ALLOW', message);
  }
  return dodges.map(({ kind, pointer }) => `${kind} ${pointer}`);
};

test('reports what an agent can leave out of an element or mistype in it, with a bypassing request, in a single-element group and without', () => {
  const at = '/rules/1/when/any_element/meets/all/1';
  assert.deepEqual(told(EXPENSIVE_GOLD, orders({ type: 'number' }, ['kind'])), [`missing_field ${at}`]);
  assert.deepEqual(told(EXPENSIVE_GOLD, orders({ type: ['number', 'string'] })), [`mistyped_field ${at}`]);
  assert.deepEqual(told(EXPENSIVE_GOLD, orders({})), [`missing_field ${at}`, `mistyped_field ${at}`]);
  assert.deepEqual(told(EXPENSIVE, orders({ type: 'number' }, [])), ['missing_field /rules/1/when']);
  assert.deepEqual(told(EXPENSIVE, orders({ type: ['number', 'string'] })), ['mistyped_field /rules/1/when']);
  assert.deepEqual(told({ not: EXPENSIVE }, orders({ type: ['number', 'null'] })), ['missing_field /rules/1/when/not']);
});

test('reports the list itself if it can be left out or be no list', () => {
  const kinds = {
    type: 'array',
    items: { type: 'object', required: ['kind', 'price'], properties: { kind: { type: 'string' }, price: { type: 'number' } } },
  };
  const at = '/rules/1/when/any_element/meets/all/0';
  assert.deepEqual(told(EXPENSIVE_GOLD, tool({ type: 'object', properties: { items: kinds } })), [`missing_field ${at}`]);
  const either = { ...kinds, type: ['array', 'string'] };
  assert.deepEqual(told(EXPENSIVE_GOLD, tool({ type: 'object', required: ['items'], properties: { items: either } })), [
    `mistyped_field ${at}`,
  ]);
});

test('reports nothing if the tool takes nothing else, the rule matches on missing data, or another condition requires it', () => {
  assert.deepEqual(told(EXPENSIVE_GOLD, orders({ type: 'number' })), []);
  assert.deepEqual(told(EXPENSIVE, orders({ type: 'number' })), []);
  assert.deepEqual(told(EXPENSIVE_GOLD, orders({}), { if_missing: 'match' }), []);
  const absent: When = { field: 'parameters.items.*.price', op: 'not_exists' };
  const guarded: When = { any_element: { of: 'parameters.items.*', meets: { any: [absent, EXPENSIVE] } } };
  assert.deepEqual(told(guarded, orders({ type: 'number' }, ['kind'])), []);
});
