import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import { call } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ tenantPerTest: true });

const send = (method: string, path: string, body?: object, token = s.tenant.token, headers: Record<string, string> = {}) =>
  call(s.planes.controlUrl, method, `/v1/webhooks${path}`, { token, headers, ...(body ? { body } : {}) });
const bodyFor = (more: object = {}) => ({
  name: `Receiver ${newUlid()}`,
  url: 'https://hooks.example.com/a?b=c',
  event_types: ['agent.created'],
  ...more,
});
const createWebhook = (more: object = {}, token = s.tenant.token, headers?: Record<string, string>) =>
  send('POST', '', bodyFor(more), token, headers);
const listWebhooks = (token?: string) => send('GET', '', undefined, token);
const getWebhook = (id: string, token?: string) => send('GET', `/${id}`, undefined, token);
const updateWebhook = (id: string, body: object, token?: string) => send('PATCH', `/${id}`, body, token);
const deleteWebhook = (id: string, token?: string) => send('DELETE', `/${id}`, undefined, token);
const rotateWebhookSecret = (id: string, token?: string) => send('POST', `/${id}/rotate-secret`, {}, token);
const testWebhook = (id: string, token?: string) => send('POST', `/${id}/test`, {}, token);
const listDeliveries = (id: string, query = '', token?: string) => send('GET', `/${id}/deliveries${query}`, undefined, token);
const getDelivery = (id: string, delivery: string) => send('GET', `/${id}/deliveries/${delivery}`);
const redeliverDelivery = (id: string, delivery: string) => send('POST', `/${id}/deliveries/${delivery}/redeliver`, {});
const redeliverFailed = (id: string, since: string) => send('POST', `/${id}/redeliver`, { since });

test('the signing secret is returned once: sealed in the database, and in no list, event, log or repeated response', async () => {
  const body = bodyFor();
  const headers = { 'idempotency-key': newUlid() };
  const made = await send('POST', '', body, s.tenant.token, headers);
  const { id, secret } = made.json;
  assert.match(secret, /^whsec_[0-9A-Za-z]{52}$/);
  const again = await send('POST', '', body, s.tenant.token, headers);
  assert.deepEqual([again.json.id, again.json.secret], [id, null]);
  const rotated = (await rotateWebhookSecret(id)).json.secret;
  const rows = await s.owner.query(
    'select s::text as row from webhook_subscriptions s where id = $1 union all select e::text from audit_events e where organization_id = $2 union all select i::text from idempotency_keys i where organization_id = $2',
    [id, s.tenant.organization_id],
  );
  const shown = [(await listWebhooks()).text, (await getWebhook(id)).text, JSON.stringify(rows.rows), s.planes.logs()].join();
  for (const each of [secret, rotated])
    for (const form of [each, Buffer.from(each).toString('hex'), Buffer.from(each).toString('base64')]) assert.ok(!shown.includes(form));
});

test('the record contains no authentication data of a receiver, on creation, change or deletion', async () => {
  const key = `key${newUlid()}`;
  const { id } = (await createWebhook({ url: `https://hooks.example.com/in?code=${key}&tenant=7` })).json;
  const url = `https://hooks.example.com/in/Xp7Lm2Vt9Kd4Rw8Zs1Bn6Qy3Tc?${key}`;
  assert.equal((await updateWebhook(id, { url })).json.url, url);
  await deleteWebhook(id);
  const { rows } = await s.owner.query(
    "select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id",
    [id],
  );
  const [masked, moved] = ['https://hooks.example.com/in?code=[masked]&tenant=[masked]', 'https://hooks.example.com/in/[masked]?[masked]'];
  assert.deepEqual(
    rows.map(({ data }) => [data.before?.url, data.after?.url]),
    [
      [undefined, masked],
      [masked, moved],
      [moved, undefined],
    ],
  );
});

