import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { call } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';

let planes: StartedPlanes;
before(async () => {
  planes = await startPlanes();
});
after(() => planes.stop());

const subscribe = (...words: readonly string[]) =>
  spawnSync(process.execPath, [path.join(import.meta.dirname, 'subscription.ts'), ...words], {
    env: getPersonsEnvironment({ DATABASE_URL: planes.database.url, SVC_MASTER_KEY: TEST_MASTER_KEY }),
    encoding: 'utf8',
  });

test('a lapsed subscription refuses creations, never decisions or stops, until it is active again', async () => {
  const { tenant, act, agent, owner } = await newGoverned(planes);
  const { token, controlUrl, organization_id } = tenant;
  const create = (name: string) => call(controlUrl, 'POST', '/v1/workspaces', { token, body: { name } });
  const lapsed = subscribe(organization_id, 'LAPSED');
  assert.equal(lapsed.status, 0, lapsed.stderr);
  const refused = await create('Refused');
  assert.deepEqual([refused.status, refused.json.error.code], [402, 'SUBSCRIPTION_REQUIRED']);
  assert.equal((await act({ parameters: {} })).status, 200);
  assert.equal((await owner('GET', `/v1/agents/${agent.id}`)).status, 200);
  assert.equal((await owner('POST', `/v1/agents/${agent.id}/pause`, { reason: 'stop' })).status, 200);
  assert.match(subscribe(organization_id, 'ACTIVE').stdout, /was LAPSED, and is ACTIVE/);
  assert.equal((await create('Created')).status, 201);
  const { data } = (await call(controlUrl, 'GET', '/v1/audit-events?type=subscription.updated', { token })).json;
  assert.deepEqual(
    data.map((event: { data: { after: object } }) => event.data.after),
    [{ subscription: 'ACTIVE' }, { subscription: 'LAPSED' }],
  );
  const { status, stderr } = subscribe('org_00000000000000000000000000', 'LAPSED');
  assert.deepEqual([status, stderr.trim()], [1, 'There is no organization with the id or the name "org_00000000000000000000000000".']);
  assert.equal(subscribe(organization_id, 'ENDED').status, 2);
});
