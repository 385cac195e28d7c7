import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const AGENTS = 1_000;

let database: FreshDatabase;
let planes: StartedPlanes;
let tenant: Tenant;
let owner: pg.Client;
let ids: string[];

/** Creates a thousand agents; every fifth has delegated something to the next one, and has a pending approval. */
const makeFleet = async (): Promise<void> => {
  ids = Array.from({ length: AGENTS }, () => buildId('agent', newUlid()));
  const place = [tenant.organization_id, tenant.workspace_id, tenant.environment_id];
  await owner.query(
    `insert into agents (organization_id, id, workspace_id, environment_id, name) select $1, id, $2, $3, id from unnest($4::text[]) id`,
    [...place, ids],
  );
  await owner.query(
    `with made as (select unnest($2::text[]) as id), keys as (
       insert into agent_keys (organization_id, agent_id, generation, public_key, thumbprint) select $1, id, 1, id, id from made)
     insert into passports (organization_id, id, agent_id, version, token, issued_at, expires_at)
     select $1, 'psp_' || right(id, 26), id, 1, 'x', now(), now() + interval '1 year' from made`,
    [tenant.organization_id, ids],
  );
  await owner.query(
    `insert into delegations (organization_id, id, delegator_agent_id, delegate_agent_id, can_redelegate, max_depth, path, depth,
       workspace_ids, environment_ids, created_by_type, created_by_id, created_at, updated_at)
     select $1, 'del_' || right(i.ids[n], 26), i.ids[n], i.ids[n + 1], false, 0, '', 0, '{}', '{}', 'AGENT', i.ids[n], now(), now()
       from (select $2::text[] as ids) i, generate_series(1, ${AGENTS - 1}, 5) n`,
    [tenant.organization_id, ids],
  );
};

before(async () => {
  database = await createFreshDatabase();
  planes = await startPlanes({ database, gateways: 0 });
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  owner = await database.client();
  await makeFleet();
});
after(async () => {
  await owner.end();
  await planes.stop();
  await database.drop();
});

const ask = (path: string, operation: string, more: object = {}): Promise<TestResponse> =>
  call(planes.controlUrl, 'POST', `/v1/agents/bulk${path}`, { token: tenant.token, body: { agent_ids: ids, operation, ...more } });

/** Returns agents with partial changes. */
const halfDone = async (): Promise<unknown[]> =>
  (
    await owner.query(
      `select a.id, a.status, t.revoked, t.passports, k.open_keys, d.open_delegations from agents a,
         lateral (select count(*) filter (where e.type = 'agent.revoked')::int as revoked from audit_events e where e.subject_id = a.id) t0,
         lateral (select t0.revoked, (select count(*)::int from audit_events e where e.type = 'passport.revoked' and e.subject_id = 'psp_' || right(a.id, 26)) as passports) t,
         lateral (select count(*)::int as open_keys from agent_keys k where k.agent_id = a.id and k.retired_at is null) k,
         lateral (select count(*)::int as open_delegations from delegations d where a.id in (d.delegator_agent_id, d.delegate_agent_id) and d.status = 'ACTIVE') d
        where a.id = any ($1) and case when a.status = 'REVOKED'
          then (t.revoked, t.passports, k.open_keys, d.open_delegations) <> (1, 1, 0, 0)
          else (t.revoked, t.passports, k.open_keys) <> (0, 0, 1) end`,
      [ids],
    )
  ).rows;

const revoked = async (): Promise<number> =>
  (await owner.query("select count(*)::int as n from agents where id = any ($1) and status = 'REVOKED'", [ids])).rows[0].n;

test('a killed bulk operation leaves no agent half changed, and a retry does the rest once', async (t) => {
  const began = performance.now();
  const shown = await ask('/preview', 'revoke');
  t.diagnostic(`previewed in ${Math.round(performance.now() - began)} ms`);
  assert.deepEqual([shown.json.total.agents, shown.json.total.refused, shown.json.total.blast_radius.delegations], [AGENTS, 0, AGENTS / 5]);
  const paused = performance.now();
  assert.equal((await ask('', 'pause', { reason: 'test' })).json.counts.changed, AGENTS);
  t.diagnostic(`paused in ${Math.round(performance.now() - paused)} ms`);
  // A lock on the last one blocks its end, however late it is processed.
  const holder = await database.client();
  await holder.query('begin');
  await holder.query('select from agents where id = $1 for update', [ids.toSorted().at(-1)]);
  const broken = ask('', 'revoke', { reason: 'test' }).catch(() => 'broken off');
  await waitUntil('it is under way', async () => (await revoked()) > 0);
  planes.control.kill('SIGKILL');
  assert.equal(await broken, 'broken off');
  await holder.end();
  await waitUntil('its transactions are over', async () => {
    const { rows } = await owner.query(
      'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null',
    );
    return rows.length === 0;
  });
  const done = await revoked();
  assert.ok(done > 0 && done < AGENTS, `${done} were done`);
  assert.deepEqual(await halfDone(), []);
  const before = planes;
  planes = await startPlanes({ database, gateways: 0 });
  await before.stop();
  const repeated = performance.now();
  const { json } = await ask('', 'revoke', { reason: 'test' });
  t.diagnostic(`${AGENTS - done} revoked in ${Math.round(performance.now() - repeated)} ms`);
  assert.deepEqual(json.counts, { changed: AGENTS - done, unchanged: done, refused: 0, not_done: 0 });
  assert.equal(await revoked(), AGENTS);
  assert.deepEqual(await halfDone(), []);
});
