import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskEventData } from './mask-event.ts';

const CARD = '4445628249263479';
const SECRET = 'sk_live_0123456789abcdefghij';

test('keeps the marks of an action, whose digits can look like a card number, and masks everything else', () => {
  const conduct = `${CARD}.8957ab9f7167960f...12000.1`;
  assert.deepEqual(maskEventData({ status: 'BLOCKED', conduct, rule_id: SECRET, note: CARD }), {
    status: 'BLOCKED',
    conduct,
    rule_id: '[masked]',
    note: '[masked]',
  });
});

test('masks a card number in another text of that name, and marks under another name', () => {
  assert.deepEqual(maskEventData({ conduct: `paid with ${CARD}`, rule_id: SECRET }), { conduct: 'paid with [masked]', rule_id: '[masked]' });
  assert.deepEqual(maskEventData({ other: `${CARD}.....` }), { other: '[masked].....' });
});
