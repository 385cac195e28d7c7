import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { startWithWrongClock } from '@svc/testing/planes/start-with-wrong-clock.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { getStoredHash } from '@svc/testing/records/new-secret.ts';
import { ENDPOINTS } from './doors.ts';
import { PARALLEL, runRound } from './race.ts';
import { getPlaneUrl, type RaceScene, SETTINGS, setScene } from './scene.ts';

const DAY = 86_400;

let scene: RaceScene;
let planes: readonly RunningProcess[];
let ahead: string;
let behind: string;
before(async () => {
  scene = await setScene();
  const env = { ...SETTINGS, SVC_BASE_URL: scene.baseUrl, SVC_CLOCK_SKEW_MAX_SECONDS: String(2 * DAY) };
  const ports = [await freePort(), await freePort()] as const;
  const start = (port: number, aheadSeconds: number) =>
    startWithWrongClock(scene.planes, { plane: 'control-plane', aheadSeconds, env: { ...env, CONTROL_PLANE_PORT: String(port) } });
  planes = await Promise.all([start(ports[0], DAY), start(ports[1], -DAY)]);
  [ahead, behind] = [getPlaneUrl(ports[0]), getPlaneUrl(ports[1])];
});
after(async () => {
  await Promise.all(planes.map(({ stop }) => stop()));
  await scene.stop();
});

/** Fewer uses where each hashes a password: every use counts alike. */
const HASHING = 8;

for (const door of ENDPOINTS) {
  const parallel = door.hashes ? HASHING : PARALLEL;
  test(`of ${parallel} concurrent uses at two planes one wins: ${door.name}`, async () => {
    assert.deepEqual(await runRound(scene, door, parallel), []);
  });
}

for (const door of ENDPOINTS.filter(({ isFirstStart }) => !isFirstStart))
  test(`expires by the clock of the database, and not of an instance: ${door.name}`, async () => {
    await scene.forget();
    const good = await (await door.ready(scene)).use(0, ahead);
    assert.ok(good.status < 300, `at a plane a day ahead: ${good.text}`);
    if (door.expire === undefined) return;
    await scene.forget();
    const { use } = await door.ready(scene);
    await scene.owner.query(door.expire);
    const over = await use(0, behind);
    assert.ok(over.status >= 400 && over.status < 500, `over, at a plane a day behind: ${over.text}`);
  });

test('a session and a key also last and end by it', async () => {
  const { controlUrl, token } = scene.tenant;
  const body = { name: 'short', role_id: getBuiltInRole('viewer').id };
  const key = (await newControlClient(controlUrl, token).createApiKey({ body })).token;
  const person = await signUp(controlUrl);
  const ask = (url: string, credential: string) => call(url, 'GET', '/v1/auth/session', { token: credential });
  for (const credential of [person.token, key]) {
    assert.equal((await ask(ahead, credential)).status, 200);
    for (const table of ['sessions', 'api_keys'])
      await scene.owner.query(`update ${table} set expires_at = now() - interval '1 second' where token_hash = $1`, [
        getStoredHash(credential),
      ]);
    assert.equal((await ask(behind, credential)).status, 401);
  }
});

test('an object that ended at one plane has ended at the next request of the other', async () => {
  const [one = '', other = ''] = scene.urls;
  const { token: owner } = scene.tenant;
  const isLetIn = async (credential: string): Promise<boolean> => {
    const { status } = await call(other, 'GET', '/v1/auth/session', { token: credential });
    return status === 200;
  };
  for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
    const body = { name: `ends ${round}`, role_id: getBuiltInRole('viewer').id };
    const key = await mustCall(one, 'POST', '/v1/api-keys', { token: owner, body });
    const person = await signUp(one);
    assert.deepEqual([await isLetIn(key.token), await isLetIn(person.token)], [true, true]);
    await mustCall(one, 'DELETE', `/v1/api-keys/${key.api_key.id}`, { token: owner });
    assert.equal(await isLetIn(key.token), false);
    await mustCall(one, 'POST', '/v1/auth/logout', { token: person.token });
    assert.equal(await isLetIn(person.token), false);
  }
});
