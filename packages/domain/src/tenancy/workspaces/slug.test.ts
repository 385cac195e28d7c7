import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slugOf } from './slug.ts';

const ID = 'wsp_01JXA4T0000000000000000ABC';

test('a slug is the name in lower-case letters, digits and hyphens', () => {
  assert.deepEqual(slugOf('  Zürich: Payments & Refunds!', ID), {
    short: 'zurich-payments-refunds',
    long: 'zurich-payments-refunds-00000abc',
  });
});

test('a name without Latin letters still has a slug', () => {
  assert.deepEqual(slugOf('支払い', ID), { short: '00000abc', long: '00000abc' });
});

test('whatever the name, both slugs fit the form and the length that the wire asks for', () => {
  const form = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (name) => {
      const { short, long } = slugOf(name, ID);
      assert.match(short, form);
      assert.match(long, form);
    }),
  );
});
