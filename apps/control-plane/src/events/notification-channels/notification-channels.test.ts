import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ tenantPerTest: true });

const send = (method: string, path: string, body?: object, token = s.tenant.token, headers: Record<string, string> = {}) =>
  call(s.planes.controlUrl, method, `/v1/notification-channels${path}`, { token, headers, ...(body ? { body } : {}) });
const getUrl = (token = newUlid()) => `https://hooks.slack.com/services/T0/B0/${token}`;
const createNotificationChannel = (more: object = {}, token = s.tenant.token, headers = {}) =>
  send('POST', '', { name: `Channel ${newUlid()}`, webhook_url: getUrl(), notices: ['emergency'], ...more }, token, headers);
const getNotificationChannel = (id: string, token?: string) => send('GET', `/${id}`, undefined, token);
const listNotificationChannels = (token?: string) => send('GET', '', undefined, token);
const updateNotificationChannel = (id: string, body: object, token?: string) => send('PATCH', `/${id}`, body, token);
const deleteNotificationChannel = (id: string) => send('DELETE', `/${id}`);
const testNotificationChannel = (id: string) => send('POST', `/${id}/test`, {});

test('the URL of a channel is never returned: sealed in the database, and in no response, event, log or stored key', async () => {
  const [first, second] = [newUlid(), newUlid()];
  const headers = { 'idempotency-key': newUlid() };
  const body = { name: 'ops', webhook_url: getUrl(first) };
  const made = await createNotificationChannel(body, s.tenant.token, headers);
  const again = await createNotificationChannel(body, s.tenant.token, headers);
  assert.deepEqual([made.status, again.json.id], [201, made.json.id]);
  assert.equal(made.json.address, `hooks.slack.com/…${first.slice(-4)}`);
  const { id } = made.json;
  const changed = await updateNotificationChannel(id, { webhook_url: getUrl(second) });
  assert.equal(changed.json.address, `hooks.slack.com/…${second.slice(-4)}`);
  const refused = await createNotificationChannel({ name: 'ops', webhook_url: getUrl(second) });
  assert.equal(refused.json.error.code, 'ALREADY_EXISTS');
  const shown = [made, again, changed, refused, await getNotificationChannel(id), await listNotificationChannels()].map(({ text }) => text);
  const { rows } = await s.owner.query(
    `select e::text as text from audit_events e where organization_id = $1
      union all select i::text from idempotency_keys i where organization_id = $1
      union all select c::text from notification_channels c where organization_id = $1`,
    [s.tenant.organization_id],
  );
  for (const text of [...shown, ...rows.map((row) => row.text)])
    for (const token of [first, second]) assert.ok(!text.includes(token) && !text.includes(Buffer.from(token).toString('hex')), text);
  assert.ok(rows.some(({ text }) => text.includes('url_replaced')));
});

test('a URL must lead over TLS to Slack or to a host that the operator names, and is otherwise refused with the remedy', async () => {
  for (const webhook_url of [
    ...['http://hooks.slack.com/services/T0/B0/x', 'https://hooks.slack.com:8443/services/x', 'https://hooks.slack.com.evil.example/x'],
    ...['https://evil.example/hooks.slack.com', 'https://u:p@hooks.slack.com/x', 'https://127.0.0.1/x', 'https://hooks.slack.com/x#y'],
  ]) {
    const { status, json } = await createNotificationChannel({ webhook_url });
    assert.deepEqual(
      [status, json.error.code, json.error.details.faults[0].pointer],
      [400, 'VALIDATION_FAILED', '/webhook_url'],
      webhook_url,
    );
    assert.ok(!JSON.stringify(json).includes(webhook_url));
  }
  const { id } = (await createNotificationChannel({ webhook_url: 'https://hooks.slack.com/services/T0/B0/caf%C3%A9' })).json;
  for (const webhook_url of ['https://hooks.slack.com/services/100%', 'https://hooks.slack.com/%zz', 'https://hooks.slack.com/x?k=%ff'])
    for (const refused of [await createNotificationChannel({ webhook_url }), await updateNotificationChannel(id, { webhook_url })]) {
      const { pointer, message } = refused.json.error.details.faults[0];
      assert.deepEqual([refused.status, pointer], [400, '/webhook_url'], webhook_url);
      assert.match(message, /^Must contain % only at the start of a UTF-8 escape/);
    }
  const { json } = await createNotificationChannel({ webhook_url: 'https://chat.example.com/hooks/x' });
  assert.match(json.error.details.faults[0].message, /SVC_NOTIFICATION_HOSTS/);
});

test('creating or changing a channel requires the permissions to read its events, in a scope of the caller', async () => {
  const viewer = await insertPerson(s.owner, s.tenant.organization_id, 'viewer');
  assert.equal((await createNotificationChannel({}, viewer.token)).status, 403);
  const developer = await insertPerson(s.owner, s.tenant.organization_id, 'developer', { workspaces: [s.tenant.workspace_id] });
  const wide = await createNotificationChannel({}, developer.token);
  assert.equal(wide.json.error.code, 'PERMISSION_DENIED');
  const narrow = await createNotificationChannel({ environment_id: s.tenant.environment_id }, developer.token);
  assert.deepEqual([narrow.status, narrow.json.workspace_id, narrow.json.vouched_by.id], [201, s.tenant.workspace_id, developer.id]);
  const { json } = await createNotificationChannel();
  assert.equal((await getNotificationChannel(json.id, developer.token)).status, 404);
  const stranger = await newTenant(s.planes);
  for (const answer of [
    await getNotificationChannel(json.id, stranger.token),
    await updateNotificationChannel(json.id, { name: 'x' }, stranger.token),
  ])
    assert.equal(answer.status, 404);
});

test('a disabled channel receives nothing, not even a test, until it is enabled, and is deleted with its queue', async () => {
  const { id } = (await createNotificationChannel()).json;
  const waiting = async () => (await s.owner.query('select from channel_messages where channel_id = $1', [id])).rowCount;
  for (let n = 0; n < LIMITS.channels.queuedTestsMax; n += 1) assert.equal((await testNotificationChannel(id)).status, 200);
  assert.equal((await testNotificationChannel(id)).json.error.code, 'INVALID_STATE_TRANSITION');
  assert.equal(await waiting(), LIMITS.channels.queuedTestsMax);
  const disabled = await updateNotificationChannel(id, { status: 'DISABLED' });
  assert.deepEqual([disabled.json.status, disabled.json.disabled_reason, await waiting()], ['DISABLED', 'BY_HAND', 0]);
  assert.equal((await testNotificationChannel(id)).json.error.code, 'INVALID_STATE_TRANSITION');
  assert.equal((await updateNotificationChannel(id, { status: 'ACTIVE' })).json.disabled_reason, null);
  await testNotificationChannel(id);
  assert.equal((await deleteNotificationChannel(id)).status, 200);
  assert.deepEqual([(await getNotificationChannel(id)).status, await waiting()], [404, 0]);
});

test('limits the channels of an organization, also for concurrent requests', async () => {
  await createNotificationChannel();
  await s.owner.query(
    `insert into notification_channels (organization_id, id, name, address, sealed_url, notices, vouched_by_type, vouched_by, created_by)
     select organization_id, id || n, name || n, address, sealed_url, notices, vouched_by_type, vouched_by, created_by
       from notification_channels, generate_series(1, $2::integer) n where organization_id = $1`,
    [s.tenant.organization_id, LIMITS.channels.perOrganizationMax - 2],
  );
  const answers = await Promise.all([createNotificationChannel(), createNotificationChannel()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
});
