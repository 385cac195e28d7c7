import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
});
after(() => planes.stop());

/** Lists that are returned whole, for any requested range. */
const LISTS = [
  '/v1/workspaces',
  '/v1/environments',
  '/v1/credentials',
  '/v1/roles',
  '/v1/webhooks',
  '/v1/api-keys',
  '/v1/members/invitations',
  '/v1/sso/connections',
  '/v1/notification-channels',
] as const;

test('answers a list of few rows as a whole without limit, and in pages with one', async () => {
  const { owner } = governed;
  for (let n = 0; n < 2; n += 1) assert.equal((await owner('POST', '/v1/workspaces', { name: `More ${n}` })).status, 201);
  const whole = await owner('GET', '/v1/workspaces');
  assert.ok(whole.json.length >= 3);
  assert.equal(whole.headers.get('x-total-count'), String(whole.json.length));
  assert.equal(whole.headers.get('link'), null);
  const first = await owner('GET', '/v1/workspaces?limit=2');
  assert.deepEqual(first.json, whole.json.slice(0, 2));
  assert.equal(first.headers.get('link'), '</v1/workspaces?limit=2&offset=2>; rel="next"');
  const rest = await owner('GET', '/v1/workspaces?limit=2&offset=2');
  assert.deepEqual(rest.json, whole.json.slice(2, 4));
});

test('accepts limit and offset on each list, and refuses a malformed limit', async () => {
  for (const path of LISTS) {
    const page = await governed.owner('GET', `${path}?limit=1&offset=0`);
    assert.equal(page.status, 200, `${path}: ${page.text}`);
    assert.ok(page.json.length <= 1, path);
    for (const limit of ['0', '201', 'x']) {
      const refused = await governed.owner('GET', `${path}?limit=${limit}`);
      assert.equal(refused.json.error?.code, 'VALIDATION_FAILED', path);
      assert.equal(refused.json.error.details.faults[0].pointer, '/limit');
    }
  }
});
