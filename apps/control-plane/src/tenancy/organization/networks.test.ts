import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { sendCallFromAddress } from '@svc/testing/people/call-from.ts';
import { call } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const OWN = '127.0.0.1';
const OTHER = '127.0.0.2';

const s = createScene({ tenantPerTest: true, steppedUp: true });

const patch = (body: object, token = s.tenant.token) => call(s.planes.controlUrl, 'PATCH', '/v1/organization', { token, body });
const readAt = async (address: string, token = s.tenant.token) => {
  const { status, json } = await sendCallFromAddress(address, s.planes.controlUrl, 'GET', '/v1/organization', { token });
  return status === 200 ? 200 : json.error.code;
};
const newKey = async (): Promise<string> =>
  (await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({ body: { name: 'Key', role_id: getBuiltInRole('admin').id } }))
    .token;

test('from outside the networks of an organization every row is refused to every person and key, and from inside none', async () => {
  const key = await newKey();
  const changed = await patch({ allowed_networks: ['127.0.0.1/32', '2001:DB8::/32', '127.0.0.1/32'] });
  assert.deepEqual(changed.json.allowed_networks, ['127.0.0.1/32', '2001:db8::/32']);
  for (const token of [s.tenant.token, key])
    assert.deepEqual([await readAt(OWN, token), await readAt(OTHER, token)], [200, 'NETWORK_RESTRICTED']);
  const rows = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(
    ([, { credential, wire }]) => (credential === 'person' || credential === 'caller') && wire === 'json',
  );
  assert.ok(rows.length > 60);
  for (const [name, { method, path }] of rows) {
    const url = path.replace(/\{\w+\}/g, 'x');
    const { status, json } = await sendCallFromAddress(OTHER, s.planes.controlUrl, method, url, { token: s.tenant.token });
    assert.deepEqual([status, json.error.code, json.error.details], [403, 'NETWORK_RESTRICTED', { source_address: OTHER }], name);
  }
  assert.equal(await readAt(OTHER, 'nonsense'), 'UNAUTHENTICATED');
  assert.deepEqual((await patch({ allowed_networks: [] })).json.allowed_networks, []);
  assert.deepEqual([await readAt(OWN), await readAt(OTHER)], [200, 200]);
});

test('a directory outside the networks of its organization is refused on every row, and changes nothing', async () => {
  const made = await newControlClient(s.planes.controlUrl, s.tenant.token).createScimToken({ body: {} });
  const asDirectory = (address: string, method: string, path: string) =>
    sendCallFromAddress(address, s.planes.controlUrl, method, path, { token: made.token });
  assert.equal((await asDirectory(OTHER, 'GET', '/scim/v2/Users')).status, 200);
  assert.equal((await patch({ allowed_networks: ['127.0.0.1/32'] })).status, 200);
  const rows = (Object.values(ENDPOINTS) as Endpoint[]).filter(({ credential }) => credential === 'directory');
  assert.ok(rows.length > 10);
  for (const { method, path } of rows) {
    const { status, json } = await asDirectory(OTHER, method, path.replace(/\{\w+\}/g, 'x'));
    assert.deepEqual([status, json.status], [403, '403'], `${method} ${path}`);
  }
  assert.equal((await asDirectory(OWN, 'GET', '/scim/v2/Users')).status, 200);
});

test('the use of a session from outside does not renew it, and networks do not restrict agents, which policies do', async () => {
  const agent = await newAgent(s.tenant, { capabilities: [] });
  await patch({ allowed_networks: ['192.0.2.0/24'], confirm_lockout: true });
  const owner = await s.planes.database.client();
  await owner.query("update sessions set last_used_at = now() - interval '50 minutes' where user_id = $1", [s.tenant.user.id]);
  assert.equal(await readAt(OWN), 'NETWORK_RESTRICTED');
  const { rows } = await owner.query("select last_used_at < now() - interval '40 minutes' as idle from sessions where user_id = $1", [
    s.tenant.user.id,
  ]);
  await owner.end();
  assert.deepEqual(rows, [{ idle: true }]);
  assert.ok(await mintToken(s.planes.gatewayUrl, agent));
});

test('refuses networks that lock the caller out, with their pointers, and accepts them from an owner who confirms', async () => {
  const refused = await patch({ allowed_networks: ['192.0.2.0/24'] });
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'VALIDATION_FAILED']);
  const { faults, ...details } = refused.json.error.details;
  assert.deepEqual([faults[0].pointer, details], ['/allowed_networks', { confirm: 'confirm_lockout', source_address: OWN }]);
  assert.equal(await readAt(OWN), 200);
  const key = await newKey();
  assert.equal((await patch({ allowed_networks: ['192.0.2.0/24'] }, key)).json.error.code, 'STEP_UP_REQUIRED');
  assert.equal((await patch({ allowed_networks: ['192.0.2.0/24'], confirm_lockout: true })).status, 200);
  assert.equal(await readAt(OWN), 'NETWORK_RESTRICTED');
  assert.equal(await readAt(OWN, key), 'NETWORK_RESTRICTED');
});

test('refuses a malformed network with its pointer, and all networks above the limit', async () => {
  for (const [wrong, pointer] of [
    [['127.0.0.0/8', '10.0.0.1/8'], '/allowed_networks/1'],
    [['127.0.0.1'], '/allowed_networks/0'],
    [['localhost/8'], '/allowed_networks/0'],
    [['127.0.0.1/8\u0000'], '/allowed_networks/0'],
    [[''], '/allowed_networks/0'],
    [[7], '/allowed_networks/0'],
    [null, '/allowed_networks'],
    ['127.0.0.0/8', '/allowed_networks'],
    [Array.from({ length: 101 }, (_, n) => `10.0.${n}.0/24`), '/allowed_networks'],
  ] as const) {
    const { status, json } = await patch({ allowed_networks: wrong, confirm_lockout: true });
    assert.deepEqual([status, json.error.code, json.error.details.faults[0].pointer], [400, 'VALIDATION_FAILED', pointer], String(wrong));
  }
});
