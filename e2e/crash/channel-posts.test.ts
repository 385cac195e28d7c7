import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { newChannel } from '@svc/testing/events/new-channel.ts';
import { LETS_OUT, startWorker } from '@svc/testing/events/start-worker.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { type ReceiverBehavior, type SlackReceiver, startSlackReceiver } from '@svc/testing/peers/slack-receiver.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const KILLS = countRepetitions({ short: 2, long: 5 });

let planes: Planes;
let receiver: SlackReceiver;
let owner: pg.Client;
let tenant: Tenant;
let worker: RunningProcess;
let env: Record<string, string>;

before(async () => {
  receiver = await startSlackReceiver();
  env = { ...LETS_OUT, SVC_NOTIFICATION_HOSTS: receiver.host };
  planes = await startPlanes({ gateways: 0, env });
  [owner, tenant, worker] = await Promise.all([planes.database.client(), newTenant(planes), startWorker(planes.database, env)]);
});
after(async () => {
  await owner.end();
  await worker.stop();
  await receiver.close();
  await planes.stop();
});

type Made = { readonly id: string; readonly token: string };
const channel = async (manner: ReceiverBehavior): Promise<Made> => {
  const token = newUlid();
  const { channelId: id } = await newChannel(tenant, { notices: ['key_expiring'], webhook_url: receiver.url(manner, token) });
  return { id, token };
};
const notice = (name: string) =>
  owner.query(
    `insert into notices (organization_id, kind, about, subject_type, subject_id, facts, kept_until)
     values ($1, 'key_expiring', $2, 'api_key', 'apk_1', $3, now() + interval '1 day')`,
    [tenant.organization_id, newUlid(), JSON.stringify({ name, ends_at: 'soon' })],
  );
const timesTold = ({ token }: Made, name: string): number =>
  receiver.of(token).filter(({ text }) => text.includes(`${name} expires`)).length;
const nothingWaits = async ({ id }: Made) => (await owner.query('select from channel_messages where channel_id = $1', [id])).rowCount === 0;
const kill = async () => {
  const gone = once(worker.child, 'exit');
  worker.child.kill('SIGKILL');
  await gone;
};
/** Starts another worker once the leases of the killed one have expired. */
const startAnother = async () => {
  await owner.query("update notification_channels set leased_until = now() - interval '1 second' where leased_until is not null");
  worker = await startWorker(planes.database, env);
};

test(`${KILLS} kills of the worker during its posts: every message arrives, and none at a channel that was disabled meanwhile`, async () => {
  const [slow, quick, ended] = [await channel('hangs'), await channel('takes'), await channel('hangs')];
  const names = Array.from({ length: KILLS }, (_, round) => `key-${round}-${newUlid()}`);
  for (const [round, name] of names.entries()) {
    await notice(name);
    await waitUntil('it is on its way', () => timesTold(slow, name) > 0);
    if (round === 0) await waitUntil('it is on its way there too', () => timesTold(ended, name) > 0);
    await kill();
    // The response that no one receives any more.
    receiver.answer(slow.token, 'takes');
    const body = { status: 'DISABLED' };
    if (round === 0) await mustCall(planes.controlUrl, 'PATCH', `/v1/notification-channels/${ended.id}`, { token: tenant.token, body });
    await startAnother();
    await waitUntil('it arrives again', () => timesTold(slow, name) > 1);
    receiver.answer(slow.token, 'takes');
    await waitUntil('it is settled', () => nothingWaits(slow));
  }
  await waitUntil('all is settled', () => nothingWaits(quick));
  assert.deepEqual(
    names.filter((name) => timesTold(quick, name) === 0),
    [],
  );
  assert.deepEqual([receiver.of(ended.token).length, await nothingWaits(ended)], [1, true]);
});
