import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSION_NAMES } from '@svc/contract/tables/permissions.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';

test('the built-in roles are listed with their permissions, the owner with all', async () => {
  const planes = await leasePlanes();
  const { token } = await signUp(planes.controlUrl);
  const listRoles = () => mustCall(planes.controlUrl, 'GET', '/v1/roles', { token });
  const roles = await listRoles();
  assert.deepEqual(
    roles.map(({ name, built_in }: { name: string; built_in: boolean }) => [name, built_in]),
    ['owner', 'admin', 'security', 'developer', 'approver', 'auditor', 'viewer'].map((name) => [name, true]),
  );
  assert.deepEqual(roles[0].permissions, PERMISSION_NAMES);
  await planes.stop();
});
