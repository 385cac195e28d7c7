import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';
import { call } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const ready = async (): Promise<number> => (await call(planes.gatewayUrl, 'GET', '/health/ready')).status;

test('a gateway that cannot log in as the recording role is not ready', async () => {
  const owner = await planes.database.client();
  const database = `"${new URL(planes.database.url).pathname.slice(1)}"`;
  const { user } = TEST_INSTALLATION.loginOf('svc_recorder');
  try {
    assert.equal(await ready(), 200);
    await owner.query(`revoke connect on database ${database} from public, "${user}"`);
    await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and datname = current_database()', [user]);
    await waitUntil('the gateway says that it is not ready', async () => (await ready()) === 503);
    const refused = await call(planes.gatewayUrl, 'GET', '/health/ready');
    assert.deepEqual(refused.json.error.details.checks, { database: 'unavailable' });
  } finally {
    await owner.query(`grant connect on database ${database} to public`);
    await owner.end();
  }
  await waitUntil('the gateway is ready again', async () => (await ready()) === 200);
});
