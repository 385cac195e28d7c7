import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { getSetupToken } from '@svc/testing/people/setup-token.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: StartedPlanes;
before(async () => {
  buildPages();
  planes = await startPlanes({ gateways: 0 });
});
after(() => planes.stop());

const check = (at: StartedPlanes, setup_token?: string | null): Promise<TestResponse> =>
  call(at.controlUrl, 'POST', '/v1/auth/signup/check', { body: setup_token === undefined ? {} : { setup_token } });

test('the link of a first start keeps its secret in the fragment, which no server or other page receives', async () => {
  assert.match(planes.setupUrl ?? '', new RegExp(`^${planes.controlUrl}/setup#token=svc_setup_[0-9A-Za-z]{49}$`));
  const page = await call(planes.controlUrl, 'GET', '/setup');
  assert.deepEqual([page.status, page.headers.get('referrer-policy'), page.headers.get('cache-control')], [200, 'no-referrer', 'no-store']);
});

test('checkSignup: an unknown or truncated link is gone, and the response states that setup happens once', async () => {
  const token = getSetupToken(planes) ?? '';
  const right = await check(planes, token);
  assert.deepEqual([right.status, right.json], [200, { open: true }]);
  for (const wrong of ['', 'x', token.slice(0, -1), `${token}0`, token.toUpperCase(), `svc_setup_${'0'.repeat(49)}`]) {
    const { status, json } = await check(planes, wrong);
    assert.deepEqual([status, json.error.code], [410, 'GONE'], wrong);
    assert.match(json.error.message, /the first organization already exists/);
  }
  assert.equal((await check(planes, token)).status, 200);
});

test('checkSignup reports if sign-up is open before a form is filled in, with the messages of the sign-up itself', async () => {
  assert.deepEqual((await check(planes)).json, { open: true });
  const closed = await startPlanes({ gateways: 0, env: { SVC_SIGNUP: 'closed' } });
  try {
    const told = await check(closed);
    const body = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada', organizationName: 'Acme' };
    const refused = await call(closed.controlUrl, 'POST', '/v1/auth/signup/start', { body });
    const { request_id: _, ...said } = told.json.error;
    const { request_id: __, ...meant } = refused.json.error;
    assert.deepEqual([told.status, said], [403, meant]);
    assert.equal((await check(closed, getSetupToken(closed))).status, 200);
  } finally {
    await closed.stop();
  }
});

test('the first sign-up ends every set-up link, and no later start creates a new one', async () => {
  const database = await createFreshDatabase();
  const first = await startPlanes({ gateways: 0, database });
  const second = await startPlanes({ gateways: 0, database });
  const open = async (plane: StartedPlanes) => (await check(first, getSetupToken(plane))).status;
  assert.deepEqual([await open(first), await open(second)], [200, 200]);
  await signUp(first.controlUrl);
  assert.deepEqual([await open(first), await open(second)], [410, 410]);
  const third = await startPlanes({ gateways: 0, database });
  assert.equal(third.setupUrl, null);
  const client = await database.client();
  const { rows } = await client.query('select encode(token_hash, $1) as kept, used_at is not null as used from setup_links', ['escape']);
  assert.deepEqual(
    rows.map(({ used }) => used),
    [true, true],
  );
  for (const { kept } of rows) assert.ok(!kept.includes('svc_setup_'));
  await client.end();
  await Promise.all([first, second, third].map((plane) => plane.stop()));
  await database.drop();
});
