import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { NotificationKind } from '@svc/contract/events/notification-kinds.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { newChannel } from '@svc/testing/events/new-channel.ts';
import { LETS_OUT } from '@svc/testing/events/start-worker.ts';
import { type ReceiverBehavior, type SlackReceiver, startSlackReceiver } from '@svc/testing/peers/slack-receiver.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import pino from 'pino';
import { type Channels, openChannels } from './open-channels.ts';

let planes: Planes;
let receiver: SlackReceiver;
let owner: pg.Client;
let pools: Record<'reader' | 'database', Database>;
let worker: Channels;
let tenant: Tenant;

before(async () => {
  receiver = await startSlackReceiver();
  planes = await startPlanes({ gateways: 0, env: { ...LETS_OUT, SVC_NOTIFICATION_HOSTS: receiver.host } });
  owner = await planes.database.client();
  const as = (role: DatabaseRole) => connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 3, timeoutMs: 20_000 });
  pools = { reader: as('svc_reader'), database: as('svc_app') };
  const read = readMasterKey(TEST_MASTER_KEY);
  if (!read.ok) throw new Error(read.reason);
  const egress = { allowRealEgress: true, allowCidrs: ['127.0.0.0/8'], nameServers: [] };
  const settings = { masterKey: read.key, notificationHosts: [receiver.host], egress };
  worker = openChannels({ settings, ...pools, log: pino({ level: 'silent' }), clock: () => new Date() });
});
beforeEach(async () => {
  tenant = await newTenant(planes);
});
after(async () => {
  await worker.stop();
  await Promise.all([...Object.values(pools).map((pool) => pool.destroy()), owner.end(), receiver.close()]);
  await planes.stop();
});

type Made = { readonly id: string; readonly token: string };
const channel = async (
  manner: ReceiverBehavior,
  notices: readonly NotificationKind[] = ['key_expiring', 'emergency'],
  by = tenant.token,
): Promise<Made> => {
  const token = newUlid();
  const { channelId: id } = await newChannel({ ...tenant, token: by }, { notices, webhook_url: receiver.url(manner, token) });
  return { id, token };
};
const send = (method: string, path: string, body?: object) =>
  mustCall(planes.controlUrl, method, `/v1/notification-channels/${path}`, { token: tenant.token, ...(body ? { body } : {}) });
const readRow = async ({ id }: Made) => (await owner.query('select * from notification_channels where id = $1', [id])).rows[0];
const waitingOf = async ({ id }: Made) =>
  (await owner.query('select kind, gathered, subject_id from channel_messages where channel_id = $1 order by id', [id])).rows;
const putOff = ({ id }: Made) => owner.query("update notification_channels set due_at = now() + interval '1 hour' where id = $1", [id]);
const makeDue = ({ id }: Made) => owner.query('update notification_channels set due_at = now() where id = $1', [id]);
const notice = (
  name: string,
  { count = 1, kind = 'key_expiring', workspaceId = null as string | null, environmentId = null as string | null } = {},
) =>
  owner.query(
    `insert into notices (organization_id, kind, about, subject_type, subject_id, workspace_id, environment_id, facts, kept_until)
     select $1, $6, $2 || n, 'api_key', 'apk_1', $3, $7, $4, now() + interval '1 day' from generate_series(1, $5) n`,
    [tenant.organization_id, newUlid(), workspaceId, JSON.stringify({ name, ends_at: '2026-12-24' }), count, kind, environmentId],
  );
const endsTold = async ({ id }: Made) =>
  (await owner.query("select from audit_events where subject_id = $1 and type = 'notification_channel.disabled'", [id])).rowCount;
const counted = (outcome: 'sent' | 'failed' | 'put_off'): number =>
  worker.metrics
    .find(({ name }) => name === 'svc_channel_posts_total')
    ?.samples()
    .find(({ labels }) => labels.outcome === outcome)?.value ?? Number.NaN;
