import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCapabilityName } from './capability-name.ts';

test('dotted lower-case words name a capability', () => {
  for (const name of ['refund.create', 'crm.contact.read_all', 's3.get-object', 'search', 'a.1', 'x'.repeat(100)]) {
    assert.ok(isCapabilityName(name), name);
  }
});

test('no second spelling, wildcard, control character or look-alike letter names a capability', () => {
  const refused = ['', '.', 'refund.', '.create', 'refund..create', 'Refund.create', 'refund create', 'refund.*', '*', 'refund:create'];
  const sly = [
    'refund.create\n',
    ' refund.create',
    'refund\u0000',
    'rеfund.create',
    'refund.ＣＲＥＡＴＥ',
    '-a',
    '_a',
    'x'.repeat(101),
    '../a',
    'a/b',
  ];
  for (const name of [...refused, ...sly, 7, null, undefined, ['refund.create']]) assert.ok(!isCapabilityName(name), JSON.stringify(name));
});
