import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Labels, loosensDeclaration } from './loosens-declaration.ts';

const BEFORE: Labels = { risk_rating: 'HIGH', dangerous: true, destination_allowlist: ['*.example.com'] };
const loosens = (change: Partial<Labels>, before: Partial<Labels> = {}): boolean =>
  loosensDeclaration({ ...BEFORE, ...before }, { ...BEFORE, ...before, ...change });

test('lowering a rating, clearing dangerous and widening destinations loosen a declaration', () => {
  assert.equal(loosens({ risk_rating: 'MEDIUM' }), true);
  assert.equal(loosens({ dangerous: false }), true);
  assert.equal(loosens({ destination_allowlist: ['*.example.com', 'example.org'] }), true);
  assert.equal(loosens({ destination_allowlist: ['api.example.com'] }, { destination_allowlist: [] }), true);
});

test('loosens by an emptied list of destinations, since it passes requests that name none', () => {
  assert.equal(loosens({ destination_allowlist: [] }), true);
  assert.equal(loosens({ destination_allowlist: [] }, { destination_allowlist: [] }), false);
});

test('raising a rating, setting dangerous and narrowing destinations do not', () => {
  assert.equal(loosens({ risk_rating: 'CRITICAL' }), false);
  assert.equal(loosens({ dangerous: true }, { dangerous: false }), false);
  assert.equal(loosens({ destination_allowlist: ['api.example.com'] }), false);
  assert.equal(loosens({}), false);
});