test('a receiver URL uses https, has no user, password or fragment, and a bounded length', async () => {
  const wrong = [
    ...['http://hooks.example.com/', 'https://me:secret@hooks.example.com/', 'https://hooks.example.com/#a', 'ftp://hooks.example.com/'],
    ...[
      'hooks.example.com',
      'https://',
      'https://hooks.example.com/a b',
      `https://hooks.example.com/${'a'.repeat(LIMITS.webhooks.urlLengthMax)}`,
    ],
  ];
  for (const url of wrong) {
    const { status, json } = await createWebhook({ url });
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/url'], url);
  }
  const { json } = await createWebhook();
  assert.equal((await updateWebhook(json.id, { url: 'http://hooks.example.com/' })).status, 400);
});

test('accepts only deliverable event types, each once and at least one', async () => {
  for (const event_types of [[], ['user.login_failed'], ['agent.created', 'agent.created'], ['nothing'], '*'])
    assert.equal((await createWebhook({ event_types })).status, 400, JSON.stringify(event_types));
});

test('subscribing requires permission to read the delivered events', async () => {
  const roleId = `rol_${newUlid()}`;
  await s.owner.query(
    "insert into roles (id, organization_id, name, permissions) values ($1, $2, 'hooks', array['webhook:create', 'webhook:update', 'agent:read'])",
    [roleId, s.tenant.organization_id],
  );
  const { token } = await insertPerson(s.owner, s.tenant.organization_id, { id: roleId });
  const refused = await createWebhook({ event_types: ['agent.created', 'policy.updated'] }, token);
  assert.deepEqual([refused.status, refused.json.error.details.permissions], [403, ['policy:read']]);
  const { json } = await createWebhook({}, token);
  assert.equal((await updateWebhook(json.id, { event_types: ['action.allowed'] }, token)).status, 403);
  const theirs = (await createWebhook({ event_types: ['policy.updated'] })).json;
  assert.equal((await updateWebhook(theirs.id, { url: 'https://evil.example/' }, token)).status, 403);
  assert.equal((await updateWebhook(theirs.id, { status: 'DISABLED' }, token)).status, 200);
});

test('a caller limited to workspaces subscribes only to theirs, and cannot see or change others', async () => {
  const { token } = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { workspaces: [s.tenant.workspace_id] });
  const wide = (await createWebhook()).json;
  assert.equal((await createWebhook({}, token)).status, 403);
  const other = await newControlClient(s.planes.controlUrl, s.tenant.token).createWorkspace({ body: { name: 'Other' } });
  assert.equal((await createWebhook({ workspace_id: other.id }, token)).status, 404);
  const own = (await createWebhook({ workspace_id: s.tenant.workspace_id }, token)).json;
  assert.deepEqual(
    (await listWebhooks(token)).json.map(({ id }: { id: string }) => id),
    [own.id],
  );
  assert.equal((await updateWebhook(own.id, { workspace_id: null }, token)).status, 403);
  const tried = [
    ...[await getWebhook(wide.id, token), await updateWebhook(wide.id, { status: 'DISABLED' }, token), await deleteWebhook(wide.id, token)],
    ...[await rotateWebhookSecret(wide.id, token), await testWebhook(wide.id, token), await listDeliveries(wide.id, '', token)],
  ];
  for (const { status } of tried) assert.equal(status, 404);
  const place = await createWebhook({ environment_id: s.tenant.environment_id }, token);
  assert.deepEqual([place.json.workspace_id, place.json.environment_id], [s.tenant.workspace_id, s.tenant.environment_id]);
});

test('a person who changes what is delivered becomes responsible for it; renaming or ending it changes nothing of that', async () => {
  const admin = await insertPerson(s.owner, s.tenant.organization_id, 'admin');
  const { id, vouched_by } = (await createWebhook()).json;
  assert.deepEqual(vouched_by, { type: 'USER', id: s.tenant.user.id });
  assert.equal((await updateWebhook(id, { name: newUlid() }, admin.token)).json.vouched_by.id, s.tenant.user.id);
  assert.equal((await updateWebhook(id, { status: 'DISABLED' }, admin.token)).json.vouched_by.id, s.tenant.user.id);
  const back = (await updateWebhook(id, { status: 'ACTIVE' }, admin.token)).json;
  assert.deepEqual([back.vouched_by.id, back.status, back.disabled_reason], [admin.id, 'ACTIVE', null]);
});

