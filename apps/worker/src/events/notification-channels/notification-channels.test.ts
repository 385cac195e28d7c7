import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openChannelUrl, sealChannelUrl } from '@svc/keyring/sealed/channel-url.ts';
import { unwrapDataKey } from '@svc/keyring/sealed/envelope.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { newChannel } from '@svc/testing/events/new-channel.ts';
import { type ReceiverBehavior, type SlackReceiver, startSlackReceiver } from '@svc/testing/peers/slack-receiver.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import pino from 'pino';
import { type Channels, openChannels } from './open-channels.ts';

let planes: Planes;
let receiver: SlackReceiver;
let owner: pg.Client;
let pools: Record<'reader' | 'database', Database>;
let workers: Channels[];
let tenant: Tenant;

const masterKey = (() => {
  const read = readMasterKey(TEST_MASTER_KEY);
  if (!read.ok) throw new Error(read.reason);
  return read.key;
})();

const open = (allowRealEgress: boolean): Channels =>
  openChannels({
    settings: { masterKey, notificationHosts: [receiver.host], egress: { allowRealEgress, allowCidrs: ['127.0.0.0/8'], nameServers: [] } },
    ...{ ...pools, log: pino({ level: 'silent' }), clock: () => new Date() },
  });

before(async () => {
  [planes, receiver] = await Promise.all([leasePlanes(), startSlackReceiver()]);
  owner = await planes.database.client();
  const as = (role: DatabaseRole) => connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 3, timeoutMs: 20_000 });
  pools = { reader: as('svc_reader'), database: as('svc_app') };
  workers = [open(true), open(true)];
});
beforeEach(async () => {
  tenant = await newTenant(planes);
});
after(async () => {
  await Promise.all(workers.map((each) => each.stop()));
  await Promise.all([...Object.values(pools).map((pool) => pool.destroy()), owner.end(), receiver.close()]);
  await planes.stop();
});

type Made = { readonly id: string; readonly token: string };

