import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENCIES } from './currencies.ts';

test('each code is known to the Unicode tables too, and none stands for a metal, a test or nothing', () => {
  // VED is newer than the tables of some systems.
  const known = new Set([...Intl.supportedValuesOf('currency'), 'VED']);
  for (const code of CURRENCIES) assert.ok(known.has(code), code);
  for (const code of ['XTS', 'XAU', 'XDR', 'DEM', 'ABC']) assert.equal(CURRENCIES.has(code), false, code);
  for (const code of ['USD', 'EUR', 'JPY', 'KWD', 'CHF']) assert.equal(CURRENCIES.has(code), true, code);
});
