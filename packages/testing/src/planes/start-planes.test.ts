import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAudience } from '../agents/agent.ts';
import { createFreshDatabase } from '../database/database.ts';
import { startPlanes } from './start-planes.ts';

test('a plane that does not start is reported with its own message', async () => {
  await assert.rejects(startPlanes({ gateways: 0, env: { SESSION_TTL_SECONDS: 'soon' } }), /SESSION_TTL_SECONDS is "soon"/);
});

test('a plane answers over HTTP and stops on request', async () => {
  const database = await createFreshDatabase();
  const planes = await startPlanes({ gateways: 0, database });
  assert.equal((await fetch(`${planes.controlUrl}/v1/auth/session`)).status, 401);
  await planes.stop();
  assert.equal(planes.control.exitCode, 0);
  await assert.rejects(fetch(planes.controlUrl));
  await database.drop();
});

test('several gateways have their own addresses, and agents sign for one of them', async () => {
  const planes = await startPlanes({ gateways: 2 });
  assert.equal(new Set(planes.gatewayUrls).size, 2);
  const audiences = await Promise.all(planes.gatewayUrls.map(readAudience));
  assert.deepEqual(audiences, [planes.gatewayUrl, planes.gatewayUrl]);
  await planes.stop();
});
