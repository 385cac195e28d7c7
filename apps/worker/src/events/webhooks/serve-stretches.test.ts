import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readFeed } from '@svc/postgres/audit/read-feed.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { fanOut, isSubscribedTo } from '@svc/postgres/events/webhooks/fan-out.ts';
import { stepStretch } from '@svc/postgres/events/webhooks/stretches.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { type OwnServer, startOwnServer } from '@svc/testing/database/own-server.ts';
import { insertOrganization, insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { pino } from 'pino';
import { fanOutWebhooks } from '../../feed/fan-out-webhooks.ts';
import { skipStale } from './skip-stale.ts';
import { measureSegments } from './watch-stretches.ts';

const { directEventsMax, stretchEventsMax, stretchWaitingMin } = LIMITS.webhooks;

let server: OwnServer;
let owner: pg.Client;
let pools: Record<'reader' | 'database', Database>;
before(async () => {
  server = await startOwnServer();
  owner = await server.database.client();
  const as = (role: DatabaseRole) => connect({ url: server.database.url, role, ...testLogin(role), connectionsMax: 1, timeoutMs: 20_000 });
  pools = { reader: as('svc_reader'), database: as('svc_app') };
});
after(async () => {
  await Promise.all([...Object.values(pools).map((pool) => pool.destroy()), owner.end()]);
  await server.remove();
});

const newDelivery = () => `dlv_${newUlid()}`;
const subscribed = async () => {
  const organization = await insertOrganization(owner);
  const { id } = await insertWebhook(owner, { ...organization, url: 'https://hooks.example.com/' });
  return { ...organization, subscriptionId: id };
};
type Subscribed = Awaited<ReturnType<typeof subscribed>>;

const write = (of: Subscribed, count: number) =>
  writeEvents(owner, { ...of, subjects: Array.from({ length: count }, (_, n) => `agt_${n}`) });
/** Passes new events to the consumer in one batch. */
const newTaking = async () => {
  let after = (await readFeed(pools.reader, { after: { transaction_id: '0', id: '' }, limit: 1 })).reached;
  const taken = async (): Promise<void> => {
    const page = await readFeed(pools.reader, { after, interest: isSubscribedTo, limit: 2_000 });
    await pools.reader.transaction().execute((tx) => fanOutWebhooks.take(tx, page.events));
    after = page.reached;
  };
  while ((await readFeed(pools.reader, { after, limit: 2_000 })).events.length > 0)
    after = (await readFeed(pools.reader, { after, limit: 2_000 })).reached;
  return taken;
};
const step = () =>
  stepStretch(
    pools.reader,
    async (tx, events) =>
      void (await fanOut(
        tx,
        events.map(({ event }) => event),
        newDelivery,
      )),
  );
const toldOf = async ({ subscriptionId }: Subscribed): Promise<string[]> =>
  (
    await owner.query<{ event_id: string }>('select event_id from webhook_deliveries where subscription_id = $1 order by position', [
      subscriptionId,
    ])
  ).rows.map(({ event_id }) => event_id);
const isBehind = async ({ organizationId }: Subscribed): Promise<boolean> =>
  (await owner.query('select from webhook_stretches where organization_id = $1', [organizationId])).rowCount === 1;

test('interleaves events of a busy organization with those of others, each once and in its order', async () => {
  const [many, others, few] = [await subscribed(), await subscribed(), await subscribed()];
  const take = await newTaking();
  const written = await write(many, directEventsMax + stretchEventsMax + 5);
  const alike = await write(others, directEventsMax + 1);
  const [one] = await write(few, 1);
  await take();
  assert.deepEqual([await toldOf(few), (await toldOf(many)).length, await isBehind(few)], [[one], directEventsMax, false]);
  const [behind] = await write(many, 1);
  const [next] = await write(few, 1);
  await take();
  assert.deepEqual([await toldOf(few), (await toldOf(many)).length], [[one, next], directEventsMax]);
  assert.deepEqual([await step(), await step()], [true, true]);
  assert.deepEqual([await toldOf(others), (await toldOf(many)).length], [alike, directEventsMax + stretchEventsMax], 'a step of each');
  while (await step());
  assert.deepEqual([await toldOf(many), await isBehind(many)], [[...written, behind], false]);
  const [last] = await write(many, 1);
  await take();
  assert.deepEqual((await toldOf(many)).slice(-1), [last], 'and goes with the others again');
});

test('creates no more while every receiver has enough pending deliveries', async () => {
  const many = await subscribed();
  const take = await newTaking();
  await write(many, stretchWaitingMin + directEventsMax + stretchEventsMax);
  await take();
  while (await step());
  assert.deepEqual([(await toldOf(many)).length, await isBehind(many)], [stretchWaitingMin, true]);
  await owner.query('update webhook_subscriptions set failing_since = now() where id = $1', [many.subscriptionId]);
  await owner.query('update webhook_stretches set due_at = now()');
  while (await isBehind(many)) if (!(await step())) await sleep(20);
  assert.equal((await toldOf(many)).length, stretchWaitingMin + directEventsMax + stretchEventsMax, 'one that fails holds nothing up');
});

test('an event pending for too long is discarded, which is recorded once', async () => {
  const many = await subscribed();
  const take = await newTaking();
  await write(many, directEventsMax + 50);
  await take();
  const inAWhile = new Date(Date.now() + 3_600_000);
  const deps = { ...pools, log: pino({ level: 'silent' }), clock: () => inAWhile };
  await skipStale(deps, 7_200);
  while (await step());
  assert.equal((await toldOf(many)).length, directEventsMax + 50, 'not before');
  await write(many, directEventsMax + 50);
  await take();
  await skipStale(deps, 1_800);
  await skipStale(deps, 1_800);
  while (await step());
  assert.deepEqual([(await toldOf(many)).length, await isBehind(many)], [2 * directEventsMax + 50, false]);
  const { rows } = await owner.query(
    "select subject_id, data ->> 'reason' as reason from audit_events where type = 'webhook.delivery_failed'",
  );
  assert.deepEqual(
    rows.map(({ subject_id }) => subject_id),
    [many.organizationId],
  );
  assert.match(rows[0].reason, /^The organization had more events than its receivers accepted/);
});

const readPosition = async ({ organizationId }: Subscribed) =>
  (await owner.query('select * from webhook_stretches where organization_id = $1', [organizationId])).rows[0];
/** Creates a backlog that begins between events, at a transaction, with events in two transactions. */
const putOffAtNoEvent = async () => {
  const many = await subscribed();
  const take = await newTaking();
  await write(many, directEventsMax + 1);
  const rest = await write(many, 49);
  await take();
  await owner.query(
    `update webhook_stretches set after_transaction_id = until_transaction_id, after_id = '', due_at = now() + interval '1 day'
      where organization_id = $1`,
    [many.organizationId],
  );
  return { many, take, rest };
};

test('a postponed organization without an event is given up too, and reported as behind until then', async (t) => {
  const { many } = await putOffAtNoEvent();
  const deps = { ...pools, log: pino({ level: 'silent' }), clock: () => new Date(Date.now() + 3_600_000) };
  const watch = measureSegments({ ...deps, log: pino({ level: 'silent' }), everyMs: 20 });
  t.after(watch.stop);
  const behind = () => watch.metrics.find(({ name }) => name === 'svc_webhook_behind_seconds')?.samples()[0]?.value ?? 0;
  await waitUntil('it is told', () => behind() > 3_500);
  await skipStale(deps, 7_200);
  assert.equal((await readPosition(many)).after_id, '', 'not before');
  await skipStale(deps, 1_800);
  const { after_id, after_transaction_id, until_id, until_transaction_id } = await readPosition(many);
  assert.deepEqual([after_id, after_transaction_id], [until_id, until_transaction_id]);
});

test('a dropped range ends at the end of the batch, although younger events are not recorded yet', async () => {
  const { many, take, rest } = await putOffAtNoEvent();
  const since = Date.now() + 1;
  await waitUntil('a moment is over', () => Date.now() > since);
  const young = await write(many, 3);
  const deps = { ...pools, log: pino({ level: 'silent' }), clock: () => new Date(since + 1_800_000) };
  await owner.query('update webhook_stretches set after_id = $2 where organization_id = $1', [many.organizationId, rest[0]]);
  await skipStale(deps, 1_800);
  const { after_id, until_id } = await readPosition(many);
  assert.deepEqual([after_id, until_id], [rest.at(-1), rest.at(-1)]);
  await take();
  await owner.query('update webhook_stretches set due_at = now()');
  while (await step());
  assert.deepEqual((await toldOf(many)).slice(directEventsMax), young);
});

test('reports the largest lag of an organization, and the number of lagging ones', async () => {
  const of = await subscribed();
  const taken = await newTaking();
  await write(of, directEventsMax + 3);
  const isBehind = async () =>
    (await owner.query('select from webhook_stretches where organization_id = $1', [of.organizationId])).rowCount === 1;
  await waitUntil('it has more than is delivered directly', async () => {
    await taken();
    return await isBehind();
  });
  const anHour = 3_600_000;
  const deps = { reader: pools.reader, log: pino({ level: 'silent' }), everyMs: 20, clock: () => new Date(Date.now() + anHour) };
  const watch = measureSegments(deps);
  const told = () => Object.fromEntries(watch.metrics.map(({ name, samples }) => [name, samples()[0]?.value ?? 0]));
  await waitUntil(
    'it is told',
    () => (told().svc_webhook_organizations_behind ?? 0) >= 1 && (told().svc_webhook_behind_seconds ?? 0) > 3_500,
  );
  await owner.query('delete from webhook_stretches');
  await waitUntil('nobody is behind', () => told().svc_webhook_organizations_behind === 0 && told().svc_webhook_behind_seconds === 0);
  await watch.stop();
});

test('an organization whose step fails gets its turn after the others', async () => {
  const [broken, other] = [await subscribed(), await subscribed()];
  const take = await newTaking();
  for (const each of [broken, other]) await write(each, directEventsMax + 1);
  await take();
  await owner.query("update webhook_stretches set due_at = now() - interval '1 minute' where organization_id = $1", [
    broken.organizationId,
  ]);
  const breakingStep = () =>
    stepStretch(pools.reader, async (tx, events) => {
      if (events[0]?.event.organization_id === broken.organizationId) throw new Error('refused');
      await fanOut(
        tx,
        events.map(({ event }) => event),
        newDelivery,
      );
    });
  await assert.rejects(breakingStep(), /refused/);
  assert.equal(await breakingStep(), true);
  assert.deepEqual([await isBehind(other), await isBehind(broken)], [false, true]);
});
