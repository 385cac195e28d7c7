import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { TEST_AUTHENTICATOR, TEST_INSTALLATION, testLogin } from '@svc/testing/database/master-key.ts';
import { keepAuthentic } from '../audit/keep-authentic.ts';
import { FEED_START, readFeed } from '../audit/read-feed.ts';
import { connect } from '../connection/connect.ts';
import { AUTHENTICATES_EVENTS } from './adopt-events.ts';
import { lookAtDatabase } from './look-at-database.ts';
import { applyAll, asOwner, migrate } from './migrate.ts';
import { readMigrations } from './read-migrations.ts';

let server: ManagedServer;
before(async () => {
  server = await (SERVER_KINDS[0] ?? assert.fail()).start();
});
after(() => server.remove());

test('authenticates the unsealed events of the previous version once at an upgrade, and reports their number', async () => {
  const { url } = await server.newDatabase();
  const earlier = (await readMigrations()).filter(({ name }) => name < AUTHENTICATES_EVENTS);
  await asOwner(url, async (client) =>
    applyAll({ client, ownerUrl: url, installation: TEST_INSTALLATION, found: await lookAtDatabase(client) }, earlier),
  );
  const inside = await server.asSuperuser(new URL(url).pathname.slice(1));
  const insert = (id: string, transaction = 'pg_current_xact_id()') =>
    inside.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, actor_name, subject_type, subject_id, severity, request_id, trace_id, data, transaction_id)
       values ('org_1', $1, 'action.allowed', '2030-01-02 03:04:05.678901+02', 'AGENT', 'agt_1', 'Zoë', 'action', 'act_1', 'info', 'req_1', 't', '{"z": 1.50, "a": "\\ud83d"}', ${transaction})`,
      [id],
    );
  const ids = Array.from({ length: 1_200 }, (_, n) => `evt_${String(n).padStart(26, '0')}`);
  for (const id of ids) await insert(id);
  await insert('evt_sealed');
  await inside.query(
    "insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash) values ('org_1', 0, 'evt_sealed', '\\x00')",
  );
  // No transaction of this server has had that number: it was inserted, and the sealer never reached it.
  await insert('evt_of_no_transaction', "'9000000000000000'");
  await migrate(url, TEST_INSTALLATION, { authenticator: TEST_AUTHENTICATOR });
  const left = async () => (await inside.query('select id from audit_events where mac is null order by id')).rows.map(({ id }) => id);
  assert.deepEqual(await left(), ['evt_of_no_transaction', 'evt_sealed']);
  const reader = connect({ url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
  const { events } = await readFeed(reader, { after: FEED_START, limit: 2_000 });
  assert.equal(events.length, ids.length + 1);
  assert.deepEqual(
    (await keepAuthentic(reader, events)).map(({ event }) => event.id),
    ids,
    'the leaf that is no tree’s counts for nothing',
  );
  await reader.destroy();
  const { rows } = await inside.query('select organization_id, adopted::int, adopted_reported, rejected::int from audit_rejections');
  assert.deepEqual(rows, [{ organization_id: 'org_1', adopted: ids.length, adopted_reported: false, rejected: 0 }]);
  await insert('evt_later');
  await migrate(url, TEST_INSTALLATION, { authenticator: TEST_AUTHENTICATOR });
  assert.deepEqual(await left(), ['evt_later', 'evt_of_no_transaction', 'evt_sealed']);
  await inside.end();
});
