import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { isFaults } from '../fault.ts';
import { deriveFields, type FieldSources, type StatedFields } from './derive-fields.ts';

const sources: FieldSources = { amount_from: '/order/total', currency_from: '/order/currency', destination_from: '/webhook' };
const parameters = { order: { total: 500, currency: 'EUR' }, webhook: 'https://API.example.com/hook' };
const destination = { scheme: 'https', host: 'api.example.com', port: 443 };

const listPointers = (from: FieldSources, given: unknown, stated: StatedFields): readonly string[] => {
  const fields = deriveFields(from, given, stated);
  return isFaults(fields) ? fields.faults.map(({ pointer }) => pointer) : [];
};

test('reads declared fields from the parameters, repeated in the request or not', () => {
  const expected = { amount: 500, currency: 'EUR', destination };
  assert.deepEqual(deriveFields(sources, parameters, {}), expected);
  assert.deepEqual(deriveFields(sources, parameters, { amount: 500, currency: 'EUR', destination: 'api.example.com' }), expected);
  assert.deepEqual(deriveFields(sources, { ...parameters, order: { total: 500, currency: 'eur' } }, { currency: 'EUR' }), expected);
});

test('takes undeclared fields from the request, and none if it states none', () => {
  const none = { amount_from: null, currency_from: null, destination_from: null };
  assert.deepEqual(deriveFields(none, parameters, { amount: 0, destination: 'h:8080' }), {
    amount: 0,
    destination: { host: 'h', port: 8080 },
  });
  assert.deepEqual(deriveFields({}, parameters, {}), {});
});

test('rejects a missing declared field with its pointer', () => {
  assert.deepEqual(listPointers(sources, {}, { amount: 1, currency: 'EUR', destination: 'h' }), [
    '/parameters/order/total',
    '/parameters/order/currency',
    '/parameters/webhook',
  ]);
  assert.deepEqual(listPointers({ amount_from: '/constructor/length' }, {}, {}), ['/parameters/constructor/length']);
  assert.deepEqual(listPointers({ amount_from: '/items/length' }, { items: [1] }, {}), ['/parameters/items/length']);
});

test('rejects a request that contradicts its own parameters with both pointers', () => {
  assert.deepEqual(listPointers(sources, parameters, { amount: 1 }), ['/amount', '/parameters/order/total']);
  assert.deepEqual(listPointers(sources, parameters, { currency: 'USD' }), ['/currency', '/parameters/order/currency']);
  for (const other of ['evil.example', 'api.example.com:8443', 'http://api.example.com']) {
    assert.deepEqual(listPointers(sources, parameters, { destination: other }), ['/destination', '/parameters/webhook'], other);
  }
});

test('requires a whole, safe, non-negative amount from any source', () => {
  for (const amount of [-1, 0.5, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN, '5', null, [5], { valueOf: 5 }, true]) {
    assert.deepEqual(listPointers({ amount_from: '/a' }, { a: amount }, {}), ['/parameters/a'], String(amount));
    assert.deepEqual(listPointers({}, {}, { amount: amount as number }), ['/amount'], String(amount));
  }
  const fields = deriveFields({ amount_from: '/a' }, { a: -0 }, {});
  assert.ok(!isFaults(fields) && Object.is(fields.amount, 0));
  assert.deepEqual(deriveFields({ amount_from: '/a' }, { a: Number.MAX_SAFE_INTEGER }, {}), { amount: Number.MAX_SAFE_INTEGER });
});

test('accepts each currency of the table, and no other', () => {
  for (const currency of CURRENCIES) assert.deepEqual(deriveFields({}, {}, { currency }), { currency });
  for (const currency of Intl.supportedValuesOf('currency').filter((code) => !CURRENCIES.has(code)))
    assert.deepEqual(listPointers({}, {}, { currency }), ['/currency'], currency);
});

test('requires an existing currency code and a readable destination', () => {
  for (const currency of ['EURO', 'E', '', 'ZZZ', 'uſd', 'US$', 978, null]) {
    assert.deepEqual(listPointers({ currency_from: '/c' }, { c: currency }, {}), ['/parameters/c'], String(currency));
  }
  for (const place of ['', 'https://a@b.example/', 'a b', 5, null, ['h']]) {
    assert.deepEqual(listPointers({ destination_from: '/d' }, { d: place }, {}), ['/parameters/d'], String(place));
  }
});
