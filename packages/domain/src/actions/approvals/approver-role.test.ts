import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { RoleRecord } from '../../people/roles/role.ts';
import { countsAs, mayDecide } from './approver-role.ts';

const getRole = (name: BuiltInRoleName): RoleRecord => ({ ...getBuiltInRole(name), built_in: true });
const [approver, admin, owner] = [getRole('approver'), getRole('admin'), getRole('owner')];
const custom: RoleRecord = { id: 'rol_01J00000000000000000000000', name: 'owner', built_in: false, permissions: ['approval:approve'] };

test('matches a requested role by the name of a built-in role or by the id of any', () => {
  assert.ok(countsAs(approver, 'approver'));
  assert.ok(countsAs(approver, approver.id));
  assert.ok(countsAs(custom, custom.id));
});

test('does not count a role that is not requested, regardless of its permissions', () => {
  assert.equal(countsAs(admin, 'approver'), false);
  assert.equal(countsAs(custom, 'approver'), false);
  assert.equal(mayDecide(admin, ['approver', 'security']), false);
});

test('counts an owner as any requested role', () => {
  assert.ok(countsAs(owner, 'approver'));
  assert.ok(mayDecide(owner, [custom.id]));
});

test('accepts one of the requested roles', () => {
  assert.ok(mayDecide(approver, ['security', 'approver']));
});

test("does not match an organization's role with the name of a built-in one", () => {
  assert.equal(countsAs(custom, 'owner'), false);
  assert.equal(mayDecide(custom, ['approver', 'security']), false);
  assert.equal(countsAs({ ...custom, name: 'approver' }, 'approver'), false);
});