test('limits the subscriptions of an organization, also for concurrent requests, and requires unique names', async () => {
  const { subscriptionsMax } = LIMITS.webhooks;
  const name = newUlid();
  assert.deepEqual([(await createWebhook({ name })).status, (await createWebhook({ name })).status], [201, 409]);
  await s.owner.query(
    `insert into webhook_subscriptions (organization_id, id, name, url, event_types, sealed_secret, vouched_by_type, vouched_by, created_by)
     select organization_id, id || n, id || n, url, event_types, sealed_secret, vouched_by_type, vouched_by, created_by
       from webhook_subscriptions, generate_series(1, $2) n where organization_id = $1`,
    [s.tenant.organization_id, subscriptionsMax - 2],
  );
  const answers = await Promise.all(Array.from({ length: 4 }, () => createWebhook()));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal((await listWebhooks()).json.length, subscriptionsMax);
  // A caller who sees a part of the organization is still bound by the limit of the whole.
  const { token } = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { workspaces: [s.tenant.workspace_id] });
  assert.equal((await createWebhook({ workspace_id: s.tenant.workspace_id }, token)).status, 400);
});

test('a disabled subscription sends nothing, and queues a limited number of tests', async () => {
  const { subscriptionId, deliveryId } = await newWebhook(s.tenant);
  for (let n = 1; n < LIMITS.webhooks.queuedTestsMax; n += 1) assert.equal((await testWebhook(subscriptionId)).status, 200);
  assert.equal((await testWebhook(subscriptionId)).json.error.code, 'INVALID_STATE_TRANSITION');
  await updateWebhook(subscriptionId, { status: 'DISABLED' });
  for (const answer of [await testWebhook(subscriptionId), await redeliverDelivery(subscriptionId, deliveryId)])
    assert.equal(answer.json.error.code, 'INVALID_STATE_TRANSITION');
  assert.equal((await redeliverFailed(subscriptionId, 'yesterday')).status, 400);
});

test('lists deliveries newest first in pages, by status and event, and none of another subscription', async () => {
  const { subscriptionId, deliveryId } = await newWebhook(s.tenant);
  const another = await newWebhook(s.tenant);
  const second = (await testWebhook(subscriptionId)).json;
  const first = (await listDeliveries(subscriptionId, '?limit=1')).json;
  assert.deepEqual([first.data[0].id, first.page.has_more], [second.id, true]);
  const next = (await listDeliveries(subscriptionId, `?limit=1&cursor=${first.page.next_cursor}`)).json;
  assert.deepEqual([next.data[0].id, next.page.has_more], [deliveryId, false]);
  assert.equal((await listDeliveries(subscriptionId, `?event_id=${second.event_id}`)).json.data.length, 1);
  assert.equal((await listDeliveries(subscriptionId, '?status=FAILED')).json.data.length, 0);
  assert.equal((await getDelivery(subscriptionId, another.deliveryId)).status, 404);
  assert.equal((await redeliverDelivery(subscriptionId, another.deliveryId)).status, 404);
  const elsewhere = (await listDeliveries(another.subscriptionId, `?cursor=${first.page.next_cursor}`)).json;
  assert.equal(elsewhere.error.code, 'VALIDATION_FAILED');
});

test('a deleted subscription is removed with its deliveries, which the audit log records', async () => {
  const { subscriptionId, deliveryId } = await newWebhook(s.tenant);
  assert.equal((await deleteWebhook(subscriptionId)).status, 200);
  const gone = [await getWebhook(subscriptionId), await listDeliveries(subscriptionId), await getDelivery(subscriptionId, deliveryId)];
  for (const { status } of [...gone, await deleteWebhook(subscriptionId)]) assert.equal(status, 404);
});
