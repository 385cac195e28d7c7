import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENCIES, getCurrencyExponent } from './currencies.ts';

test('each code is in the Unicode tables too, and none is a metal, a test code, withdrawn or no currency', () => {
  // VED is newer than the tables of some systems.
  const known = new Set([...Intl.supportedValuesOf('currency'), 'VED']);
  for (const code of CURRENCIES) assert.ok(known.has(code), code);
  for (const code of ['XTS', 'XAU', 'XDR', 'DEM', 'BGN', 'ABC']) assert.equal(CURRENCIES.has(code), false, code);
  for (const code of ['USD', 'EUR', 'JPY', 'KWD', 'CHF']) assert.equal(CURRENCIES.has(code), true, code);
});

test('each currency has the decimal places of ISO 4217, and an unknown code has none', () => {
  const withDecimals = (places: number) => [...CURRENCIES].filter((code) => getCurrencyExponent(code) === places).join(' ');
  assert.equal(withDecimals(0), 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF');
  assert.equal(withDecimals(3), 'BHD IQD JOD KWD LYD OMR TND');
  assert.equal(getCurrencyExponent('USD'), 2);
  for (const code of ['XTS', 'ABC', 'usd', '']) assert.equal(getCurrencyExponent(code), undefined, code);
});
