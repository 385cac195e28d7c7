import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { inTenant } from '../../connection/in-tenant.ts';
import { takeInvitation } from './invitations.ts';

const organization_id = 'org_a';
const ROUNDS = countRepetitions({ short: 25, long: 100 });
const AT_ONCE = 32;

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await owner.query("insert into organizations (id, name) values ('org_a', 'a')");
  await owner.query(
    `insert into invitations (organization_id, id, email, role_id, code_hash, invited_by, invited_by_type, sent_at, expires_at)
     select $1, 'inv_' || n, n || '@example.com', 'r', sha256(n::text::bytea), 'u', 'USER', now(), now() + interval '7 days'
       from generate_series(1, $2) n`,
    [organization_id, ROUNDS],
  );
  database = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 8, timeoutMs: 20_000 });
});
after(async () => {
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

test('gives one invitation to one of 32 concurrent callers, 100 times over', async () => {
  const { rows } = await owner.query<{ id: string; code_hash: Buffer }>('select id, code_hash from invitations order by id');
  assert.equal(rows.length, ROUNDS);
  for (const { id, code_hash: codeHash } of rows) {
    const take = () =>
      inTenant(database, { organization_id }, (tx) => takeInvitation(tx, organization_id, { id, codeHash, now: new Date() }));
    const taken = await Promise.all(Array.from({ length: AT_ONCE }, take));
    assert.equal(taken.filter((each) => each !== undefined).length, 1, id);
  }
});
