import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { noteUse } from '@svc/postgres/people/auth/note-use.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { sendCallFromAddress } from '@svc/testing/people/call-from.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const OTHER = '127.0.0.2';

const s = createScene();

const getCode = ({ status, json }: Pick<TestResponse, 'status' | 'json'>): string => json?.error?.code ?? String(status);
const ask = (token: string, method: string, path: string, body?: object, base = s.planes.controlUrl) =>
  call(base, method, path, { token, ...(body ? { body } : {}) });
const create = (token: string, more: object = {}, base = s.planes.controlUrl) =>
  ask(token, 'POST', '/v1/api-keys', { name: 'Key', role_id: getBuiltInRole('admin').id, ...more }, base);
const read = async (token: string, from = '127.0.0.1') =>
  getCode(await sendCallFromAddress(from, s.planes.controlUrl, 'GET', '/v1/auth/session', { token }));
const rotateApiKey = (token: string, id: string, body?: object) => ask(token, 'POST', `/v1/api-keys/${id}/rotate`, body);

describe('the networks of an API key', () => {
  test('admit it from there alone, on every request, and do not restrict its creator', async () => {
    const { api_key, token } = (await create(s.tenant.token, { allowed_networks: ['127.0.0.2/32', '2001:DB8::/32'] })).json;
    assert.deepEqual(api_key.allowed_networks, ['127.0.0.2/32', '2001:db8::/32']);
    assert.deepEqual([await read(token), await read(token, OTHER), await read(s.tenant.token)], ['NETWORK_RESTRICTED', '200', '200']);
    const { status, json } = await ask(token, 'GET', '/v1/agents');
    assert.deepEqual([status, json.error.details], [403, { source_address: '127.0.0.1' }]);
  });

  test('restrict the keys that it creates, regardless of their own networks', async () => {
    const first = (await create(s.tenant.token, { allowed_networks: ['127.0.0.2/32'] })).json.token;
    const made = await sendCallFromAddress(OTHER, s.planes.controlUrl, 'POST', '/v1/api-keys', {
      token: first,
      body: { name: 'Next', role_id: getBuiltInRole('viewer').id, allowed_networks: ['127.0.0.0/8'] },
    });
    assert.equal(made.status, 201);
    assert.deepEqual([await read(made.json.token), await read(made.json.token, OTHER)], ['NETWORK_RESTRICTED', '200']);
  });

  test('must be in CIDR form; anything else is refused with its pointer', async () => {
    for (const [index, wrong] of ['office', '10.0.0.1/8', '10.0.0.0', '10.0.0.0/33', '010.0.0.0/8', '0/0', ''].entries()) {
      const { status, json } = await create(s.tenant.token, { allowed_networks: ['10.0.0.0/8', wrong] });
      assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/allowed_networks/1'], `${index} ${wrong}`);
    }
  });

  test('use the address that the control plane sees, and no header without a trusted proxy', async () => {
    const { token } = (await create(s.tenant.token, { allowed_networks: ['203.0.113.7/32'] })).json;
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip']) {
      const headers = { [header]: header === 'forwarded' ? 'for=203.0.113.7' : '203.0.113.7' };
      assert.equal(getCode(await call(s.planes.controlUrl, 'GET', '/v1/agents', { token, headers })), 'NETWORK_RESTRICTED', header);
    }
  });

  test('use the last address that a trusted proxy reports, and no earlier one', async () => {
    const behind = await startPlanes({ gateways: 0, env: { SVC_TRUST_PROXY: 'true', SMTP_URL: 'smtp://127.0.0.1:9' } });
    const person = await newTenant(behind);
    const { token } = (await create(person.token, { allowed_networks: ['203.0.113.7/32'] }, behind.controlUrl)).json;
    const from = async (forwarded: string) =>
      getCode(await call(behind.controlUrl, 'GET', '/v1/agents', { token, headers: { 'x-forwarded-for': forwarded } }));
    assert.deepEqual(
      [
        await from('203.0.113.7'),
        await from('198.51.100.1, 203.0.113.7'),
        await from('::ffff:203.0.113.7'),
        await from('203.0.113.7, 198.51.100.1'),
        await from('203.0.113.8'),
        await from('nonsense'),
      ],
      ['200', '200', '200', 'NETWORK_RESTRICTED', 'NETWORK_RESTRICTED', 'NETWORK_RESTRICTED'],
    );
    await behind.stop();
  });
});