const asked = (made: Made) => waitUntil('it was asked', () => receiver.of(made.token).length > 0);
/** Waits until the worker knows and records that the receiver fails. */
const breaks = async ({ token }: Made) => {
  const before = counted('failed');
  receiver.answer(token, 'breaks');
  await waitUntil('the worker knows', () => counted('failed') > before);
};

test('a post that fails after its channel was disabled by hand changes nothing of it, and no second end is recorded', async () => {
  for (const disable of [
    (made: Made) => send('PATCH', made.id, { status: 'DISABLED' }),
    ({ id }: Made) => owner.query("update notification_channels set status = 'DISABLED', disabled_reason = 'BY_HAND' where id = $1", [id]),
  ]) {
    const made = await channel('hangs');
    await owner.query("update notification_channels set failing_since = now() - interval '2 days' where id = $1", [made.id]);
    await send('POST', `${made.id}/test`, {});
    await asked(made);
    await disable(made);
    await breaks(made);
    const { status, disabled_reason, failures, last_error } = await readRow(made);
    assert.deepEqual([status, disabled_reason, failures, last_error, await endsTold(made)], ['DISABLED', 'BY_HAND', 0, null, 0]);
  }
});

test('disabling and another URL end the lease of the current post, and a name does not', async () => {
  const made = await channel('hangs');
  await send('POST', `${made.id}/test`, {});
  await asked(made);
  await send('PATCH', made.id, { name: `Channel ${newUlid()}` });
  assert.notEqual((await readRow(made)).leased_by, null);
  await send('PATCH', made.id, { status: 'DISABLED' });
  const { leased_by, leased_until } = await readRow(made);
  assert.deepEqual([leased_by, leased_until], [null, null]);
  receiver.answer(made.token, 'takes');
});

test('another URL starts over, and the result of a post to the previous one does not affect it, even by the same worker', async () => {
  const earlier = await channel('hangs');
  await send('POST', `${earlier.id}/test`, {});
  await asked(earlier);
  const failing = "failures = 3, gone_answers = 2, failing_since = now() - interval '2 days', last_error = 'gone'";
  await owner.query(`update notification_channels set ${failing} where id = $1`, [earlier.id]);
  const later = { id: earlier.id, token: newUlid() };
  await send('PATCH', later.id, { webhook_url: receiver.url('hangs', later.token) });
  await asked(later);
  await breaks(earlier);
  const { status, failures, gone_answers, failing_since, last_error, leased_by } = await readRow(later);
  assert.deepEqual([status, failures, gone_answers, failing_since, last_error], ['ACTIVE', 0, 0, null, null]);
  assert.notEqual(leased_by, null);
  receiver.answer(later.token, 'takes');
  await waitUntil('the other arrives', async () => (await readRow(later)).last_sent_at !== null);
});

test('a notification that a channel no longer covers when it is posted is discarded, by kind or by scope', async () => {
  const { workspace_id: workspaceId, environment_id } = tenant;
  const narrowings: readonly (readonly [body: object, told: RegExp, untold: readonly RegExp[]])[] = [
    [{ notices: ['emergency'] }, /^.*$/, [/nowhere/, /near/, /inside/]],
    [{ workspace_id: workspaceId }, /near(.|\n)*inside/, [/nowhere/]],
    [{ environment_id }, /inside/, [/nowhere/, /near/]],
  ];
  const made = await Promise.all(narrowings.map(() => channel('takes')));
  for (const each of made) await putOff(each);
  await notice('nowhere');
  await notice('near', { workspaceId });
  await notice('inside', { workspaceId, environmentId: environment_id });
  for (const [n, [body, told, untold]] of narrowings.entries()) {
    const each = made[n] as Made;
    await waitUntil('all wait', async () => (await waitingOf(each)).length === 3);
    await send('PATCH', each.id, body);
    await makeDue(each);
    await waitUntil('nothing waits', async () => (await waitingOf(each)).length === 0);
    const text = receiver
      .of(each.token)
      .map((post) => post.text)
      .join('\n');
    assert.match(text, told);
    for (const one of untold) assert.doesNotMatch(text, one);
  }
});

