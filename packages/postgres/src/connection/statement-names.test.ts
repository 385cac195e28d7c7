import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getStatementName } from './statement-names.ts';

test('names a text at its second use, uniquely and permanently, up to a maximum', () => {
  assert.equal(getStatementName('select 1'), undefined);
  const name = getStatementName('select 1');
  assert.match(name ?? '', /^svc_\d+$/);
  assert.equal(getStatementName('select 1'), name);
  const names = new Set<string | undefined>();
  for (let n = 0; n < 1_000; n += 1) {
    getStatementName(`select ${n} as n`);
    names.add(getStatementName(`select ${n} as n`));
  }
  assert.ok(names.has(undefined) && names.size < 300 && !names.has(name));
  assert.equal(getStatementName('select 1'), name);
});
