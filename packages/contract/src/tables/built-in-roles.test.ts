import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_ROLES, type BuiltInRoleName, getBuiltInRole } from './built-in-roles.ts';
import { isId } from './ids.ts';
import { PERMISSION_NAMES, type Permission } from './permissions.ts';

const holds = (role: BuiltInRoleName, permission: Permission): boolean => getBuiltInRole(role).permissions.includes(permission);
const holders = (permission: Permission): BuiltInRoleName[] =>
  BUILT_IN_ROLES.filter((role) => holds(role.name, permission)).map((role) => role.name);

test('there are seven built-in roles, each with a fixed unique identifier', () => {
  assert.deepEqual(
    BUILT_IN_ROLES.map((role) => role.name),
    ['owner', 'admin', 'security', 'developer', 'approver', 'auditor', 'viewer'],
  );
  assert.equal(new Set(BUILT_IN_ROLES.map((role) => role.id)).size, 7);
  for (const role of BUILT_IN_ROLES) assert.ok(isId('role', role.id), role.id);
});

test('no role lists a permission twice', () => {
  for (const role of BUILT_IN_ROLES) assert.equal(new Set(role.permissions).size, role.permissions.length, role.name);
});

test('the owner has every permission, and only the owner can delete the organization', () => {
  assert.deepEqual([...getBuiltInRole('owner').permissions].sort(), [...PERMISSION_NAMES].sort());
  assert.deepEqual(holders('organization:delete'), ['owner']);
});

test('an administrator has the permissions of every lesser role, so that each can be assigned', () => {
  for (const role of BUILT_IN_ROLES.filter((each) => each.name !== 'owner')) {
    assert.deepEqual(
      role.permissions.filter((permission) => !holds('admin', permission)),
      [],
      role.name,
    );
  }
});

test('a role that builds cannot activate, approve or lower enforcement', () => {
  const kept: readonly Permission[] = [
    'policy:activate',
    'policy:rollback',
    'policy:delete',
    'approval:approve',
    'approval:deny',
    'environment:set_mode',
    'environment:pause',
    'emergency:execute',
    'agent:revoke',
    'tool:enable',
    'member:invite',
    'role:update',
  ];
  for (const permission of kept) assert.equal(holds('developer', permission), false, permission);
  for (const permission of ['agent:create', 'tool:create', 'policy:create', 'policy:update'] as const)
    assert.ok(holds('developer', permission));
});

test('a role that reviews cannot build what is reviewed', () => {
  for (const permission of ['agent:create', 'tool:create', 'delegation:create', 'apikey:create', 'credential:create'] as const) {
    assert.equal(holds('security', permission), false, permission);
    assert.equal(holds('approver', permission), false, permission);
  }
});

test('an approver decides approvals and changes nothing else', () => {
  const changes = getBuiltInRole('approver').permissions.filter((permission) => !permission.endsWith(':read'));
  assert.deepEqual(changes, ['approval:approve', 'approval:deny']);
});

test('an auditor reads everything and changes nothing', () => {
  const reads = PERMISSION_NAMES.filter((name) => name.endsWith(':read'));
  assert.deepEqual([...getBuiltInRole('auditor').permissions].sort(), [...reads, 'audit:export', 'audit:verify'].sort());
});

test('a viewer only reads, without the audit log and anything about secrets', () => {
  for (const permission of getBuiltInRole('viewer').permissions) assert.match(permission, /:read$/);
  for (const permission of ['audit:read', 'credential:read', 'apikey:read', 'sso:read'] as const) {
    assert.equal(holds('viewer', permission), false, permission);
  }
});
