import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskPaths } from './mask-paths.ts';

test('values outside a path keep their kind, and those with a JSON form are masked in that form', () => {
  const when = new Date(0);
  const person = { toJSON: () => ({ email: 'a@b', name: 'Ada' }) };
  assert.deepEqual(maskPaths({ when, person, list: [person] }, ['person.email', 'list.email']), {
    when,
    person: { email: '[masked]', name: 'Ada' },
    list: [{ email: '[masked]', name: 'Ada' }],
  });
});

test('a value in place of a list is hidden as its one element would be', () => {
  const paths = ['a.*.b', 'to.*', 'cc.*', 'o.*.*.k'];
  assert.deepEqual(maskPaths({ a: { b: 1, c: 2 }, to: 'x', cc: null, o: { k: 3 } }, paths), {
    a: { b: '[masked]', c: 2 },
    to: '[masked]',
    cc: null,
    o: { k: '[masked]' },
  });
});

test('keys are read with their escapes, and a member called __proto__ is an ordinary one', () => {
  assert.deepEqual(maskPaths({ 'a.b': 1, '*': 2, '~': 3, c: 4 }, ['a~1b', '~2', '~0']), {
    'a.b': '[masked]',
    '*': '[masked]',
    '~': '[masked]',
    c: 4,
  });
  assert.equal(JSON.stringify(maskPaths(JSON.parse('{"__proto__":{"pin":1}}'), ['__proto__.pin'])), '{"__proto__":{"pin":"[masked]"}}');
});
