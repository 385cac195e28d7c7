import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { takeReceivers } from '@svc/postgres/events/webhooks/lease-receivers.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertOrganization, insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import type pg from 'pg';

let database: FreshDatabase;
let owner: pg.Client;
let reader: Database;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  reader = connect({ url: database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
});
after(async () => {
  await Promise.all([reader.destroy(), owner.end()]);
  await database.drop();
});

/** Creates an organization with so many receivers with due deliveries; returns the first of them. */
const newOrganization = async (count: number): Promise<string> => {
  const { organizationId, userId } = await insertOrganization(owner);
  const { id } = await insertWebhook(owner, { organizationId, userId, url: 'https://hooks.example.com/' });
  await owner.query(
    `insert into webhook_subscriptions select (r).* from (
       select json_populate_record(s, json_build_object('id', left(s.id, 22) || '9' || lpad(n::text, 7, '0'), 'name', 'n' || n)) as r
         from webhook_subscriptions s, generate_series(2, $2::int) n where s.id = $1) made`,
    [id, count],
  );
  await owner.query(
    `insert into webhook_deliveries (organization_id, id, subscription_id, event_id, event_type, subject_id, due_at)
     select organization_id, 'dlv_' || id, id, 'evt_1', 'agent.created', 'agt_1', now() from webhook_subscriptions where organization_id = $1`,
    [organizationId],
  );
  return id;
};

test('takes receivers of both organizations first, one with many receivers and one with one', async () => {
  await newOrganization(10);
  const other = await newOrganization(1);
  const taken = await takeReceivers(reader, 'first', 2);
  assert.ok(taken.some(({ id }) => id === other));
  assert.equal(new Set(taken.map(({ organization_id }) => organization_id)).size, 2);
});
