import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { countsAs, mayDecide } from './approver-role.ts';

const approver = builtInRole('approver').id;
const admin = builtInRole('admin').id;
const owner = builtInRole('owner').id;
const custom = 'rol_01J00000000000000000000000';

test('a role is asked for by the name of a built-in role or by the id of any', () => {
  assert.ok(countsAs(approver, 'approver'));
  assert.ok(countsAs(approver, approver));
  assert.ok(countsAs(custom, custom));
});

test('a role that is not asked for does not count, however much it may do', () => {
  assert.equal(countsAs(admin, 'approver'), false);
  assert.equal(countsAs(custom, 'approver'), false);
  assert.equal(mayDecide(admin, ['approver', 'security']), false);
});

test('an owner counts as whoever is asked for', () => {
  assert.ok(countsAs(owner, 'approver'));
  assert.ok(mayDecide(owner, [custom]));
});

test('one of the roles asked for is enough to decide', () => {
  assert.ok(mayDecide(approver, ['security', 'approver']));
});
