import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { Role } from '../../people/roles/role.ts';
import { countsAs, mayDecide } from './approver-role.ts';

const roleOf = (name: BuiltInRoleName): Role => ({ ...builtInRole(name), built_in: true });
const [approver, admin, owner] = [roleOf('approver'), roleOf('admin'), roleOf('owner')];
const custom: Role = { id: 'rol_01J00000000000000000000000', name: 'owner', built_in: false, permissions: ['approval:approve'] };

test('a role is asked for by the name of a built-in role or by the id of any', () => {
  assert.ok(countsAs(approver, 'approver'));
  assert.ok(countsAs(approver, approver.id));
  assert.ok(countsAs(custom, custom.id));
});

test('a role that is not asked for does not count, however much it may do', () => {
  assert.equal(countsAs(admin, 'approver'), false);
  assert.equal(countsAs(custom, 'approver'), false);
  assert.equal(mayDecide(admin, ['approver', 'security']), false);
});

test('an owner counts as whoever is asked for', () => {
  assert.ok(countsAs(owner, 'approver'));
  assert.ok(mayDecide(owner, [custom.id]));
});

test('one of the roles asked for is enough to decide', () => {
  assert.ok(mayDecide(approver, ['security', 'approver']));
});

test('a role that an organization calls like a built-in one is not that one', () => {
  assert.equal(countsAs(custom, 'owner'), false);
  assert.equal(mayDecide(custom, ['approver', 'security']), false);
  assert.equal(countsAs({ ...custom, name: 'approver' }, 'approver'), false);
});
