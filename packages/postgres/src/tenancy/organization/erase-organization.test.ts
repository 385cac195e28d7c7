import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertMember, insertPerson } from '@svc/testing/records/insert-person.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { inTenant } from '../../connection/in-tenant.ts';
import { letOwnerErase } from '../../migrate/let-owner-erase.ts';
import { letOwnerRead } from '../../migrate/let-owner-read.ts';
import { eraseSome, findEndedOrganizations, isBeingErased } from './erase-organization.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let app: Database;
let identity: Database;

/** Transfers everything to an owner without superuser rights, as on a managed server. */
const disown = async (): Promise<void> => {
  const plain = `plain_${randomBytes(4).toString('hex')}`;
  await owner.query(`create role ${plain} nosuperuser nobypassrls; grant all on schema public to ${plain}`);
  const { rows } = await owner.query<{ statement: string }>(
    `select format('alter table %s owner to ${plain}', c.oid::regclass) as statement from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     union all
     select format('alter function %s owner to ${plain}', p.oid::regprocedure) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proname like 'svc\\_%'`,
  );
  for (const { statement } of rows) await owner.query(statement);
  await letOwnerRead(owner);
  await letOwnerErase(owner);
};

before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await disown();
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: fresh.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 10_000 });
  [app, identity] = [as('svc_app'), as('svc_identity')];
});
after(async () => {
  await Promise.all([app.destroy(), identity.destroy()]);
  await owner.end();
  await fresh.drop();
});

let made = 0;

/** An organization with people, a workspace, an environment, actions and something held. */
const newOrganization = async () => {
  made += 1;
  const organization_id = `org_${made}`;
  const where = { organization_id, workspace_id: `wsp_${made}`, environment_id: `env_${made}` };
  await owner.query('insert into organizations (id, name) values ($1, $1)', [organization_id]);
  await owner.query("insert into workspaces (organization_id, id, name, slug) values ($1, $2, 'W', 'w')", [
    organization_id,
    where.workspace_id,
  ]);
  await owner.query("insert into environments (organization_id, id, workspace_id, name, type) values ($1, $2, $3, 'E', 'STAGING')", [
    organization_id,
    where.environment_id,
    where.workspace_id,
  ]);
  const people = [await insertPerson(owner, organization_id, 'owner'), await insertPerson(owner, organization_id, 'viewer')] as const;
  for (let n = 0; n < 5; n += 1) await insertAction(owner, where);
  await insertHeldAction(owner, where);
  return { organization_id, people };
};

const end = (id: string, when: string) =>
  owner.query(
    `update organizations set deletes_at = ${when}, deletion_asked_at = now(), deletion_asked_by = 'usr_1', deletion_reason = 'over' where id = $1`,
    [id],
  );

const step = (organization_id: string, rowsMax: number) =>
  inTenant(app, { organization_id }, (tx) => eraseSome(tx, organization_id, { rowsMax, now: new Date() }));

const leftOf = async (organizationId: string): Promise<Record<string, number>> => {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const left: Record<string, number> = {};
  for (const { name } of rows) {
    const found = await owner.query(`select count(*)::int as n from ${name} where organization_id = $1`, [organizationId]);
    if (found.rows[0].n > 0) left[name] = found.rows[0].n;
  }
  return left;
};

test('deletes nothing before the end of the grace period, for any caller', async () => {
  const { organization_id } = await newOrganization();
  const before = await leftOf(organization_id);
  await end(organization_id, "now() + interval '1 minute'");
  assert.equal(await step(organization_id, 1_000), undefined);
  assert.ok(!(await findEndedOrganizations(identity)).includes(organization_id));
  assert.deepEqual(await leftOf(organization_id), before);
});

