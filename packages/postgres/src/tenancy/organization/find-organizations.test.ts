import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { connect, type Database } from '../../connection/connect.ts';
import { findOrganizations } from './find-organizations.ts';

let database: FreshDatabase;
let identity: Database;
before(async () => {
  database = await createFreshDatabase();
  identity = connect({ url: database.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 1, timeoutMs: 20_000 });
});
after(async () => {
  await identity.destroy();
  await database.drop();
});

test('finds an organization by its id, regardless of the names of others', async () => {
  const [victim, hostile] = ['org_01K8Z0000000000000000000VA', 'org_01K8Z0000000000000000000HB'];
  const owner = await database.client();
  await owner.query("insert into organizations (id, name) values ($1, 'Victim'), ($2, $1)", [victim, hostile]);
  await owner.end();
  assert.deepEqual(await findOrganizations(identity, victim), [{ id: victim, name: 'Victim' }]);
  assert.deepEqual(await findOrganizations(identity, 'Victim'), [{ id: victim, name: 'Victim' }]);
  assert.deepEqual(await findOrganizations(identity, 'victim'), []);
});
