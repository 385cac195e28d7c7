import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATORS } from '@svc/contract/policies/language.ts';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import { readGiven } from '../language/read-given.ts';
import { validateVersion } from '../validate/validate-version.ts';
import { buildPolicyBuilderSchema } from './builder-schema.ts';

const schema = buildPolicyBuilderSchema();
type Operator = (typeof schema.operators)[number];

const nameFor = (name: string): string => name.replace('*', 'name');

/** Returns the value that an editor would insert, from the schema alone. */
const valueFor = (field: (typeof schema.fields)[number], operator: Operator): object => {
  const kind = schema.values.find(({ name }) => name === operator.value);
  assert.ok(kind !== undefined, operator.name);
  if (kind.shape === 'none') return {};
  const own = (field.type === 'json' ? kind.json_example : null) ?? kind.example;
  if (own !== null) return { value: own };
  if (kind.shape === 'pair') return { value: [field.example, field.example] };
  return { value: kind.shape === 'list' ? [field.example] : field.example };
};

const conditionIsValid = (condition: Record<string, unknown>): boolean =>
  validateVersion({ rules: [{ id: 'a', effect: 'BLOCK', reason: 'r', when: condition }] }).ok;

test('accepts every served operator of a field with its example, and rejects every other', () => {
  for (const field of schema.fields) {
    for (const operator of schema.operators) {
      const accepted = conditionIsValid({ field: nameFor(field.name), op: operator.name, ...valueFor(field, operator) });
      assert.equal(accepted, field.operators.includes(operator.name), `${field.name} ${operator.name}`);
      assert.equal(field.operators.includes(operator.name), operator.fits.includes(field.type));
    }
  }
});

test('accepts every field in a test, with its example', () => {
  for (const field of schema.fields) {
    const value = field.type === 'string_list' ? [field.example] : field.example;
    assert.equal(readGiven({ [nameFor(field.name)]: value }).ok, true, field.name);
  }
});

test('requires a quantifier exactly where the schema says so', () => {
  const parameters = schema.fields.find(({ name }) => name === 'parameters.*');
  assert.ok(parameters !== undefined);
  for (const operator of schema.operators.filter(({ fits }) => fits.includes('json'))) {
    const condition: Record<string, unknown> = { field: 'parameters.items.*', op: operator.name, ...valueFor(parameters, operator) };
    assert.equal(conditionIsValid(condition), !operator.quantifier_required_with_star, operator.name);
    for (const { name } of schema.quantifiers) assert.equal(conditionIsValid({ ...condition, quantifier: name }), true);
  }
});

test('lists effects from weakest to strictest, and accepts a rule built from the schema alone', () => {
  assert.deepEqual(
    schema.effects.map(({ name }) => name),
    [...EFFECTS],
  );
  assert.deepEqual(
    schema.effects.map(({ strictness }) => strictness),
    [0, 1, 2, 3, 4],
  );
  const demands: Record<string, object> = {
    mask: { parameters: schema.effects[1]?.demand?.member === 'mask' ? ['customer.iban'] : [] },
    limit: { max_amount: 5 },
  };
  for (const { name, demand, may_match_on_missing } of schema.effects) {
    const rule = { id: 'a', effect: name, reason: 'r', ...(demand?.required ? { [demand.member]: demands[demand.member] } : {}) };
    assert.equal(validateVersion({ rules: [rule] }).ok, true, name);
    assert.equal(validateVersion({ rules: [{ ...rule, if_missing: 'match' }] }).ok, may_match_on_missing, name);
  }
});

test('serves every operator with a label and a sentence, and every field', () => {
  assert.deepEqual(
    schema.operators.map(({ name }) => name),
    [...OPERATORS],
  );
  for (const { label, sentence } of schema.operators) assert.ok(label.length > 3 || label === 'is', sentence);
  for (const { sentence, takes } of schema.fields) assert.ok(sentence.endsWith('.') && takes.length > 0);
});

test('serves a pattern for each kind of value that accepts its example and rejects what validation rejects', () => {
  const spelled = schema.values.filter(({ pattern }) => pattern !== null);
  assert.deepEqual(
    spelled.map(({ name }) => name),
    ['directory', 'domains', 'networks', 'hours'],
  );
  for (const { example, pattern } of spelled) {
    for (const text of [example].flat()) assert.match(String(text), new RegExp(pattern ?? ''));
    for (const text of ['', '.', '//', '22-6%']) assert.doesNotMatch(text, new RegExp(pattern ?? ''));
  }
});

test('is valid JSON', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema);
});