test('a channel that is disabled by hand while it is found without an owner ends once, by hand', async () => {
  const person = await insertPerson(owner, tenant.organization_id, 'admin');
  const made = await channel('takes', ['key_expiring'], person.token);
  await narrow(person, ['apikey:read']);
  await owner.query('begin');
  await owner.query("update notification_channels set status = 'DISABLED', disabled_reason = 'BY_HAND' where id = $1", [made.id]);
  const watching = await planes.database.client();
  await watching.query(
    `insert into notices (organization_id, kind, about, subject_type, subject_id, facts, kept_until)
     values ($1, 'key_expiring', $2, 'api_key', 'apk_1', '{"name": "n", "ends_at": "soon"}', now() + interval '1 day')`,
    [tenant.organization_id, newUlid()],
  );
  await waitUntil('the job waits for it', async () => {
    const { rowCount } = await watching.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%notification_channels%'",
    );
    return rowCount === 1;
  });
  await owner.query('commit');
  const done = () => watching.query('select from notices where organization_id = $1 and done_at is null', [tenant.organization_id]);
  await waitUntil('everybody is told', async () => (await done()).rowCount === 0);
  await watching.end();
  assert.deepEqual([(await readRow(made)).disabled_reason, await endsTold(made)], ['BY_HAND', 0]);
});

test('of notifications gathered during a post the rest is reported once, as its number', async () => {
  const made = await channel('hangs');
  await putOff(made);
  const { listedIndividuallyMax } = LIMITS.channels;
  await notice('early', { count: listedIndividuallyMax });
  await waitUntil('they wait', async () => (await waitingOf(made)).length === listedIndividuallyMax);
  await makeDue(made);
  await asked(made);
  await notice('late', { count: 3 });
  await waitUntil('they are gathered', async () => (await waitingOf(made)).at(-1)?.gathered === 4);
  receiver.answer(made.token, 'takes');
  await waitUntil('the rest is told', () => receiver.of(made.token).length === 2);
  const [first, second] = receiver.of(made.token).map(({ text }) => text);
  assert.match(first ?? '', new RegExp(`• ${listedIndividuallyMax} API keys are about to expire`));
  assert.match(second ?? '', /• 3 API keys are about to expire/);
  receiver.answer(made.token, 'takes');
  await waitUntil('nothing waits', async () => (await waitingOf(made)).length === 0);
});

test('a single remaining gathered notification is reported as a number, also if the subjects of the others ended', async () => {
  const made = await channel('hangs', ['approval_waiting', 'key_expiring']);
  await putOff(made);
  const { listedIndividuallyMax } = LIMITS.channels;
  await notice('early', { count: listedIndividuallyMax });
  await waitUntil('they wait', async () => (await waitingOf(made)).length === listedIndividuallyMax);
  await makeDue(made);
  await asked(made);
  await notice('late');
  await waitUntil('it is gathered', async () => (await waitingOf(made)).at(-1)?.gathered === 2);
  await putOff(made);
  receiver.answer(made.token, 'takes');
  await waitUntil('the rest waits', async () => (await waitingOf(made)).length === 1);
  // A decided approval does not suppress the notice of another one.
  await owner.query(
    "insert into channel_messages (organization_id, id, channel_id, kind, link) values ($1, $2, $3, 'approval_waiting', 'https://g.example/')",
    [...[tenant.organization_id, `ntf_${newUlid()}`, made.id]],
  );
  await makeDue(made);
  await waitUntil('the rest is told', () => receiver.of(made.token).length === 2);
  const { text = '' } = receiver.of(made.token)[1] ?? {};
  assert.match(text, /• 1 API key is about to expire\./);
  assert.match(text, /• 1 action waits for approval\./);
  assert.doesNotMatch(text, /early|late|undefined/);
  receiver.answer(made.token, 'takes');
});

