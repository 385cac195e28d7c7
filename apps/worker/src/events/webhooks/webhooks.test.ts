import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { verifyWebhook } from '@svc/sdk/webhooks.ts';
import { type OwnServer, startOwnServer } from '@svc/testing/database/own-server.ts';
import { LETS_OUT, startWorker } from '@svc/testing/events/start-worker.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@svc/testing/peers/webhook-receiver.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';

let server: OwnServer;
let planes: Planes;
let names: NameServer;
let worker: RunningProcess;
let receiver: WebhookReceiver;
let owner: pg.Client;
let tenant: Tenant;
before(async () => {
  names = await startNameServer();
  const env = { ...LETS_OUT, SVC_EGRESS_NAME_SERVERS: names.address };
  // Any transaction in another database of the same server holds the feed back.
  server = await startOwnServer();
  planes = await startPlanes({ database: server.database, gateways: 0, env });
  [receiver, owner, worker] = await Promise.all([startWebhookReceiver(), planes.database.client(), startWorker(planes.database, env)]);
  const begun = async () => (await owner.query("select from feed_positions where consumer = 'webhooks'")).rowCount === 1;
  await waitUntil('the worker reads on', begun);
});
beforeEach(async () => {
  tenant = await newTenant(planes);
});
after(async () => {
  await owner.end();
  await Promise.all([worker.stop(), receiver.close(), names.close()]);
  await planes.stop();
  await server.remove();
});

let made = 0;
type Subscribed = { readonly id: string; readonly secret: string; readonly path: string };

const subscribe = async (manner: Parameters<WebhookReceiver['url']>[0] = 'takes', more: object = {}, by = tenant): Promise<Subscribed> => {
  made += 1;
  const path = `path-${made}`;
  const body = { name: `Receiver ${made}`, url: receiver.url(manner, path), event_types: ['agent.created'], ...more };
  const { id, secret } = await mustCall(planes.controlUrl, 'POST', '/v1/webhooks', { token: by.token, body });
  return { id, secret, path };
};
const write = (more: Partial<Parameters<typeof writeEvents>[1]> = {}) =>
  writeEvents(owner, { organizationId: tenant.organization_id, ...more });
const send = (method: string, path: string, body?: object) =>
  mustCall(planes.controlUrl, method, `/v1/webhooks/${path}`, { token: tenant.token, ...(body ? { body } : {}) });
const newWorkspace = () => mustCall(planes.controlUrl, 'POST', '/v1/workspaces', { token: tenant.token, body: { name: 'Elsewhere' } });
const readDeliveries = async ({ id }: Subscribed) => (await send('GET', `${id}/deliveries`)).data;
const firstOf = async (subscribed: Subscribed, count = 1) => {
  await waitUntil('it arrives', () => receiver.of(subscribed.path).length >= count);
  const [first] = receiver.of(subscribed.path);
  assert.ok(first);
  return first;
};
const ended = async (subscribed: Subscribed) => {
  const last = async () => (await readDeliveries(subscribed))[0];
  await waitUntil('it has ended', async () => typeof (await last())?.ended_at === 'string');
  return last();
};
const attempted = async (subscribed: Subscribed) => {
  await waitUntil('it was tried', async () => (await readDeliveries(subscribed))[0]?.attempt_log.length > 0);
  return (await readDeliveries(subscribed))[0];
};

const stripe = new Stripe('sk_test_of_nobody');
const byStripe = (body: string, headers: Record<string, unknown>, secret: string) =>
  stripe.webhooks.constructEvent(body, String(headers['svc-signature']), secret);
