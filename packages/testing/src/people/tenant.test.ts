import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlanes } from '../planes/start-planes.ts';
import { mustCall } from './client.ts';
import { newTenant, stepUp } from './tenant.ts';

test('a new tenant is an owner with one workspace and one environment, and shares nothing with the next', async () => {
  const planes = await startPlanes({ gateways: 0 });
  const [one, other] = [await newTenant(planes), await newTenant(planes)];
  assert.notEqual(one.organization_id, other.organization_id);
  await stepUp(planes.controlUrl, one);
  const session = await mustCall(planes.controlUrl, 'GET', '/v1/auth/session', { token: one.token });
  assert.equal(session.organization.id, one.organization_id);
  assert.ok(Date.parse(session.step_up_expires_at) > Date.now());
  const environments = await mustCall(planes.controlUrl, 'GET', '/v1/environments', { token: one.token });
  assert.deepEqual(
    environments.map(({ id, workspace_id }: { id: string; workspace_id: string }) => [id, workspace_id]),
    [[one.environment_id, one.workspace_id]],
  );
  await planes.stop();
});
