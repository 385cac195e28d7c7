import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandText, findSoleName, parseText, readParameter } from './text-template.ts';

const expand = (text: string, parameters: object, lengthMax = 100) => {
  const template = parseText(text);
  assert.ok(!('fault' in template), text);
  return expandText(template, parameters, lengthMax);
};

test('expands {name} to a parameter, enters objects by dots and keeps doubled braces literal', () => {
  const parameters = { id: 7, ok: true, customer: { name: 'Ada' } };
  assert.equal(expand('no {id} for {customer.name}: {ok}', parameters), 'no 7 for Ada: true');
  assert.equal(expand('{{id}} {{{id}}} }}{{', parameters), '{id} {7} }{');
  assert.equal(expand('', parameters), '');
});

test('rejects a brace that is not doubled and not a name', () => {
  for (const text of ['{', '}', '{}', '{ id }', '{id', 'id}', '{{id}', '{a-b}', '{a..b}', '{{{', '{a{b}}']) {
    assert.ok('fault' in parseText(text), text);
  }
});

test('rejects what is no text, absent or inherited in a text', () => {
  for (const parameters of [{}, { id: null }, { id: {} }, { id: ['a'] }, { id: '\ud800' }]) {
    assert.deepEqual(expand('{id}', parameters), {
      pointer: '/parameters/id',
      message: 'must be a string, number or boolean',
    });
  }
  assert.ok(typeof expand('{constructor.name}', {}) === 'object');
  assert.equal(readParameter({}, 'toString'), undefined);
});

test('bounds the length of a text', () => {
  const fault = expand('{a}{a}', { a: 'x'.repeat(60) });
  assert.deepEqual(fault, { pointer: '/parameters/a', message: 'produces text of more than 100 characters' });
});

test('treats only a text that is exactly one {name} as a whole value', () => {
  const soleOf = (text: string) => {
    const template = parseText(text);
    return 'fault' in template ? 'fault' : findSoleName(template);
  };
  assert.deepEqual(['{a.b}', ' {a}', '{a}{a}', 'a', ''].map(soleOf), ['a.b', undefined, undefined, undefined, undefined]);
});