const byStandard = (body: string, headers: Record<string, unknown>, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

test('a delivery has the six headers and the event, and verifies with third-party libraries; with a changed byte it does not', async () => {
  const subscribed = await subscribe();
  const [eventId] = await write({ workspaceId: tenant.workspace_id, environmentId: tenant.environment_id });
  const { headers, body } = await firstOf(subscribed);
  const delivery = await ended(subscribed);
  assert.deepEqual(
    ['svc-event-id', 'svc-event-type', 'svc-delivery-id', 'svc-delivery-attempt', 'content-type', 'webhook-id'].map(
      (name) => headers[name],
    ),
    [eventId, 'agent.created', delivery.id, '1', 'application/json', eventId],
  );
  assert.match(String(headers['svc-signature']), /^t=\d{10},v1=[0-9a-f]{64}$/);
  assert.match(String(headers['user-agent']), /^svc-webhook\/\d/);
  const { rows } = await owner.query('select occurred_at from audit_events where id = $1', [eventId]);
  assert.deepEqual(JSON.parse(body), {
    ...{ id: eventId, type: 'agent.created', occurred_at: rows[0].occurred_at.toISOString() },
    ...{ organization_id: tenant.organization_id, workspace_id: tenant.workspace_id, environment_id: tenant.environment_id },
    ...{ subject: { type: 'agent', id: 'agt_1' }, data: { n: 1 }, api_version: 'v1' },
  });
  assert.equal((await verifyWebhook(body, headers, subscribed.secret)).eventId, eventId);
  for (const verify of [byStripe, byStandard]) {
    verify(body, headers, subscribed.secret);
    assert.throws(() => verify(`${body} `, headers, subscribed.secret));
    assert.throws(() => verify(body, headers, `${subscribed.secret.slice(0, -4)}AAAA`));
  }
  assert.deepEqual([delivery.status, delivery.attempts, delivery.attempt_log[0].response_status], ['DELIVERED', 1, 204]);
  assert.equal((await send('GET', `${subscribed.id}/deliveries/${delivery.id}`)).payload, body);
});

test('with CLOUDEVENTS a body is a CloudEvent 1.0 in its structured form, signed like any other', async () => {
  const subscribed = await subscribe('takes', { body_format: 'CLOUDEVENTS' });
  const [eventId] = await write();
  const { headers, body } = await firstOf(subscribed);
  const { specversion, id, source, type, subject, datacontenttype, data } = JSON.parse(body);
  assert.deepEqual(
    [specversion, id, source, type, subject, datacontenttype, data.data, headers['content-type']],
    [
      ...['1.0', eventId, `urn:svc:organization:${tenant.organization_id}`, 'agent.created', 'agt_1', 'application/json', { n: 1 }],
      'application/cloudevents+json; charset=utf-8',
    ],
  );
  byStandard(body, headers, subscribed.secret);
});

test('after a rotation deliveries are signed by both secrets, and by the new one alone if the old one was ended', async () => {
  const subscribed = await subscribe();
  const rotated = await send('POST', `${subscribed.id}/rotate-secret`, {});
  assert.notEqual(rotated.secret, subscribed.secret);
  await write();
  const first = await firstOf(subscribed);
  for (const secret of [subscribed.secret, rotated.secret])
    for (const verify of [byStripe, byStandard]) verify(first.body, first.headers, secret);
  const { secret } = await send('POST', `${subscribed.id}/rotate-secret`, { end_previous: true });
  await write();
  await firstOf(subscribed, 2);
  const second = receiver.of(subscribed.path)[1];
  assert.ok(second);
  byStripe(second.body, second.headers, secret);
  assert.throws(() => byStripe(second.body, second.headers, rotated.secret));
});

describe('a receiver that', () => {
  test('redirects is not followed, and its delivery waits for the next attempt', async () => {
    const subscribed = await subscribe('redirects');
    await write();
    const delivery = await attempted(subscribed);
    assert.deepEqual([delivery.status, delivery.attempt_log[0].response_status], ['PENDING', 307]);
    assert.match(delivery.reason, /redirect/);
    assert.ok(Date.parse(delivery.next_attempt_at) > Date.parse(delivery.created_at) + 5_000);
    assert.equal(receiver.of('redirected').length, 0);
    await waitUntil('it is told', async () => (await send('GET', subscribed.id)).failing_since !== null);
  });

  test('fails, aborts or is unavailable is retried, and its response is stored in part and without secrets', async () => {
    const [rejecting, breaking] = [await subscribe('rejects'), await subscribe('breaks')];
    const absent = await subscribe('takes', { url: 'http://127.0.0.1:1/' });
    const answering = await subscribe('answers');
    await write();
    const [rejected, broken, missed, answered] = [
      ...[await attempted(rejecting), await attempted(breaking), await attempted(absent)],
      await attempted(answering),
    ];
    assert.deepEqual([rejected.attempt_log[0].response_status, rejected.attempt_log[0].excerpt], [500, 'out of order']);
    for (const each of [broken, missed])
      assert.deepEqual([each.attempt_log[0].response_status, typeof each.reason, each.status], [null, 'string', 'PENDING']);
    assert.ok(!missed.reason.includes('127.0.0.1'));
    assert.equal(answered.status, 'DELIVERED');
    assert.ok(answered.attempt_log[0].excerpt.startsWith('{"token":') && !answered.attempt_log[0].excerpt.includes('secret123456'));
  });

  test('sends a response cut within a character has accepted the delivery, and delays no other organization', async () => {
    const subscribed = await subscribe('says half a character');
    const other = await newTenant(planes);
    const theirs = await subscribe('takes', {}, other);
    await write();
    const { status, attempt_log } = await ended(subscribed);
    assert.deepEqual([status, attempt_log[0].excerpt], ['DELIVERED', 'a'.repeat(499)]);
    await writeEvents(owner, { organizationId: other.organization_id });
    await firstOf(theirs);
  });

  test('requests a delay gets it, for an hour at most, with its other pending deliveries', async () => {
    const subscribed = await subscribe('asks to wait');
    await write();
    const { attempt_log, next_attempt_at } = await attempted(subscribed);
    const waitMs = Date.parse(next_attempt_at) - Date.parse(attempt_log[0].at);
    assert.ok(waitMs > 3_500_000 && waitMs < 3_700_000, `${waitMs} ms`);
    const other = await subscribe();
    await write({ subjects: ['agt_2'] });
    await firstOf(other);
    await waitUntil('it waits too', async () => (await readDeliveries(subscribed)).length === 2);
    assert.equal(receiver.of(subscribed.path).length, 1);
  });

  test('responds that it is gone gets nothing until it is enabled again', async () => {
    const subscribed = await subscribe('is gone');
    await write();
    assert.match((await attempted(subscribed)).attempt_log[0].reason, /^The receiver returned 410/);
    const since = async () => (await owner.query('select gone_since from webhook_subscriptions where id = $1', [subscribed.id])).rows[0];
    await waitUntil('it is noted', async () => (await since()).gone_since !== null);
    receiver.take(subscribed.path, 'takes');
    await send('POST', `${subscribed.id}/redeliver`, { since: '2026-01-01T00:00:00.000Z' });
    const [{ id }] = await readDeliveries(subscribed);
    await send('POST', `${subscribed.id}/deliveries/${id}/redeliver`, {});
    await firstOf(await subscribe('takes').then(async (other) => (await write({ subjects: ['agt_9'] })) && other));
    assert.equal(receiver.of(subscribed.path).length, 1);
    await send('PATCH', subscribed.id, { status: 'ACTIVE' });
    await waitUntil('it arrives', () => receiver.of(subscribed.path).length >= 2);
  });

  test('responds with more than is read has accepted the delivery', async () => {
    const subscribed = await subscribe('says much');
    await write();
    const { status, attempt_log } = await ended(subscribed);
    assert.deepEqual([status, attempt_log[0].response_status, attempt_log[0].excerpt], ['DELIVERED', 200, null]);
  });

  test('has a name that later resolves elsewhere is called only where it is allowed', async () => {
    names.lead('moving.example', '127.0.0.1');
    const url = receiver.url('takes', 'moving').replace('127.0.0.1', 'moving.example');
    const subscribed = { ...(await subscribe('takes', { url })), path: 'moving' };
    await write();
    await firstOf(subscribed);
    names.lead('moving.example', '127.0.0.1', '127.0.0.2');
    await write();
    await waitUntil('the second was tried', async () => {
      const all = await readDeliveries(subscribed);
      return all.length === 2 && typeof all[0].reason === 'string';
    });
    const [second] = await readDeliveries(subscribed);
    assert.match(second.reason, /private or reserved/);
    assert.equal(receiver.of('moving').length, 1);
  });
});

test('a blocked destination gets no delivery of the organization that blocks it, also under a name that resolves to it, until it is unblocked', async () => {
  names.lead('blocked.example', '127.0.0.1');
  const byAddress = await subscribe();
  const byName = await subscribe('takes', { url: `${receiver.url('takes', 'by-name').replace('127.0.0.1', 'blocked.example')}` });
  const elsewhere = await newTenant(planes);
  const others = await subscribe('takes', {}, elsewhere);
  await stepUp(planes.controlUrl, tenant);
  const emergency = (path: string, body: object, method = 'POST') =>
    mustCall(planes.controlUrl, method, `/v1/emergency/${path}`, { token: tenant.token, body: { reason: 'An incident', ...body } });
  const { blast_radius } = await mustCall(planes.controlUrl, 'POST', '/v1/emergency/block-destination/preview', {
    ...{ token: tenant.token, body: { target: '127.0.0.0/8' } },
  });
  assert.equal(blast_radius.parts.webhooks, 1, 'the name is not resolved to be counted');
  const { undo } = await emergency('block-destination', { target: '127.0.0.0/8', confirm_blast_radius: blast_radius.number });
  await write();
  await writeEvents(owner, { organizationId: elsewhere.organization_id });
  for (const subscribed of [byAddress, byName]) {
    const { reason, attempt_log } = await attempted(subscribed);
    assert.equal(attempt_log[0].response_status, null);
    assert.match(reason, /blocked by an emergency control/);
  }
  await firstOf(others);
  assert.deepEqual([receiver.of(byAddress.path), receiver.of('by-name')], [[], []]);
  await emergency(undo.path.replace('/v1/emergency/', ''), {}, undo.method);
  for (const { id } of [byAddress, byName]) await send('POST', `${id}/redeliver`, { since: '2026-01-01T00:00:00.000Z' });
  await firstOf(byAddress);
  await waitUntil('the named one gets it', () => receiver.of('by-name').length > 0);
});

test('a subscription gets events of its scope and organization only', async () => {
  const other = await newTenant(planes);
  const everywhere = await subscribe();
  const here = await subscribe('takes', { workspace_id: tenant.workspace_id });
  const environment = await subscribe('takes', { environment_id: tenant.environment_id });
  const theirs = await subscribe('takes', {}, other);
  const [wide] = await write();
  const [near] = await write({ workspaceId: tenant.workspace_id });
  const [inside] = await write({ workspaceId: tenant.workspace_id, environmentId: tenant.environment_id });
  await write({ type: 'agent.updated' });
  await waitUntil('all arrived', () => receiver.of(everywhere.path).length === 3 && receiver.of(here.path).length === 2);
  await firstOf(environment);
  const told = ({ path }: Subscribed) =>
    receiver
      .of(path)
      .map(({ headers }) => headers['svc-event-id'])
      .sort();
  assert.deepEqual([everywhere, here, environment, theirs].map(told), [[wide, near, inside], [near, inside], [inside], []]);
});

test('a narrowed subscription delivers only what it still covers, also for pending and requested deliveries', async () => {
  const byType = await subscribe('rejects', { event_types: ['agent.created', 'agent.updated'] });
  const byPlace = await subscribe('rejects');
  const environment = await subscribe('rejects');
  const [created] = await write({ workspaceId: tenant.workspace_id });
  const all = [byType, byPlace, environment];
  for (const each of all) await attempted(each);
  await send('PATCH', byType.id, { event_types: ['agent.updated'] });
  await send('PATCH', byPlace.id, { workspace_id: (await newWorkspace()).id });
  await send('PATCH', environment.id, { environment_id: tenant.environment_id });
  for (const each of all) receiver.take(each.path, 'takes');
  const before = all.map(({ path }) => receiver.of(path).length);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const now = 'update webhook_deliveries set due_at = now() where subscription_id = $1';
  for (const each of all) {
    await owner.query(now, [each.id]);
    const { id, status, reason, attempts } = await ended(each);
    assert.deepEqual([status, reason, attempts], ['FAILED', 'The subscription no longer includes this event.', 1]);
    assert.equal((await send('POST', `${each.id}/redeliver`, { since })).redelivered, 0);
    await send('POST', `${each.id}/deliveries/${id}/redeliver`, {});
    assert.equal((await ended(each)).status, 'FAILED');
  }
  const [updated] = await write({ type: 'agent.updated', workspaceId: tenant.workspace_id });
  await waitUntil('what it is for arrives', () => receiver.of(byType.path).length > (before[0] ?? 0));
  assert.equal(receiver.of(byType.path).at(-1)?.headers['svc-event-id'], updated);
  assert.deepEqual(
    all.slice(1).map(({ path }) => receiver.of(path).length),
    before.slice(1),
  );
  // Its new scope may be requested again.
  await send('PATCH', byType.id, { event_types: ['agent.created'] });
  assert.equal((await send('POST', `${byType.id}/redeliver`, { since })).redelivered, 1);
  await waitUntil('it arrives', () => receiver.of(byType.path).at(-1)?.headers['svc-event-id'] === created);
});

test('events about one subject arrive in order, while other subjects are delivered concurrently', async () => {
  const subscribed = await subscribe();
  const subjects = Array.from({ length: 60 }, (_, n) => `agt_${n % 5}`);
  const ids = await write({ subjects });
  await waitUntil('all arrived', () => receiver.of(subscribed.path).length === subjects.length);
  const order = receiver.of(subscribed.path).map(({ headers }) => headers['svc-event-id'] as string);
  for (let n = 0; n < 5; n += 1) {
    const own = ids.filter((_, index) => index % 5 === n);
    assert.deepEqual(
      order.filter((id) => own.includes(id)),
      own,
    );
  }
});

test('a person without the permission to the events or to webhooks, or without a membership, gets nothing by their subscriptions', async () => {
  const person = await insertPerson(owner, tenant.organization_id, 'developer');
  const subscribed = await subscribe('takes', {}, { ...tenant, token: person.token });
  await write();
  await firstOf(subscribed);
  await owner.query('update members set is_limited = true where user_id = $1', [person.id]);
  await waitUntil('it is noticed', async () => {
    await write();
    return (await readDeliveries(subscribed)).some(({ reason }: { reason: string | null }) =>
      /may no longer read this event/.test(reason ?? ''),
    );
  });
  const before = receiver.of(subscribed.path).length;
  await owner.query("update members set is_limited = false, role_id = 'rol_00000000000000000000000007' where user_id = $1", [person.id]);
  await waitUntil('it is noticed', async () => {
    await write();
    return (await readDeliveries(subscribed)).some(({ reason }: { reason: string | null }) =>
      /may no longer create subscriptions/.test(reason ?? ''),
    );
  });
  assert.equal(receiver.of(subscribed.path).length, before);
  const failed = (await readDeliveries(subscribed)).filter(({ status }: { status: string }) => status === 'FAILED');
  assert.ok(failed.every(({ attempts, attempt_log }: { attempts: number; attempt_log: [] }) => attempts === 0 && attempt_log.length === 0));
  const events = await mustCall(planes.controlUrl, 'GET', `/v1/audit-events?type=webhook.delivery_failed`, { token: tenant.token });
  assert.ok(
    events.data.some(
      ({ subject }: { subject: object }) => JSON.stringify(subject) === JSON.stringify({ type: 'webhook_subscription', id: subscribed.id }),
    ),
  );
  // A person with the permission enables it, and vouches for it from then on.
  await send('PATCH', subscribed.id, { status: 'ACTIVE' });
  await write();
  await waitUntil('it goes on', () => receiver.of(subscribed.path).length > before);
});

test('a requested redelivery keeps its delivery and event ids, and continues its attempts', async () => {
  const subscribed = await subscribe();
  await write();
  const { headers } = await firstOf(subscribed);
  const { id } = await ended(subscribed);
  await send('POST', `${subscribed.id}/deliveries/${id}/redeliver`, {});
  await firstOf(subscribed, 2);
  const again = receiver.of(subscribed.path)[1]?.headers;
  assert.deepEqual(
    ['svc-event-id', 'svc-delivery-id', 'svc-delivery-attempt'].map((name) => again?.[name]),
    [headers['svc-event-id'], id, '2'],
  );
  // After the attempt is recorded, which would otherwise complete the requested redelivery.
  await waitUntil('the second attempt has ended', async () => {
    const failing = "update webhook_deliveries set state = 'FAILED' where subscription_id = $1 and state = 'DELIVERED' and attempts = 2";
    return (await owner.query(failing, [subscribed.id])).rowCount === 1;
  });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  assert.deepEqual(await send('POST', `${subscribed.id}/redeliver`, { since }), { redelivered: 1, has_more: false });
  await firstOf(subscribed, 3);
});

test('a test sends an event that did not happen, signed like any other', async () => {
  const subscribed = await subscribe();
  const { event_id, test: isTest } = await send('POST', `${subscribed.id}/test`, {});
  const { headers, body } = await firstOf(subscribed);
  byStripe(body, headers, subscribed.secret);
  assert.deepEqual([isTest, headers['svc-event-id'], JSON.parse(body).data.test], [true, event_id, true]);
});

test('a delivery whose last attempt fails has failed permanently, which is recorded', async () => {
  const subscribed = await subscribe('rejects');
  await write();
  await attempted(subscribed);
  await owner.query('update webhook_deliveries set failures = $2, due_at = now() where subscription_id = $1', [
    ...[subscribed.id, LIMITS.webhooks.retryDelaysSeconds.length - 1],
  ]);
  const { status, attempts, id } = await ended(subscribed);
  assert.deepEqual([status, attempts], ['FAILED', 2]);
  const { data } = await mustCall(planes.controlUrl, 'GET', '/v1/audit-events?type=webhook.delivery_failed', { token: tenant.token });
  assert.deepEqual([data[0].data.delivery_id, data[0].data.attempts, data[0].actor.type], [id, 2, 'SYSTEM']);
});

test('a repeatedly killed worker loses nothing: retries have the same ids and a higher attempt', async () => {
  const subscribed = await subscribe();
  const ids = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    for (const id of await write({ subjects: Array.from({ length: 150 }, (_, n) => `agt_${round}_${n}`) })) ids.add(id);
    const count = receiver.of(subscribed.path).length;
    await waitUntil('some arrive', () => receiver.of(subscribed.path).length > count + 10);
    worker.child.kill('SIGKILL');
    worker = await startWorker(planes.database, { ...LETS_OUT, SVC_EGRESS_NAME_SERVERS: names.address });
  }
  const seen = () => new Set(receiver.of(subscribed.path).map(({ headers }) => headers['svc-event-id']));
  await waitUntil('all arrived', () => seen().size === ids.size);
  assert.deepEqual([...seen()].sort(), [...ids].sort());
  const first = new Map<unknown, { readonly delivery: unknown; attempt: number }>();
  for (const { headers } of receiver.of(subscribed.path)) {
    const [delivery, attempt] = [headers['svc-delivery-id'], Number(headers['svc-delivery-attempt'])];
    const before = first.get(headers['svc-event-id']);
    assert.ok(before === undefined || (before.delivery === delivery && attempt > before.attempt));
    first.set(headers['svc-event-id'], { delivery, attempt });
  }
});

test('while egress is disabled nothing is attempted, and each delivery is recorded as failed with that reason', async () => {
  await worker.stop();
  worker = await startWorker(planes.database, { SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
  const subscribed = await subscribe();
  await write();
  const { status, reason, attempts, attempt_log } = await ended(subscribed);
  assert.deepEqual([status, attempts, attempt_log], ['FAILED', 0, []]);
  assert.match(reason, /[Ee]gress is disabled/);
  assert.equal(receiver.of(subscribed.path).length, 0);
  const answer = await call(planes.controlUrl, 'GET', `/v1/webhooks/${subscribed.id}`, { token: tenant.token });
  assert.deepEqual([answer.json.failing_since, answer.json.status], [null, 'ACTIVE']);
});