/** Reduces the permissions of a person. */
const narrow = async (person: InsertedPerson, permissions: readonly Permission[]) => {
  const body = { name: `Role ${newUlid()}`, permissions };
  const { id } = await mustCall(planes.controlUrl, 'POST', '/v1/roles', { token: tenant.token, body });
  await owner.query('update members set role_id = $2 where user_id = $1', [person.id, id]);
};

test('a pending notification is posted with the current permissions: what the sponsor cannot read any more is discarded', async () => {
  const person = await insertPerson(owner, tenant.organization_id, 'admin');
  const made = await channel('takes', ['key_expiring', 'agent_expiring'], person.token);
  await putOff(made);
  await notice('secretive');
  await notice('open', { kind: 'agent_expiring' });
  await waitUntil('both wait', async () => (await waitingOf(made)).length === 2);
  await narrow(person, ['webhook:create', 'agent:read']);
  await makeDue(made);
  await asked(made);
  await waitUntil('nothing waits', async () => (await waitingOf(made)).length === 0);
  const texts = receiver.of(made.token).map(({ text }) => text);
  assert.deepEqual([texts.length, texts.join().includes('open'), texts.join().includes('secretive')], [1, true, false]);
});

test('a pending notification of a workspace that the sponsor no longer sees is discarded, and not gathered with others', async () => {
  const { id: other } = await newControlClient(planes.controlUrl, tenant.token).createWorkspace({ body: { name: 'Other' } });
  const made = await channel('takes');
  await putOff(made);
  const { listedIndividuallyMax } = LIMITS.channels;
  await notice('near', { count: listedIndividuallyMax + 2, workspaceId: tenant.workspace_id });
  await waitUntil(
    'they wait',
    async () => (await waitingOf(made)).reduce((sum, { gathered }) => sum + gathered, 0) === listedIndividuallyMax + 2,
  );
  await notice('far', { count: 2, workspaceId: other });
  await waitUntil(
    'all wait',
    async () => (await waitingOf(made)).reduce((sum, { gathered }) => sum + gathered, 0) === listedIndividuallyMax + 4,
  );
  const person = await insertPerson(owner, tenant.organization_id, 'admin', { workspaces: [tenant.workspace_id] });
  await owner.query("update notification_channels set vouched_by = $2, vouched_by_type = 'USER' where id = $1", [made.id, person.id]);
  await makeDue(made);
  await asked(made);
  assert.match(receiver.of(made.token)[0]?.text ?? '', new RegExp(`• ${listedIndividuallyMax + 2} API keys`));
  await waitUntil('nothing waits', async () => (await waitingOf(made)).length === 0);
  assert.equal(receiver.of(made.token).length, 1);
});

test('a pending notification is not posted if its sponsor may not create channels any more, and it ends', async () => {
  const person = await insertPerson(owner, tenant.organization_id, 'admin');
  const made = await channel('takes', ['key_expiring'], person.token);
  await putOff(made);
  await notice('secretive');
  await waitUntil('it waits', async () => (await waitingOf(made)).length === 1);
  await narrow(person, ['apikey:read']);
  await makeDue(made);
  await waitUntil('it ends', async () => (await readRow(made)).status === 'DISABLED');
  assert.deepEqual([(await readRow(made)).disabled_reason, receiver.of(made.token).length, await endsTold(made)], ['RIGHTS_LOST', 0, 1]);
  assert.deepEqual(await waitingOf(made), []);
});

test('posts are counted by result: sent, failed, and delayed if a receiver requests it', async () => {
  const underWay = worker.metrics.find(({ name }) => name === 'svc_channel_posts_under_way');
  await waitUntil('nothing is under way', () => underWay?.samples()[0]?.value === 0);
  const before = { sent: counted('sent'), failed: counted('failed'), put_off: counted('put_off') };
  for (const manner of ['takes', 'breaks', 'limits'] as const) await send('POST', `${(await channel(manner)).id}/test`, {});
  const more = () => [counted('sent') - before.sent, counted('failed') - before.failed, counted('put_off') - before.put_off];
  await waitUntil('each is counted', () => more().every((count) => count > 0));
  assert.deepEqual(more(), [1, 1, 1]);
});
