import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

type Owner = Awaited<ReturnType<FreshDatabase['client']>>;

/** Replaces the clock functions of one database, so that a test can set its clock. */
const SHIM = `
  set allow_system_table_mods = on;
  create schema shim;
  create table shim.error (seconds integer not null);
  insert into shim.error values (0);
  grant usage on schema shim to public;
  grant select on shim.error to public;
  ${['clock_timestamp', 'statement_timestamp', 'now']
    .map(
      (name) => `
  alter function pg_catalog.${name}() rename to right_${name};
  create function pg_catalog.${name}() returns timestamptz ${name === 'clock_timestamp' ? 'volatile' : 'stable'} language plpgsql as
    $$ begin return pg_catalog.right_${name}() + make_interval(secs => (select seconds from shim.error)); end $$;`,
    )
    .join('')}`;

let database: FreshDatabase;
let owner: Owner;
let planes: StartedPlanes;

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  await owner.query(SHIM);
  planes = await startPlanes({ database });
});
after(async () => {
  await planes?.stop();
  await owner?.end();
  await database.drop();
});

const setError = async (seconds: number): Promise<void> => void (await owner.query('update shim.error set seconds = $1', [seconds]));

const ready = async (): Promise<readonly number[]> =>
  Promise.all([planes.controlUrl, planes.gatewayUrl].map(async (url) => (await call(url, 'GET', '/health/ready')).status));

const assertClockRefused = ({ status, json, text }: TestResponse): void => {
  assert.deepEqual([status, json.error?.code, json.error?.details?.part], [503, 'DEPENDENCY_UNAVAILABLE', 'clock'], text);
};

describe("an error of the database's clock", () => {
  for (const hours of [2, -2])
    test(`of ${hours} h for 5 s: decisions are refused, the emergency stop works, and the planes recover without a restart`, async () => {
      const governed = await newGoverned(planes);
      const { tenant, agent } = governed;
      const { email, password } = tenant;
      const request = (method: string, path: string, body?: unknown, token = tenant.token) =>
        call(planes.controlUrl, method, path, { token, ...(body ? { body } : {}) });
      const other = await newGoverned(planes);
      assert.equal((await governed.act({})).status, 200);
      await setError(hours * 3_600);
      await waitUntil('both planes notice', async () => (await ready()).every((status) => status === 503));
      const noticedAt = performance.now();
      assertClockRefused(await governed.act({}));
      assertClockRefused(await request('POST', '/v1/workspaces', { name: 'Later' }));
      const login = await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } });
      assert.equal(login.status, 200, login.text);
      const { token } = login.json;
      assert.equal((await request('POST', '/v1/auth/step-up', { password }, token)).status, 200);
      const paused = await request('POST', `/v1/agents/${agent.id}/pause`, { reason: 'test' }, token);
      assert.equal(paused.status, 200, paused.text);
      assert.equal((await request('GET', '/v1/agents')).status, 200);
      await sleep(5_000 - (performance.now() - noticedAt));
      await setError(0);
      await waitUntil('both planes recover', async () => (await ready()).every((status) => status === 200));
      const { rows } = await owner.query('select right_clock_timestamp() as now');
      const session = await owner.query('select max(expires_at) as ends from sessions');
      const endsInHours = (session.rows[0].ends.getTime() - rows[0].now.getTime()) / 3_600_000;
      assert.ok(endsInHours > 11.9 && endsInHours <= 12, `a session that was opened during the error ends in ${endsInHours} h`);
      assert.equal((await request('GET', '/v1/agents', undefined, token)).status, 200);
      assert.equal((await request('POST', '/v1/workspaces', { name: `After ${hours}` })).status, 201);
      assert.equal((await governed.act({})).json.error.code, 'AGENT_NOT_OPERATIONAL');
      assert.equal((await other.act({})).status, 200);
    });
});
