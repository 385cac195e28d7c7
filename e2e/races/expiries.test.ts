import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { startWithWrongClock } from '@svc/testing/planes/start-with-wrong-clock.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { DOORS } from './doors.ts';
import { type Scene, SETTINGS, setScene } from './scene.ts';

const DAY = 86_400;

let scene: Scene;
let ahead: RunningProcess;
let behind: RunningProcess;
before(async () => {
  scene = await setScene();
  const env = { ...SETTINGS, SVC_BASE_URL: scene.baseUrl, SVC_CLOCK_SKEW_MAX_SECONDS: String(2 * DAY) };
  [ahead, behind] = await Promise.all([
    startWithWrongClock(scene.planes, { plane: 'control-plane', aheadSeconds: DAY, env }),
    startWithWrongClock(scene.planes, { plane: 'control-plane', aheadSeconds: -DAY, env }),
  ]);
});
after(async () => {
  await Promise.all([ahead.stop(), behind.stop()]);
  await scene.stop();
});

for (const door of DOORS.filter(({ isFirstStart }) => !isFirstStart))
  test(`lasts by the clock of the database, and by no plane's own: ${door.name}`, async () => {
    await scene.forget();
    const good = await (await door.ready(scene)).use(0, ahead.url);
    assert.ok(good.status < 300, `at a plane a day ahead: ${good.text}`);
    if (door.expire === undefined) return;
    await scene.forget();
    const { use } = await door.ready(scene);
    await scene.owner.query(door.expire);
    const over = await use(0, behind.url);
    assert.ok(over.status >= 400 && over.status < 500, `over, at a plane a day behind: ${over.text}`);
  });

test('a session and a key last by it too, and end by it', async () => {
  const { controlUrl, token } = scene.tenant;
  const body = { name: 'short', role_id: builtInRole('viewer').id };
  const key = (await mustCall(controlUrl, 'POST', '/v1/api-keys', { token, body })).token;
  const person = await signUp(controlUrl);
  const ask = (url: string, credential: string) => call(url, 'GET', '/v1/auth/session', { token: credential });
  for (const credential of [person.token, key]) {
    assert.equal((await ask(ahead.url, credential)).status, 200);
    for (const table of ['sessions', 'api_keys'])
      await scene.owner.query(`update ${table} set expires_at = now() - interval '1 second' where token_hash = $1`, [
        hashSecret(credential),
      ]);
    assert.equal((await ask(behind.url, credential)).status, 401);
  }
});
