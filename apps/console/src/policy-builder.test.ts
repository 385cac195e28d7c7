import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appendItem,
  findFault,
  findInexact,
  findRange,
  replaceValue,
  sliceText,
  swapItems,
} from '../web/policies/policies/builder/edit-text.ts';
import type { Builder } from '../web/policies/policies/builder/language.ts';
import { unshownRule, unshownTest } from '../web/policies/policies/builder/shown-parts.ts';

/** Two rules as a person laid them out, with a member of each kind that no field shows. */
const TEXT = `{
  "rules": [
    { "id": "small", "effect": "ALLOW",   "reason": "Gr\\u00f6\\u00dfe", "when": { "field": "amount", "op": "lte", "value": 5e4 } },

    { "id": "large", "effect": "BLOCK", "reason": "Too much.",
      "when": { "any_element": { "of": "parameters.items", "meets": { "field": "parameters.items.*.n", "op": "gt", "value": 1.0 } } } }
  ], "tests": []
}`;

test('a change of one value leaves every other character of the text as it was', () => {
  const changed = replaceValue(TEXT, ['rules', 0, 'when', 'value'], 30_000);
  assert.equal(changed, TEXT.replace('5e4', '30000'));
  assert.equal(replaceValue(changed, ['rules', 0, 'when', 'value'], 50_000), TEXT.replace('5e4', '50000'));
});

test('rules that swap keep their own layout, and swapping again gives the text back', () => {
  const swapped = swapItems(TEXT, ['rules'], 0, 1);
  assert.equal(sliceText(swapped, ['rules', 1]), sliceText(TEXT, ['rules', 0]));
  assert.equal(sliceText(swapped, ['rules', 0]), sliceText(TEXT, ['rules', 1]));
  assert.equal(swapItems(swapped, ['rules'], 1, 0), TEXT);
});

test('a rule that is added and removed changes no other rule', () => {
  const added = appendItem(TEXT, ['rules'], { id: 'new', effect: 'BLOCK', reason: 'New.' });
  assert.equal(JSON.parse(added).rules.length, 3);
  for (const index of [0, 1]) assert.equal(sliceText(added, ['rules', index]), sliceText(TEXT, ['rules', index]));
  assert.deepEqual(JSON.parse(replaceValue(added, ['rules', 2], undefined)), JSON.parse(TEXT));
  assert.deepEqual(JSON.parse(appendItem('{"rules":[]}', ['tests'], { name: 'one' })).tests, [{ name: 'one' }]);
});

test('a fault of the text has its line and column, as do comments and commas at an end, which JSON does not have', () => {
  assert.equal(findFault(TEXT), undefined);
  assert.deepEqual(findFault('{\n  "rules": [,]\n}'), { line: 2, column: 13, offset: 14 });
  assert.deepEqual(findFault('{\n  // why\n  "rules": []\n}')?.line, 2);
  assert.equal(findFault('{ "rules": [1,] }')?.line, 1);
  assert.equal(findFault('')?.line, 1);
  assert.deepEqual(findRange(TEXT, ['rules', 9]), undefined);
});

const BUILDER: Builder = {
  fields: [
    { name: 'amount', family: null, type: 'integer', operators: ['lte', 'in'], values: null, sentence: '' },
    { name: 'parameters.*', family: 'path', type: 'json', operators: ['lte', 'in', 'exists'], values: null, sentence: '' },
  ],
  operators: [
    { name: 'lte', label: 'is at most', sentence: '', value: 'bound' },
    { name: 'in', label: 'is one of', sentence: '', value: 'list' },
    { name: 'exists', label: 'is present', sentence: '', value: 'none' },
  ],
  values: [
    { name: 'bound', shape: 'one', sentence: '' },
    { name: 'list', shape: 'list', sentence: '' },
    { name: 'none', shape: 'none', sentence: '' },
  ],
  effects: [
    { name: 'BLOCK', label: 'Block', demand: null },
    {
      name: 'LIMIT',
      label: 'Limit',
      demand: { member: 'limit', required: true, members: { max_calls: { type: 'integer', sentence: '' } } },
    },
  ],
  star_pattern: '(^|\\.)\\*(\\.|$)',
};

