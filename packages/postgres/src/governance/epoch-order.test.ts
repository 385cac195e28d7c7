import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFreshDatabase } from '@svc/testing/database/database.ts';

test('never deadlocks concurrent changes of the epochs of every environment', async () => {
  const database = await createFreshDatabase();
  after(database.drop);
  const owner = await database.client();
  await owner.query("insert into organizations (id, name) values ('org_1', 'One')");
  await owner.query("insert into workspaces (organization_id, id, name, slug) values ('org_1', 'wsp_1', 'One', 'one')");
  await owner.query(`insert into environments (organization_id, id, workspace_id, name, type)
    select 'org_1', 'env_' || n, 'wsp_1', 'Environment ' || n, 'STAGING' from generate_series(0, 59) n`);
  await owner.query(`create sequence moves; create function count_move() returns trigger language plpgsql as $$
    begin perform nextval('moves'); return null; end $$`);
  await owner.query('create trigger is_counted after update of epoch on environment_epochs for each row execute function count_move()');
  const rounds = 50;
  const work = async (worker: number): Promise<void> => {
    const client = await database.client();
    client.on('error', () => undefined);
    for (let round = 0; round < rounds; round += 1) {
      if (worker === 0) await client.query('update environments set name = name where id = $1', [`env_${(round * 7) % 60}`]);
      else if (worker === 1) await client.query('update organizations set name = name');
      else await client.query("select svc_bump_binding('org_1', 'ORGANIZATION', 'org_1')");
    }
    await client.end();
  };
  const ends = await Promise.allSettled(Array.from({ length: 10 }, (_, worker) => work(worker)));
  assert.deepEqual(
    ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : [])),
    [],
  );
  const { rows } = await owner.query('select last_value::int as moves from moves');
  assert.equal(rows[0].moves, rounds + 9 * rounds * 60);
  await owner.end();
});
