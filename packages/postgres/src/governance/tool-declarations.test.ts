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
  for (const organization of ['org_1', 'org_2']) {
    await owner.query('insert into organizations (id, name) values ($1, $1)', [organization]);
    await owner.query("insert into workspaces (organization_id, id, name, slug) values ($1, 'wsp_1', 'w', 'w')", [organization]);
    const place = "($1, 'env_1', 'wsp_1', 'e', 'STAGING')";
    await owner.query(`insert into environments (organization_id, id, workspace_id, name, type) values ${place}`, [organization]);
    for (const name of ['one', 'two']) {
      const schema = { type: 'object', description: `${organization} ${name}` };
      await owner.query(
        `insert into tools (organization_id, id, workspace_id, environment_id, name, required_capability, kind, parameters_schema)
         values ($1, 'tol_' || $2, 'wsp_1', 'env_1', $2, 'pay', 'SDK', $3)`,
        [organization, name, JSON.stringify(schema)],
      );
    }
  }
});
after(async () => {
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

const readSchema = async (tool: string, organization = 'org_1') => {
  const environment = await loadEnvironment(database, organization, 'env_1');
  return environment?.tools.get(tool)?.parameters_schema;
};

const change = (tool: string, what: string): Promise<unknown> =>
  owner.query(`update tools set ${what} where organization_id = 'org_1' and name = $1`, [tool]);

test('reuses unchanged declarations when an environment is loaded again', async () => {
  const [one, two] = [await readSchema('one'), await readSchema('two')];
  await change('one', `parameters_schema = '{"type":"object","description":"new"}', declaration_version = declaration_version + 1`);
  assert.deepEqual(await readSchema('one'), { type: 'object', description: 'new' });
  assert.equal(await readSchema('two'), two);
  await change('one', `parameters_schema = '${JSON.stringify(one)}', declaration_version = declaration_version + 1`);
  assert.deepEqual(await readSchema('one'), one);
});

test('reads again what was changed in the database without a new version', async () => {
  await change('two', `parameters_schema = '{"type":"object","description":"by hand"}'`);
  assert.deepEqual(await readSchema('two'), { type: 'object', description: 'by hand' });
  const execution = { method: 'POST', url: 'https://api.example/pay' };
  await change('two', `execution = '${JSON.stringify(execution)}', destination_allowlist = '{api.example}'`);
  const environment = await loadEnvironment(database, 'org_1', 'env_1');
  assert.equal(environment?.tools.get('two')?.execution?.method, 'POST');
  await change('two', 'execution = null');
  assert.equal((await loadEnvironment(database, 'org_1', 'env_1'))?.tools.get('two')?.execution, null);
});

test('separates tools of two organizations with the same id', async () => {
  assert.deepEqual(await readSchema('one', 'org_2'), { type: 'object', description: 'org_2 one' });
  assert.notDeepEqual(await readSchema('one', 'org_1'), await readSchema('one', 'org_2'));
});
