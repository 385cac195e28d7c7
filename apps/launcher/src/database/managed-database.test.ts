import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { writeInstallationKey } from '@svc/keyring/sealed/installation-key.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { newDelegating } from '@svc/testing/agents/delegating.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { migrateDatabase, openDatabase, type Prepared } from './prepare-database.ts';

const setUp = async (database: FreshDatabase): Promise<Prepared> => {
  const read = readMasterKey(TEST_MASTER_KEY);
  assert.ok(read.ok);
  return migrateDatabase(await openDatabase('/nowhere', database.url, () => {}), { kind: 'KEY', key: read.key });
};

for (const { name, start, missing } of SERVER_KINDS) {
  describe(`${name} whose owner may create roles and databases and is no superuser`, { skip: missing }, () => {
    let server: ManagedServer;
    let database: FreshDatabase;
    before(async () => {
      server = await start();
      database = await server.newDatabase();
    });
    after(() => server.remove());

    test('serves both planes: people, decisions, delegations and the audit log', async () => {
      assert.ok((await setUp(database)).applied.length > 0);
      const { applied, key } = await setUp(database);
      assert.deepEqual(applied, []);
      const planes = await startPlanes({ database, env: { SVC_INSTALLATION_KEY: writeInstallationKey(key) } });
      try {
        const { act, owner, root, child, actAs } = await newDelegating(planes, 2);
        assert.equal((await act({ parameters: { note: 'x' } })).json.status, 'ALLOWED');
        await child(0, 1, await root(0, { can_redelegate: true, max_depth: 2 }));
        assert.equal((await actAs(1, { parameters: {} })).json.status, 'ALLOWED');
        const { data } = (await owner('GET', '/v1/audit-events?type=action.allowed')).json;
        assert.equal(data.length, 2);
      } finally {
        await planes.stop();
      }
    });

    test('reports in a sentence what its owner may not do, and is left unchanged', async () => {
      const fresh = await server.newDatabase();
      const admin = await server.asSuperuser();
      try {
        await admin.query('create role poor login password $$not-a-secret$$');
        const url = new URL(fresh.url);
        url.username = 'poor';
        await assert.rejects(setUp({ ...fresh, url: url.href }), /"poor" is not allowed to create (roles|tables)/);
      } finally {
        await admin.end();
      }
      const inside = await server.asSuperuser(new URL(fresh.url).pathname.slice(1));
      const { rows } = await inside.query("select relname from pg_class where relnamespace = 'public'::regnamespace");
      await inside.end();
      assert.deepEqual(rows, []);
    });
  });
}
