import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { connect, type Database } from '../connection/connect.ts';
import { loadEnvironment } from './load-environment.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  database = connect({ url: fresh.url, role: 'svc_gateway', ...testLogin('svc_gateway'), connectionsMax: 1, timeoutMs: 10_000 });
  await owner.query("insert into organizations (id, name) values ('org_1', 'o')");
  await owner.query("insert into workspaces (organization_id, id, name, slug) values ('org_1', 'wsp_1', 'w', 'w')");
  await owner.query(
    "insert into environments (organization_id, id, workspace_id, name, type) values ('org_1', 'env_1', 'wsp_1', 'e', 'STAGING')",
  );
});
after(async () => {
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

test('grows the measured size of a cached environment with its rates', async () => {
  const before = await loadEnvironment(database, 'org_1', 'env_1');
  await owner.query(
    `insert into exchange_rates (organization_id, id, base_currency, quote_currency, rate, source, effective_at, created_at, created_by)
     select 'org_1', 'fxr_' || n, chr(65 + n / 26) || chr(65 + n % 26) || 'A', 'ZZZ', 1.5, 'MANUAL', now(), now(), 'usr_1'
       from generate_series(0, 499) n`,
  );
  const after = await loadEnvironment(database, 'org_1', 'env_1');
  assert.equal(after?.rates.pairs.size, 500);
  assert.ok((after?.held_bytes ?? 0) - (before?.held_bytes ?? 0) >= 500 * 512, `${before?.held_bytes}, ${after?.held_bytes}`);
});