/** Creates a channel for the receiver. The leased plane permits only Slack, so its URL replaces one of Slack's. */
const channel = async (manner: ReceiverBehavior, more: object = {}, by = tenant): Promise<Made> => {
  const { channelId: id } = await newChannel(by, { notices: ['key_expiring', 'channel_failing'], ...more });
  const { rows } = await owner.query(
    'select c.organization_id, c.sealed_url, k.wrapped_key from notification_channels c join data_keys k using (organization_id) where c.id = $1',
    [id],
  );
  const [{ organization_id, sealed_url, wrapped_key }] = rows;
  const key = unwrapDataKey(deriveKey(masterKey, 'data-key-wrapping'), wrapped_key, organization_id);
  assert.match(openChannelUrl(key, sealed_url, { organization_id, id }), /^https:\/\/hooks\.slack\.com\//);
  const token = newUlid();
  const sealed = sealChannelUrl(key, receiver.url(manner, token), { organization_id, id });
  await owner.query('update notification_channels set sealed_url = $2 where id = $1', [id, sealed]);
  return { id, token };
};

/** Inserts a notice like the worker and the clock do. */
const notice = (name: string, { workspaceId = null as string | null, by = tenant, count = 1 } = {}) =>
  owner.query(
    `insert into notices (organization_id, kind, about, subject_type, subject_id, workspace_id, facts, kept_until)
     select $1, 'key_expiring', $2 || n, 'api_key', 'apk_1', $3, $4, now() + interval '1 day' from generate_series(1, $5) n`,
    [by.organization_id, newUlid(), workspaceId, JSON.stringify({ name, ends_at: '2026-12-24' }), count],
  );
const send = (method: string, path: string, body?: object) =>
  mustCall(planes.controlUrl, method, `/v1/notification-channels/${path}`, { token: tenant.token, ...(body ? { body } : {}) });
const tested = (id: string) => send('POST', `${id}/test`, {});
const readRow = async (id: string) => (await owner.query('select * from notification_channels where id = $1', [id])).rows[0];
const getText = ({ token }: Made): string =>
  receiver
    .of(token)
    .map(({ text }) => text)
    .join('\n');
/** Makes another post fail now, before it is due. */
const failed = async ({ id }: Made, times: number) => {
  await waitUntil(`it failed ${times} times`, async () => {
    const { failures, failing_since } = await readRow(id);
    if (failures < times)
      await owner.query('update notification_channels set due_at = now() where id = $1 and leased_by is null and failures < $2', [
        id,
        times,
      ]);
    return failures >= times && failing_since !== null;
  });
  return readRow(id);
};

test('a notification is posted once to each matching channel, without mentions or links in its names', async () => {
  const everywhere = await channel('takes');
  const [elsewhere, other] = [
    await channel('takes', { workspace_id: tenant.workspace_id }),
    await channel('takes', { notices: ['emergency'] }),
  ];
  await notice('<!channel> @here <https://evil.example|log in> [log in](https://evil.example) & co');
  await waitUntil('it arrives', () => receiver.of(everywhere.token).length > 0);
  assert.match(
    getText(everywhere),
    /The API key &lt;!channel&gt; @\u200bhere &lt;https:\u200b\/\/evil\.example\|log in&gt; \[log in\]\u200b\(https:\u200b/,
  );
  assert.match(getText(everywhere), /<http[^<>|]+\/inbox\|View>/);
  await notice('near', { workspaceId: tenant.workspace_id });
  await waitUntil('the second arrives too', () => receiver.of(elsewhere.token).length > 0 && /key near/.test(getText(everywhere)));
  await waitUntil(
    'nothing waits',
    async () => (await owner.query('select from channel_messages where channel_id = $1', [everywhere.id])).rowCount === 0,
  );
  assert.deepEqual(
    [
      getText(everywhere).match(/evil\.example\|/g)?.length,
      getText(everywhere).match(/key near/g)?.length,
      getText(elsewhere).includes('evil'),
    ],
    [1, 1, false],
  );
  assert.equal(receiver.of(other.token).length, 0);
  const { last_sent_at, failing_since, last_error } = await send('GET', everywhere.id);
  assert.deepEqual([typeof last_sent_at, failing_since, last_error], ['string', null, null]);
});

test('many concurrent ones are one post with their number, and posts are at least a second apart', async () => {
  const { id, token } = await channel('takes');
  await owner.query("update notification_channels set due_at = now() + interval '1 hour' where id = $1", [id]);
  await notice('flood', { count: 60 });
  const gathered = async () =>
    (await owner.query('select sum(gathered)::integer as n, count(*)::integer as rows from channel_messages where channel_id = $1', [id]))
      .rows[0];
  await waitUntil('all of them wait', async () => (await gathered()).n === 60);
  assert.equal((await gathered()).rows, 50);
  await owner.query('update notification_channels set due_at = now() where id = $1', [id]);
  await waitUntil('it arrives', () => receiver.of(token).length > 0);
  await tested(id);
  await waitUntil('another one arrives', () => receiver.of(token).length > 1);
  const [first, second] = receiver.of(token);
  assert.match(first?.text ?? '', /• 60 API keys are about to expire/);
  assert.match(second?.text ?? '', /This is a test/);
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) > 950);
});

test('a receiver that rate limits is left alone for the requested time, which is not counted as a failure', async () => {
  const { id, token } = await channel('limits');
  await tested(id);
  await waitUntil('it is noted', async () => (await readRow(id)).last_error !== null);
  const { due_at, failures, last_error, status } = await readRow(id);
  const waitMs = due_at.getTime() - Date.now();
  assert.ok(waitMs > 1_500_000 && waitMs < 1_801_000, `${waitMs} ms`);
  assert.deepEqual([failures, last_error, status, receiver.of(token).length], [0, 'The receiver returned 429: rate_limited.', 'ACTIVE', 1]);
});