test('the last use of a key is returned with its time and address, and written at most once a minute', async () => {
  const { api_key, token } = (await create(s.tenant.token)).json;
  assert.deepEqual([api_key.last_used_at, api_key.last_used_from], [null, null]);
  const told = async () =>
    (await mustCall(s.planes.controlUrl, 'GET', '/v1/api-keys', { token: s.tenant.token })).find(
      ({ id }: { id: string }) => id === api_key.id,
    );
  const versions = async () => (await s.owner.query('select xmin::text from api_keys where id = $1', [api_key.id])).rows[0].xmin;
  await Promise.all(Array.from({ length: 20 }, () => read(token, OTHER)));
  const first = await told();
  assert.equal(first.last_used_from, OTHER);
  assert.ok(Math.abs(Date.parse(first.last_used_at) - Date.now()) < 60_000);
  const written = await versions();
  await Promise.all(Array.from({ length: 20 }, () => read(token)));
  assert.deepEqual([await versions(), (await told()).last_used_from], [written, OTHER]);
  // Simulates a plane that read the caller before another one recorded its use.
  const role = 'svc_identity';
  const identity = connect({ url: s.planes.database.url, role, ...testLogin(role), connectionsMax: 1, timeoutMs: 20_000 });
  const whose = { kind: 'API_KEY', organization_id: s.tenant.organization_id, credential_id: api_key.id, address: '127.0.0.1' } as const;
  await noteUse(identity, { ...whose, at: new Date(), notedSince: new Date(Date.parse(first.last_used_at) - 1) });
  await identity.destroy();
  assert.deepEqual([await versions(), (await told()).last_used_from], [written, OTHER]);
  await s.owner.query("update api_keys set last_used_at = now() - interval '61 seconds' where id = $1", [api_key.id]);
  await read(token);
  assert.equal((await told()).last_used_from, '127.0.0.1');
});

