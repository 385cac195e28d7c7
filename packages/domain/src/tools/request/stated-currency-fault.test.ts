import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStatedCurrencyFault } from './stated-currency-fault.ts';

const ofAmount = { amount_from: '/total', currency_from: null };

test('treats an amount declared without a currency as one of the base currency, regardless of the stated currency', () => {
  const fault = findStatedCurrencyFault(ofAmount, 'IDR', 'USD');
  assert.equal(fault?.pointer, '/currency');
  assert.match(fault?.message ?? '', /must be USD or omitted, .* \/parameters\/total .* declare currency_from/);
  assert.equal(findStatedCurrencyFault({ amount_from: '/total' }, 'IDR', 'USD')?.pointer, '/currency');
});

test('accepts a repeated or omitted base currency', () => {
  assert.equal(findStatedCurrencyFault(ofAmount, 'USD', 'USD'), undefined);
  assert.equal(findStatedCurrencyFault(ofAmount, undefined, 'USD'), undefined);
});

test('checks nothing more for a tool that declares its currency, or neither', () => {
  assert.equal(findStatedCurrencyFault({ amount_from: '/total', currency_from: '/currency' }, 'IDR', 'USD'), undefined);
  assert.equal(findStatedCurrencyFault({ amount_from: null, currency_from: null }, 'IDR', 'USD'), undefined);
});
