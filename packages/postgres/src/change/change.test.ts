import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { about } from '../audit/about.ts';
import { connect, type Database } from '../connection/connect.ts';
import { type Change, change } from './change.ts';

const organization_id = 'org_1';
let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await owner.query("insert into organizations (id, name) values ('org_1', 'One')");
  await owner.query(`insert into workspaces (organization_id, id, name, slug)
    values ('org_1', 'wsp_1', 'One', 'one'), ('org_1', 'wsp_2', 'Two', 'two')`);
  database = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 4, timeoutMs: 60_000 });
});
after(async () => {
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

let events = 0;
const context = () => ({
  scope: { organization_id },
  actor: { type: 'USER', id: 'usr_1', name: null } as const,
  requestId: 'req_1',
  traceId: '1'.repeat(32),
  now: new Date(),
  newEventId: () => {
    events += 1;
    return `evt_${events}`;
  },
});

const rename = ({ tx }: Change<never>, id: string, name: string) =>
  sql`update workspaces set name = name || ${name} where organization_id = ${organization_id} and id = ${id}`.execute(tx);

test('commits both changes that take rows in opposite orders, each once and with its event, after a deadlock', async () => {
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const crossing = (by: string, ...ids: [string, string]) =>
    change(database, context(), async (each: Change<'workspace.updated'>) => {
      each.emit('workspace.updated', { ...about.workspace({ id: ids[0] }), data: { by } });
      await rename(each, ids[0], by);
      begun += 1;
      if (begun === 2) both.resolve();
      await both.promise;
      await rename(each, ids[1], by);
      return by;
    });
  const made = await Promise.all([crossing('a', 'wsp_1', 'wsp_2'), crossing('b', 'wsp_2', 'wsp_1')]);
  assert.deepEqual(made, ['a', 'b']);
  assert.equal(begun, 3);
  const { rows } = await owner.query('select name from workspaces order by id');
  assert.deepEqual(
    [...new Set(rows.map(({ name }) => name.slice(3)))].flatMap((name) => [...name].toSorted()),
    ['a', 'b'],
  );
  const told = await owner.query("select data->>'by' as by from audit_events where type = 'workspace.updated' order by 1");
  assert.deepEqual(
    told.rows.map(({ by }) => by),
    ['a', 'b'],
  );
});

test('reports a repeated abort after three tries, and any other failure after one', async () => {
  for (const [code, tries] of Object.entries({ '40P01': 3, '40001': 3, '55P03': 1, P0001: 1 })) {
    let tried = 0;
    const breaking = change(database, context(), async ({ tx }: Change<never>) => {
      tried += 1;
      await sql`do ${sql.raw(`$$ begin raise exception using errcode = '${code}'; end $$`)}`.execute(tx);
    });
    await assert.rejects(breaking, (error) => error instanceof pg.DatabaseError && error.code === code);
    assert.equal(tried, tries, code);
  }
});