test('a receiver that is repeatedly gone is disabled, recorded, and reported to people and not to itself', async () => {
  const [gone, beside] = [await channel('unknown'), await channel('takes')];
  await tested(gone.id);
  await failed(gone, 1);
  assert.equal((await readRow(gone.id)).status, 'ACTIVE');
  await failed(gone, 3);
  const { status, disabled_reason, last_error } = await send('GET', gone.id);
  assert.deepEqual([status, disabled_reason, last_error], ['DISABLED', 'RECEIVER_GONE', 'The receiver returned 404: no_service.']);
  const { rows } = await owner.query(
    "select id, workspace_id, environment_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = 'notification_channel.disabled'",
    [gone.id],
  );
  assert.equal(rows[0]?.data.reason, 'RECEIVER_GONE');
  await owner.query(
    `insert into notices (organization_id, kind, about, subject_type, subject_id, event_id, facts, kept_until)
     values ($1, 'channel_failing', $2, 'notification_channel', $3, $2, '{"reason": "RECEIVER_GONE"}', now() + interval '1 day') on conflict do nothing`,
    [tenant.organization_id, rows[0]?.id, gone.id],
  );
  await waitUntil('another channel is told', () => /reported that the webhook no longer exists/.test(getText(beside)));
  const told = await owner.query("select from notifications where kind = 'channel_failing' and user_id = $1", [tenant.user.id]);
  assert.deepEqual([told.rowCount, receiver.of(gone.token).length], [1, 3]);
});

test('a failing or redirecting receiver is retried later, and nothing of its URL is shown', async () => {
  const [broken, redirecting] = [await channel('breaks'), await channel('redirects')];
  for (const { id } of [broken, redirecting]) await tested(id);
  const [first, second] = [await failed(broken, 1), await failed(redirecting, 1)];
  assert.equal(first.last_error, 'The receiver returned 500: broken at ….');
  assert.ok(first.due_at.getTime() > Date.now() + 2_000);
  assert.match(second.last_error, /redirect, which is not followed/);
  assert.equal(receiver.of('redirected').length, 0);
  await owner.query("update notification_channels set failing_since = now() - interval '2 days' where id = $1", [broken.id]);
  assert.deepEqual([(await failed(broken, 2)).disabled_reason, (await readRow(broken.id)).status], ['FAILING', 'DISABLED']);
});

test('a hanging receiver delays no other', async () => {
  const hanging = await channel('hangs');
  await tested(hanging.id);
  await waitUntil('it was asked', () => receiver.of(hanging.token).length === 1);
  const quick = await channel('takes');
  await tested(quick.id);
  await waitUntil('the other has its message', () => receiver.of(quick.token).length === 1);
  assert.equal((await readRow(hanging.id)).last_sent_at, null);
  await send('DELETE', hanging.id);
  receiver.hangUp();
});

test('a channel whose sponsor may not create any gets nothing, and ends', async () => {
  const person = await insertPerson(owner, tenant.organization_id, 'admin');
  const theirs = await channel('takes', {}, { ...tenant, token: person.token });
  await owner.query("update members set role_id = 'rol_00000000000000000000000007' where user_id = $1", [person.id]);
  await notice('secretive');
  await waitUntil('it ends', async () => (await readRow(theirs.id)).status === 'DISABLED');
  assert.deepEqual([(await readRow(theirs.id)).disabled_reason, receiver.of(theirs.token).length], ['RIGHTS_LOST', 0]);
});

test('while egress is disabled nothing is sent, the channel states so, and it does not fail', async () => {
  await Promise.all(workers.map((each) => each.stop()));
  workers = [open(false)];
  const { id, token } = await channel('takes');
  await tested(id);
  await waitUntil('it says so', async () => (await readRow(id)).last_error !== null);
  const { last_error, failing_since, failures } = await readRow(id);
  assert.match(last_error, /GATEWAY_ALLOW_REAL_EGRESS/);
  assert.deepEqual([failing_since, failures, receiver.of(token).length], [null, 0, 0]);
});