test('deletes an organization in bounded steps, each counted once despite interruptions, and leaves nothing but its record', async () => {
  const { organization_id, people } = await newOrganization();
  const other = await newOrganization();
  await insertMember(owner, { organizationId: other.organization_id, userId: people[1].id, roleId: 'rol_00000000000000000000000007' });
  const [before, others] = [await leftOf(organization_id), await leftOf(other.organization_id)];
  await end(organization_id, "now() - interval '1 second'");
  assert.ok((await findEndedOrganizations(identity)).includes(organization_id));
  const rowsMax = 3;
  let last: Awaited<ReturnType<typeof step>>;
  for (let steps = 0; !last?.isGone; steps += 1) {
    assert.ok(steps < 50, 'it never ends');
    const breaking = inTenant(app, { organization_id }, async (tx) => {
      await eraseSome(tx, organization_id, { rowsMax, now: new Date() });
      throw new Error('killed');
    });
    await assert.rejects(breaking, /killed/);
    const counted = Object.values(last?.deletion.counts ?? {}).reduce((sum, count) => sum + count, 0);
    last = await step(organization_id, rowsMax);
    const now = Object.values(last?.deletion.counts ?? {}).reduce((sum, count) => sum + count, 0);
    // Beyond the rows there are people, and the organization itself.
    assert.ok(now - counted <= rowsMax + 3, `${now - counted} rows in a step of ${rowsMax}`);
    if (steps === 0) assert.equal(await inTenant(app, { organization_id }, (tx) => isBeingErased(tx, organization_id)), true);
  }
  assert.deepEqual(await leftOf(organization_id), { deletion_certificates: 1 });
  assert.deepEqual(last.deletion.counts, { ...before, users: 1, organizations: 1 });
  assert.deepEqual(await leftOf(other.organization_id), others);
  const users = await owner.query('select id from users where id = any ($1) order by id', [people.map(({ id }) => id)]);
  assert.deepEqual(users.rows, [{ id: people[1].id }], 'who belongs to another organization stays');
});

test('leaves a person referenced by another organization without a name, an address and a password', async () => {
  const { organization_id, people } = await newOrganization();
  const other = await newOrganization();
  const agent = (id: string) =>
    owner.query(
      `insert into agents (organization_id, id, workspace_id, environment_id, name) select organization_id, $2, workspace_id, id, $2 from environments where organization_id = $1`,
      [other.organization_id, id],
    );
  await agent('agt_1');
  await owner.query(
    `insert into delegations (organization_id, id, delegator_user_id, delegate_agent_id, created_by_type, created_by_id, created_at, updated_at)
     values ($1, 'del_1', $2, 'agt_1', 'USER', $2, now(), now())`,
    [other.organization_id, people[0].id],
  );
  await end(organization_id, "now() - interval '1 second'");
  for (let left = 20; left > 0 && !(await step(organization_id, 1_000))?.isGone; left -= 1);
  const { rows } = await owner.query('select name, email, password_hash from users where id = $1', [people[0].id]);
  const [person] = rows;
  assert.deepEqual([person.name, person.password_hash], ['Removed person', null]);
  assert.match(person.email, /@removed\.invalid$/);
});

test("reaches no organization by a setting or the function before its time, or another than the transaction's", async () => {
  const { organization_id } = await newOrganization();
  const other = await newOrganization();
  await end(other.organization_id, "now() - interval '1 second'");
  const before = [await leftOf(organization_id), await leftOf(other.organization_id)];
  await inTenant(app, { organization_id }, async (tx) => {
    await sql`select set_config('svc.erased', ${organization_id}, true)`.execute(tx);
    const { rows } = await sql`select * from svc_erase_organization(${other.organization_id}, 10)`.execute(tx);
    assert.deepEqual(rows, []);
  });
  await assert.rejects(
    inTenant(app, { organization_id }, async (tx) => {
      await sql`select set_config('svc.erased', ${organization_id}, true)`.execute(tx);
      await sql`delete from actions`.execute(tx);
    }),
    { code: '42501' },
  );
  assert.deepEqual([await leftOf(organization_id), await leftOf(other.organization_id)], before);
});
