import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSlug } from './slug.ts';

const ID = 'wsp_01JXA4T0000000000000000ABC';

test('returns the name in lower-case letters, digits and hyphens', () => {
  assert.deepEqual(createSlug('  Zürich: Payments & Refunds!', ID), {
    short: 'zurich-payments-refunds',
    long: 'zurich-payments-refunds-00000abc',
  });
});

test('returns a slug for a name without Latin letters', () => {
  assert.deepEqual(createSlug('支払い', ID), { short: '00000abc', long: '00000abc' });
});

test('returns two slugs of the required form and length for any name', () => {
  const form = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (name) => {
      const { short, long } = createSlug(name, ID);
      assert.match(short, form);
      assert.match(long, form);
    }),
  );
});
