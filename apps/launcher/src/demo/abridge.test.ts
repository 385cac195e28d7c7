import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abridge } from './abridge.ts';

test('a body is printed on one line without nested, long or secret members', () => {
  const body = {
    name: 'x',
    password: 'hunter2',
    list: ['a', 'b'],
    rules: [{ id: 1 }],
    schema: { type: 'object' },
    key: 'k'.repeat(40),
    n: 3,
    none: null,
  };
  assert.equal(
    abridge(body),
    `{"name":"x","password":"…","list":["a","b"],"rules":[…],"schema":{…},"key":"${'k'.repeat(32)}…","n":3,"none":null}`,
  );
});