const unshown = (rule: object, text = JSON.stringify({ rules: [rule] })): string | undefined => unshownRule(BUILDER, text, 0, rule, 'USD');
const when = (condition: unknown, more: object = {}) => ({ id: 'a', effect: 'BLOCK', reason: 'b', when: condition, ...more });

test('the builder shows a rule only if its fields hold all of it', () => {
  const shown = [
    when({ field: 'amount', op: 'lte', value: 12_345 }),
    when({ all: [{ not: { field: 'parameters.a', op: 'in', value: [1, 'x'] } }, { any: [{ field: 'parameters.a', op: 'exists' }] }] }),
    when({ field: 'parameters.*.n', op: 'lte', value: 1.5, quantifier: 'all' }),
    { id: 'a', effect: 'LIMIT', reason: 'b', limit: { max_calls: 3 } },
  ];
  for (const rule of shown) assert.equal(unshown(rule), undefined, JSON.stringify(rule));
  const kept = [
    when({ field: 'amount', op: 'lte', value: '12345' }),
    when({ field: 'amount', op: 'lte', value: 1.5 }),
    when({ field: 'parameters.a', op: 'in', value: ['one, two'] }),
    when({ field: 'parameters.a', op: 'in', value: ['7'] }),
    when({ field: 'parameters.a', op: 'exists', value: 1 }),
    when({ field: 'parameters.*.n', op: 'lte', value: 1 }),
    when({ field: 'amount', op: 'lte', value: 1, comment: 'why' }),
    when({ any_element: { of: 'parameters.items', meets: { field: 'parameters.items.n', op: 'lte', value: 1 } } }),
    when({ not: { all: [{ field: 'amount', op: 'lte', value: 1 }] } }),
    when({ field: 'amount', op: 'lte', value: 1 }, { note: 'kept' }),
    when({ field: 'amount', op: 'lte', value: 1 }, { limit: { max_calls: 3 } }),
    { id: 'a', effect: 'LIMIT', reason: 'b', limit: { max_calls: 3, per: 'agent' } },
    { id: 'a', effect: 'OTHER', reason: 'b' },
    'no rule',
  ];
  for (const rule of kept) assert.notEqual(unshown(rule as object), undefined, JSON.stringify(rule));
});

test('the builder shows no rule whose text holds more than its value: a repeated member, or a number that is too large', () => {
  const twice = '{"rules":[{"id":"a","effect":"BLOCK","reason":"b","reason":"c"}]}';
  assert.match(unshown(JSON.parse(twice).rules[0], twice) ?? '', /"reason" twice/);
  const large = '{"rules":[{"id":"a","effect":"BLOCK","reason":"b","when":{"field":"parameters.a","op":"lte","value":90071992547409931}}]}';
  assert.match(unshown(JSON.parse(large).rules[0], large) ?? '', /too large/);
  assert.equal(findInexact('{"a":[1,{"b":2}]}', ['a']), undefined);
});

test('the builder shows a test only if its fields hold all of it', () => {
  const read = (json: string) => {
    const text = `{"tests":[${json}]}`;
    return unshownTest(BUILDER, text, 0, JSON.parse(json), 'USD');
  };
  assert.equal(read('{"name":"a","given":{"amount":1,"parameters.a":"x"},"then":{"effect":"BLOCK","rule":null}}'), undefined);
  for (const json of [
    '{"name":"a","given":{"parameters":{"a":1}},"then":{"effect":"BLOCK"}}',
    '{"name":"a","given":{"parameters.a":"1"},"then":{"effect":"BLOCK"}}',
    '{"name":"a","given":{},"then":{"effect":"BLOCK","matches":["a"]}}',
    '{"name":"a","given":{},"then":{"effect":"BLOCK"},"note":1}',
    '{"name":"a","given":{}}',
  ])
    assert.notEqual(read(json), undefined, json);
});

test('a member that is added and removed changes no other member', () => {
  const added = replaceValue(TEXT, ['rules', 0, 'if_missing'], 'match');
  assert.equal(added, TEXT.replace('"value": 5e4 } }', '"value": 5e4 }, "if_missing": "match" }'));
  assert.equal(replaceValue(added, ['rules', 0, 'if_missing'], undefined), TEXT);
  const empty = '{"tests":[{"given":{}}]}';
  assert.deepEqual(JSON.parse(replaceValue(empty, ['tests', 0, 'given', 'amount'], 1)), { tests: [{ given: { amount: 1 } }] });
});
