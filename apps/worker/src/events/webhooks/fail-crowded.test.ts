import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { sweepBeyond } from '@svc/postgres/events/webhooks/sweep-deliveries.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { pino } from 'pino';
import { failCrowded } from './fail-crowded.ts';

let database: FreshDatabase;
let owner: pg.Client;
let pools: Record<'reader' | 'database', Database>;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  const as = (role: DatabaseRole) => connect({ url: database.url, role, ...testLogin(role), connectionsMax: 1, timeoutMs: 20_000 });
  pools = { reader: as('svc_reader'), database: as('svc_app') };
});
after(async () => {
  await Promise.all([...Object.values(pools).map((pool) => pool.destroy()), owner.end()]);
  await database.drop();
});

const waiting = async (subscription: string, count: number): Promise<void> => {
  await owner.query(
    `with o as (insert into organizations (id, name) values ('org_' || $1, $1)),
          s as (insert into webhook_subscriptions (organization_id, id, name, url, event_types, sealed_secret, vouched_by_type, vouched_by, created_by)
                values ('org_' || $1, $1, 'n', 'https://hooks.example.com/', '{agent.created}', '', 'USER', 'u', 'u'))
     insert into webhook_deliveries (organization_id, id, subscription_id, event_id, event_type, subject_id, due_at, leased_until)
     select 'org_' || $1, $1 || n, $1, 'evt_' || n, 'agent.created', 'agt_1', now() - interval '1 hour' + n * interval '1 second',
            case when n = 1 then now() + interval '1 hour' end
       from generate_series(1, $2::integer) n`,
    [subscription, count],
  );
};

const failed = async (subscription: string) =>
  (
    await owner.query<{ id: string; reason: string }>(
      "select id, reason from webhook_deliveries where subscription_id = $1 and state = 'FAILED' order by position",
      [subscription],
    )
  ).rows;

test('the oldest waiting deliveries of one receiver beyond the limit fail, none in progress, and it is recorded', async () => {
  await waiting('whs_many', 9);
  await waiting('whs_few', 4);
  const deps = { ...pools, clock: () => new Date(), log: pino({ level: 'silent' }) };
  const bounds = { waitingMax: 4, givenUpMax: 3 };
  assert.equal(await failCrowded(deps, bounds), true);
  assert.deepEqual(
    (await failed('whs_many')).map(({ id }) => id),
    ['whs_many2', 'whs_many3', 'whs_many4'],
  );
  assert.equal(await failCrowded(deps, bounds), false);
  assert.equal(await failCrowded(deps, bounds), false);
  assert.equal((await failed('whs_many')).length, 5);
  assert.match((await failed('whs_many'))[0]?.reason ?? '', /^More than 4 deliveries were waiting/);
  assert.equal((await failed('whs_few')).length, 0);
  const { rows } = await owner.query(
    "select organization_id, type, subject_id, data ->> 'deliveries' as deliveries from audit_events order by id",
  );
  const event = { organization_id: 'org_whs_many', type: 'webhook.delivery_failed', subject_id: 'whs_many' };
  assert.deepEqual(rows, [
    { ...event, deliveries: '3' },
    { ...event, deliveries: '2' },
  ]);
});

test('the oldest results of deliveries beyond the limit are removed, for each subscription separately, and those of deleted ones', async () => {
  for (const id of ['whs_full', 'whs_fine', 'whs_deleted']) await waiting(id, 9);
  await owner.query(
    `update webhook_deliveries set state = case when substr(id, length(subscription_id) + 1)::integer <= 5 then 'DELIVERED' else 'FAILED' end
      where subscription_id = any ('{whs_full,whs_deleted}') and id <> 'whs_full9'`,
  );
  await owner.query("delete from webhook_subscriptions where id = 'whs_deleted'");
  assert.equal(await sweepBeyond(pools.reader, 3), false);
  const left = async (id: string) =>
    (
      await owner.query<{ n: string }>(
        'select substr(id, length($1) + 1) as n from webhook_deliveries where subscription_id = $1 order by id',
        [id],
      )
    ).rows
      .map(({ n }) => n)
      .join('');
  assert.deepEqual([await left('whs_full'), await left('whs_fine'), await left('whs_deleted')], ['3456789', '123456789', '']);
});
