import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statedCurrencyFault } from './stated-currency-fault.ts';

const ofAmount = { amount_from: '/total', currency_from: null };

test('the currency of an amount that the tool declares without one is the base currency, whoever says otherwise', () => {
  const fault = statedCurrencyFault(ofAmount, 'IDR', 'USD');
  assert.equal(fault?.pointer, '/currency');
  assert.match(fault?.message ?? '', /must be USD or omitted, .* \/parameters\/total .* declare currency_from/);
  assert.equal(statedCurrencyFault({ amount_from: '/total' }, 'IDR', 'USD')?.pointer, '/currency');
});

test('what repeats the base currency, or leaves it out, is believed', () => {
  assert.equal(statedCurrencyFault(ofAmount, 'USD', 'USD'), undefined);
  assert.equal(statedCurrencyFault(ofAmount, undefined, 'USD'), undefined);
});

test('a tool that declares its currency, or neither, is asked nothing more', () => {
  assert.equal(statedCurrencyFault({ amount_from: '/total', currency_from: '/currency' }, 'IDR', 'USD'), undefined);
  assert.equal(statedCurrencyFault({ amount_from: null, currency_from: null }, 'IDR', 'USD'), undefined);
});
