import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findField } from '../language/find-field.ts';
import { showField } from './show-value.ts';

const shown = (name: string, value: unknown): unknown => {
  const field = findField(name);
  assert.ok(!('fault' in field));
  return showField(field)(value);
};

test('never shows a parameter with the name of a secret, in any form or position of the path', () => {
  const names = [
    'password',
    'userPassword',
    'API-Key',
    'api_key',
    'apiKey',
    'x-api-key',
    'Authorization',
    'client_secret',
    'refresh_token',
    'cookie',
    'cvv',
    'PIN',
    'card_number',
    'ssn',
  ];
  for (const name of names) {
    assert.equal(shown(`parameters.${name}`, 'value'), '[masked]', name);
    assert.equal(shown(`parameters.${name}`, 4321), '[masked]', name);
    assert.equal(shown(`parameters.${name}.inner`, 'value'), '[masked]', name);
    assert.equal(shown(`parameters.${name}`, ['value']), '[masked]', name);
    assert.equal(shown(`agent.labels.${name}`, 'value'), '[masked]', name);
  }
});

test('shows names that only look similar', () => {
  for (const name of ['pinned', 'panel', 'passenger', 'author', 'spinner', 'company', 'keyword'])
    assert.equal(shown(`parameters.${name}`, 'value'), 'value', name);
});

test('shows a number of tokens, and no tokens', () => {
  assert.equal(shown('parameters.max_tokens', 4000), 4000);
  assert.equal(shown('parameters.tokens', ['abc']), '[masked]');
  assert.equal(shown('parameters.token', 4000), '[masked]');
});

test('masks secrets and card numbers inside other texts', () => {
  const cases: Record<string, string> = {
    'card 4111-1111-1111-1111 please': 'card [masked] please',
    '378282246310005': '[masked]',
    'order 4111111111111112 is no card': 'order 4111111111111112 is no card',
    'key svc_key_abcdefghijkl!': 'key [masked]!',
    'Authorization: Bearer abc.def-ghi': 'Authorization: [masked]',
    'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln': '[masked]',
    '-----BEGIN PRIVATE KEY-----\nMC4CAQ': '[masked]',
    'a plain text of some length': 'a plain text of some length',
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(shown('parameters.note', text), expected);
  assert.equal(shown('parameters.n', 4_111_111_111_111_111), '[masked]');
  assert.equal(shown('parameters.n', 1_763_712_000_123), 1_763_712_000_123);
});

test('shows no part of a secret across the cut of a long text', () => {
  assert.equal(shown('parameters.note', `${'a b '.repeat(48)}4111 1111 1111 1111`), `${'a b '.repeat(48)}[masked]`);
});

test('cuts long texts to whole characters and lists to their first elements', () => {
  assert.equal(shown('parameters.note', 'a b '.repeat(100)), `${'a b '.repeat(50)}…`);
  assert.equal(shown('agent.name', `${'x'.repeat(199)}\u{1F600}y`), `${'x'.repeat(199)}…`);
  assert.deepEqual(
    shown(
      'agent.capabilities',
      Array.from({ length: 12 }, (_, index) => `c${index}`),
    ),
    [...Array.from({ length: 10 }, (_, index) => `c${index}`), '… 2 more'],
  );
});

test('shows a small value that a database can store, for any parameter', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json().map((text) => JSON.parse(text)),
        fc.string({ unit: 'binary', maxLength: 500 }),
      ),
      (value) => {
        const text = JSON.stringify(shown('parameters.a', value));
        assert.ok(text.length < 30_000 && text.isWellFormed() && !text.includes('\\u0000') && !/\\ud[89a-f]/i.test(text));
      },
    ),
    { numRuns: 500 },
  );
});

test('shows a value independently of what was shown before', () => {
  const field = findField('agent.name');
  assert.ok(!('fault' in field));
  const show = showField(field);
  const values = ['', 'a', 'a', 'b\0', '', 'x'.repeat(300), 'a', null, 7, ['a', 'b\0'], 'a', 'b\0'];
  assert.deepEqual(
    values.map((value) => show(value)),
    values.map((value) => showField(field)(value)),
  );
});