describe('rotating an API key', () => {
  test('returns a new secret once; both are accepted until the overlap ends, and then only the new one', async () => {
    const { api_key, token } = (await create(s.tenant.token)).json;
    const rotated = await rotateApiKey(s.tenant.token, api_key.id, { overlap_seconds: 600 });
    assert.equal(rotated.status, 200, rotated.text);
    assert.match(rotated.json.token, /^svc_key_[0-9A-Za-z]{49}$/);
    assert.ok(Math.abs(Date.parse(rotated.json.api_key.overlap_ends_at) - Date.now() - 600_000) < 60_000);
    assert.deepEqual([await read(token), await read(rotated.json.token)], ['200', '200']);
    await s.owner.query("update api_keys set previous_ends_at = now() - interval '1 second' where id = $1", [api_key.id]);
    assert.deepEqual([await read(token), await read(rotated.json.token)], ['UNAUTHENTICATED', '200']);
    assert.equal(rotated.json.api_key.expires_at, api_key.expires_at);
    const dump = JSON.stringify(
      (await s.owner.query("select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1", [api_key.id])).rows,
    );
    assert.ok(!dump.includes(rotated.json.token) && !s.planes.logs().includes(rotated.json.token));
  });

  test('ends the old secret at once on request, then or by endPreviousSecret; a third secret ends the first', async () => {
    const { api_key, token } = (await create(s.tenant.token)).json;
    const second = (await rotateApiKey(s.tenant.token, api_key.id, { overlap_seconds: 0 })).json.token;
    assert.deepEqual([await read(token), await read(second)], ['UNAUTHENTICATED', '200']);
    const third = (await rotateApiKey(s.tenant.token, api_key.id, { expires_in_days: 30 })).json;
    assert.ok(Math.abs(Date.parse(third.api_key.expires_at) - Date.now() - 30 * 86_400_000) < 60_000);
    const fourth = (await rotateApiKey(s.tenant.token, api_key.id)).json.token;
    assert.deepEqual([await read(second), await read(third.token), await read(fourth)], ['UNAUTHENTICATED', '200', '200']);
    const ended = await ask(s.tenant.token, 'DELETE', `/v1/api-keys/${api_key.id}/previous-secret`);
    assert.deepEqual([ended.status, ended.json.overlap_ends_at], [200, null]);
    assert.deepEqual([await read(third.token), await read(fourth)], ['UNAUTHENTICATED', '200']);
    await ask(s.tenant.token, 'DELETE', `/v1/api-keys/${api_key.id}`);
    assert.equal(await read(fourth), 'UNAUTHENTICATED');
    assert.equal(getCode(await rotateApiKey(s.tenant.token, api_key.id)), 'INVALID_STATE_TRANSITION');
  });

  test('is allowed to the creator of the key and the key itself, so that no secret outlives the permissions of its holder', async () => {
    const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const other = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
    const { api_key, token } = (await create(admin.token)).json;
    assert.equal(getCode(await rotateApiKey(other.token, api_key.id)), 'PERMISSION_DENIED');
    const below = (await create(token)).json;
    const sibling = (await create(admin.token)).json;
    assert.equal(getCode(await rotateApiKey(sibling.token, api_key.id)), 'PERMISSION_DENIED');
    assert.equal(getCode(await rotateApiKey(below.token, api_key.id)), 'PERMISSION_DENIED');
    assert.equal((await rotateApiKey(admin.token, below.api_key.id)).status, 200);
    const own = await rotateApiKey(token, api_key.id, { overlap_seconds: 0 });
    assert.equal(own.status, 200);
    assert.equal(own.json.api_key.created_by, admin.id);
    await s.owner.query('delete from members where user_id = $1', [admin.id]);
    assert.equal(await read(own.json.token), 'UNAUTHENTICATED');
  });

  test('leaves exactly two accepted secrets under concurrency', async () => {
    const { api_key, token } = (await create(s.tenant.token)).json;
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotateApiKey(s.tenant.token, api_key.id)));
    const secrets = [token, ...answers.map(({ json }) => json.token)];
    const alive = (await Promise.all(secrets.map((each) => read(each)))).filter((each) => each === '200');
    assert.equal(alive.length, 2);
  });
});

test('a key is limited to a set of existing workspaces, each named once', async () => {
  const other = await mustCall(s.planes.controlUrl, 'POST', '/v1/workspaces', { token: s.tenant.token, body: { name: 'Other' } });
  const third = await mustCall(s.planes.controlUrl, 'POST', '/v1/workspaces', { token: s.tenant.token, body: { name: 'Third' } });
  const workspace_ids = [s.tenant.workspace_id, other.id];
  const { api_key, token } = (await create(s.tenant.token, { workspace_ids })).json;
  assert.deepEqual([api_key.workspace_id, api_key.workspace_ids], [null, workspace_ids]);
  const seen = await mustCall(s.planes.controlUrl, 'GET', '/v1/workspaces', { token });
  assert.deepEqual(seen.map(({ id }: { id: string }) => id).sort(), workspace_ids.toSorted());
  assert.equal(getCode(await create(token, { workspace_ids: [other.id, third.id] })), 'NOT_FOUND');
  assert.equal((await create(token, { workspace_ids: [other.id] })).status, 201);
  assert.equal(getCode(await create(token)), 'PERMISSION_DENIED');
  const both = await create(s.tenant.token, { workspace_ids, workspace_id: other.id });
  assert.deepEqual([both.status, both.json.error.details.faults[0].pointer], [400, '/workspace_ids']);
  for (const wrong of [[], [other.id, other.id], Array.from({ length: 51 }, (_, n) => `wsp_${n}`)])
    assert.equal((await create(s.tenant.token, { workspace_ids: wrong })).status, 400);
});
