import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKeyPair, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  // A long timeout, so that no waiting request is refused.
  planes = await startPlanes({ env: { SVC_DATABASE_TIMEOUT_MS: '30000' } });
});
after(() => planes.stop());

const STRANGERS = 400;

test('assertions with a wrong key queue among unauthenticated clients, and never in the share of the organization they name', async () => {
  const governed = await newGoverned(planes);
  assert.equal((await governed.act({})).status, 200);
  const { gatewayUrl } = planes;
  const forged = { id: governed.agent.id, privateKey: newKeyPair().privateKey };
  const audience = await readAudience(gatewayUrl);
  const present = () => {
    const body = { agent_id: forged.id, assertion: signAssertion(forged, audience), sdk: SDK };
    return call(gatewayUrl, 'POST', '/gateway/v1/token', { body });
  };
  assert.equal((await present()).json.error.code, 'AGENT_AUTHENTICATION_FAILED');

  const owner = await planes.database.client();
  await owner.query('begin; lock table agent_epochs in access exclusive mode');
  const answered: TestResponse[] = [];
  const strangers = Array.from({ length: STRANGERS }, async () => answered.push(await present()));
  for (const until = performance.now() + 60_000; answered.length < STRANGERS / 4 && performance.now() < until; ) await sleep(20);
  const turnedAway = answered.filter(({ json }) => json.error.code === 'IDENTITY_SERVICE_UNAVAILABLE').length;
  const own = governed.act({ dry_run: true });
  await sleep(50);
  await owner.query('rollback');
  await owner.end();
  assert.equal((await own).status, 200, 'the agent itself is answered');
  await Promise.all(strangers);
  assert.ok(turnedAway >= STRANGERS / 4, `${turnedAway} were turned away while there was no answer for any of them`);
  assert.ok(answered.every(({ json }) => ['AGENT_AUTHENTICATION_FAILED', 'IDENTITY_SERVICE_UNAVAILABLE'].includes(json.error.code)));
});
