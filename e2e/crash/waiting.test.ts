import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

/** Maximum wait; a request that is not answered when the gateway stops is answered by then. */
const WAIT_SECONDS = 30;
/** A request without a waiting slot is answered sooner than this, on any machine. */
const NO_PLACE_SECONDS = 10;

let planes: StartedPlanes;
let governed: Governed;
before(async () => {
  // An organization has half of two connections, which is one.
  planes = await startPlanes({ env: { SVC_DATABASE_CONNECTIONS: '2' } });
  governed = await newGoverned(planes, { rules: [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });
});
after(() => planes.stop());

const own = (id: string, query = ''): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'GET', `/gateway/v1/approvals/${id}${query}`, { token: governed.token });

test('agents that wait for approvals hold no database connection, and get the current status once the gateway is stopped', async () => {
  const [gateway] = planes.gateways;
  assert.ok(gateway);
  gateway.ref();
  const ended = new Promise<number | null>((resolve) => gateway.once('exit', resolve));
  const { approval_id } = (await governed.act({})).json.error.details;
  let answered = 0;
  let isStopping = false;
  /** Retries while every slot is taken, since such a request is answered at once. */
  const wait = async (): Promise<{ status: number; json: TestResponse['json']; seconds: number }> => {
    const began = performance.now();
    const { status, json } = await own(approval_id, `?wait=${WAIT_SECONDS}`);
    const seconds = (performance.now() - began) / 1000;
    if (seconds < NO_PLACE_SECONDS && !isStopping) return sleep(100).then(wait);
    answered += 1;
    return { status, json, seconds };
  };
  const waiting = Array.from({ length: LIMITS.approvals.waitersPerAgentMax }, wait);
  await waitUntil('all places to wait at are taken', async () => {
    const began = performance.now();
    const stands = await own(approval_id, '?wait=3');
    assert.equal(stands.status, 200, stands.text);
    if (performance.now() - began < 2_000) return true;
    // It had a slot itself, which a waiting request gets next.
    await sleep(2_000);
    return false;
  });
  assert.equal(answered, 0);
  // Uses the only connection that the organization has.
  assert.deepEqual([(await own(approval_id)).json.status, answered], ['PENDING', 0]);
  isStopping = true;
  gateway.kill('SIGTERM');
  for (const { status, json, seconds } of await Promise.all(waiting)) {
    assert.deepEqual([status, json.status], [200, 'PENDING']);
    assert.ok(seconds < WAIT_SECONDS, `answered after ${seconds} s`);
  }
  assert.equal(await ended, 0);
});
