import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const patch = ({ token, environment_id }: Pick<Tenant, 'token' | 'environment_id'>, body: object) =>
  call(planes.controlUrl, 'PATCH', `/v1/environments/${environment_id}`, { token, body });
const events = async ({ environment_id }: Tenant) =>
  (
    await owner.query(
      "select type, severity, workspace_id, environment_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id offset 1",
      [environment_id],
    )
  ).rows;
const epoch = async ({ environment_id }: Tenant): Promise<string> =>
  (await owner.query('select epoch from environment_epochs where environment_id = $1', [environment_id])).rows[0].epoch;

test('a name is changed and recorded; a taken one is refused, and the same again changes nothing', async () => {
  const tenant = await newTenant(planes);
  const body = { workspace_id: tenant.workspace_id, name: 'Staging', type: 'STAGING' };
  await mustCall(planes.controlUrl, 'POST', '/v1/environments', { token: tenant.token, body });
  assert.equal((await patch(tenant, { name: 'Staging' })).json.error.code, 'ALREADY_EXISTS');
  const moved = await epoch(tenant);
  const renamed = await patch(tenant, { name: 'Live' });
  assert.deepEqual([renamed.status, renamed.json.name, renamed.json.type], [200, 'Live', 'PRODUCTION']);
  assert.notEqual(await epoch(tenant), moved);
  assert.deepEqual((await patch(tenant, { name: 'Live' })).json, renamed.json);
  const data = { before: { name: 'Production' }, after: { name: 'Live' }, reason: null };
  const { workspace_id, environment_id } = tenant;
  assert.deepEqual(await events(tenant), [{ type: 'environment.updated', severity: 'info', workspace_id, environment_id, data }]);
});

test('requiring a delegation needs nothing more; no longer requiring it needs a recent step-up and a reason and is critical', async () => {
  const tenant = await newTenant(planes);
  const key = await newControlClient(planes.controlUrl, tenant.token).createApiKey({
    body: { name: 'Key', role_id: getBuiltInRole('admin').id },
  });
  const machine = { ...tenant, token: key.token };
  assert.equal((await patch(machine, { requires_delegation: true })).json.requires_delegation, true);
  assert.equal((await patch(machine, { requires_delegation: false, reason: 'x' })).json.error.code, 'STEP_UP_REQUIRED');
  assert.equal((await patch(tenant, { requires_delegation: false, name: 'Other', reason: 'x' })).json.error.code, 'STEP_UP_REQUIRED');
  await stepUp(planes.controlUrl, tenant);
  assert.equal((await patch(tenant, { requires_delegation: false })).json.error.details.faults[0].pointer, '/reason');
  assert.equal((await patch(tenant, { requires_delegation: false, reason: 'The trial is over.' })).json.requires_delegation, false);
  const told = (await events(tenant)).map(({ severity, data }) => [severity, data.before, data.after, data.reason]);
  assert.deepEqual(told, [
    ['info', { requires_delegation: false }, { requires_delegation: true }, null],
    ['critical', { requires_delegation: true }, { requires_delegation: false }, 'The trial is over.'],
  ]);
});

test('the gateway applies it from the next request on', async () => {
  const governed = await newGoverned(planes);
  assert.equal((await governed.act({})).status, 200);
  await patch(governed.tenant, { requires_delegation: true });
  const refused = await governed.act({});
  assert.equal(refused.status, 403, refused.text);
  assert.equal((await patch(governed.tenant, { requires_delegation: false, reason: 'x' })).status, 200);
  assert.equal((await governed.act({})).status, 200);
});

test('an empty or unknown change, and another tenant, are refused', async () => {
  const [tenant, stranger] = [await newTenant(planes), await newTenant(planes)];
  for (const body of [{}, { reason: 'x' }, { type: 'STAGING' }, { mode: 'OBSERVE' }])
    assert.equal((await patch(tenant, body)).json.error.code, 'VALIDATION_FAILED', JSON.stringify(body));
  const foreign = await patch({ ...stranger, environment_id: tenant.environment_id }, { name: 'Mine' });
  assert.equal(foreign.json.error.code, 'NOT_FOUND');
  assert.deepEqual(await events(tenant), []);
});
