import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeFault } from './whole-fault.ts';

test('a message fragment gets the place as its subject, and a full sentence stays unchanged', () => {
  const told = (pointer: string, message: string): string => completeFault({ pointer, message }).message;
  assert.equal(told('/destinations/0', 'must be a host without scheme or path'), 'destinations/0 must be a host without scheme or path.');
  assert.equal(told('/secret', 'is the one that stands already'), 'secret is the one that stands already.');
  assert.equal(told('/placement/a~1b', 'means nothing to the scheme BEARER'), 'a/b means nothing to the scheme BEARER.');
  assert.equal(told('', 'is nested too deeply'), 'The body is nested too deeply.');
  assert.equal(told('/amount', 'contradicts /parameters/total'), 'amount contradicts /parameters/total.');
  for (const whole of ['Must not be blank.', 'This member is required.', 'alg must be EdDSA.', 'isolated agents are refused'])
    assert.equal(told('/x', whole), whole);
});
