import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { verifyPassport } from '@svc/keyring/tokens/passport.ts';
import { loadPlatformKeys } from '@svc/operations/agents/identity/load-platform-keys.ts';
import { isRenewalOverdue } from '@svc/postgres/agents/agents/ending-passports.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient, newGatewayClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { pino } from 'pino';
import { type AnyJob, type JobDeps, runJob } from './job.ts';
import { renewPassports } from './renew-passports.ts';

let planes: Planes;
let tenant: Tenant;
let owner: pg.Client;
let deps: JobDeps;
let job: AnyJob;
const opened: Database[] = [];
before(async () => {
  planes = await startPlanes();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  owner = await planes.database.client();
  const connectAs = (role: DatabaseRole): Database => {
    const settings = { url: planes.database.url, role, ...testLogin(role), connectionsMax: 4, timeoutMs: 20_000 };
    opened.push(connect(settings));
    return opened.at(-1) as Database;
  };
  deps = {
    database: connectAs('svc_app'),
    identity: connectAs('svc_identity'),
    log: pino({ level: 'silent' }),
    clock: () => new Date('2001-01-01T00:00:00.000Z'),
  };
  const masterKey = readMasterKey(TEST_MASTER_KEY);
  assert.ok(masterKey.ok);
  const platformKeys = await loadPlatformKeys(deps.database, masterKey.key, deps.log);
  job = renewPassports({ settings: { passportLifetimeDays: 365 }, platformKeys });
});
after(async () => {
  await Promise.all(opened.map((each) => each.destroy()));
  await owner.end();
  await planes.stop();
});

const agentWhosePassportEndsIn = async (span: string, status = 'ACTIVE'): Promise<TestAgent> => {
  const agent = await newAgent(tenant);
  await owner.query(
    `update passports set issued_at = now() - interval '335 days' + $2::interval - interval '30 days', expires_at = now() + $2::interval where agent_id = $1`,
    [agent.id, span],
  );
  await owner.query('update agents set status = $2 where id = $1', [agent.id, status]);
  return agent;
};
type Row = { id: string; version: number; expires_at: Date; end_pending: boolean; token: string };
const readPassports = async ({ id }: TestAgent): Promise<Row[]> =>
  (await owner.query('select * from passports where agent_id = $1 order by version', [id])).rows;
const readEvents = async (id: string): Promise<{ type: string; data: Record<string, unknown>; actor_type: string }[]> =>
  (await owner.query('select type, data, actor_type from audit_events where subject_id = $1 order by id', [id])).rows;
const get = (path: string) => mustCall(planes.controlUrl, 'GET', path, { token: tenant.token });
const DAY = 86_400_000;

test('a passport near its end is renewed for a full term under the same key, once for all replicas, by the database clock', async () => {
  const agents = [await agentWhosePassportEndsIn('29 days'), await agentWhosePassportEndsIn('1 hour', 'PAUSED')];
  const keys = await Promise.all(agents.map(({ id }) => get(`/v1/agents/${id}`)));
  await Promise.all(Array.from({ length: 4 }, () => runJob(deps, job)));
  const published = (await newGatewayClient(planes.gatewayUrl).getPlatformKey()) as { keys: { jwk: object }[] };
  for (const [at, agent] of agents.entries()) {
    const [first, second, ...more] = await readPassports(agent);
    assert.deepEqual([more, first?.end_pending, second?.end_pending, second?.version], [[], false, true, 2]);
    assert.ok(Math.abs((second?.expires_at.getTime() ?? 0) - Date.now() - 365 * DAY) < DAY / 24);
    const now = await get(`/v1/agents/${agent.id}`);
    assert.deepEqual([now.public_key, now.key_generation, now.passport_version], [keys[at].public_key, 1, 2]);
    const claims = verifyPassport(second?.token, published.keys[0]?.jwk ?? {}, Date.now());
    assert.ok(!('refused' in claims) && claims.version === 2);
    const events = await readEvents(second?.id ?? '');
    assert.deepEqual(
      events.map(({ type, actor_type, data }) => [type, actor_type, data.because, data.version]),
      [['passport.issued', 'SYSTEM', 'renewal', 2]],
    );
  }
});

test('a passport that has time left or has ended, or whose agent is stopped by security or ends first, is not renewed', async () => {
  const left = [
    await agentWhosePassportEndsIn('31 days'),
    await agentWhosePassportEndsIn('1 day', 'SUSPENDED'),
    await agentWhosePassportEndsIn('1 day', 'ISOLATED'),
    await agentWhosePassportEndsIn('-1 second'),
    await agentWhosePassportEndsIn('2 days'),
  ];
  await owner.query('update agents a set expires_at = p.expires_at from passports p where p.agent_id = a.id and a.id = $1', [
    left.at(-1)?.id,
  ]);
  await runJob(deps, job);
  for (const agent of left) assert.equal((await readPassports(agent)).length, 1);
});

test('the end of a passport is recorded once, and not for a replaced one or an ended agent', async () => {
  const ended = [await agentWhosePassportEndsIn('-1 second'), await agentWhosePassportEndsIn('-1 second', 'SUSPENDED')];
  const over = await agentWhosePassportEndsIn('-1 second', 'REVOKED');
  const renamed = await newAgent(tenant);
  await newControlClient(planes.controlUrl, tenant.token).updateAgent({ params: { agentId: renamed.id }, body: { name: 'Renamed' } });
  await owner.query("update passports set expires_at = now() - interval '1 second' where agent_id = $1 and version = 1", [renamed.id]);
  await Promise.all(Array.from({ length: 4 }, () => runJob(deps, job)));
  await runJob(deps, job);
  const told = async (agent: TestAgent) =>
    (await readEvents((await readPassports(agent))[0]?.id ?? ''))
      .filter(({ type }) => type === 'passport.expired')
      .map(({ data }) => data.agent_id);
  for (const agent of ended) assert.deepEqual(await told(agent), [agent.id]);
  assert.deepEqual([await told(over), await told(renamed)], [[], []]);
  assert.deepEqual(
    (await readPassports(over)).map(({ end_pending }) => end_pending),
    [false],
  );
});

test('the health of an agent warns of a passport that is due, with the reason it is not renewed and the remedy', async () => {
  const readWarning = async ({ id }: TestAgent) => {
    const health = await get(`/v1/agents/${id}/health`);
    return health.checks.find(({ check }: { check: string }) => check === 'passport_renewal')?.detail;
  };
  assert.match(await readWarning(await agentWhosePassportEndsIn('3 days')), /was not renewed yet.*passport\/renew/);
  assert.match(await readWarning(await agentWhosePassportEndsIn('3 days', 'SUSPENDED')), /while the agent is SUSPENDED/);
  assert.equal(await readWarning(await agentWhosePassportEndsIn('40 days')), undefined);
  await runJob(deps, job);
});

test('readiness has a warning flag if passports near their end are not renewed, and stays ready', async () => {
  assert.equal(await isRenewalOverdue(deps.identity), false);
  const agent = await agentWhosePassportEndsIn('14 days');
  assert.equal(await isRenewalOverdue(deps.identity), true);
  const ready = await call(planes.controlUrl, 'GET', '/health/ready');
  assert.deepEqual([ready.status, ready.json], [200, { status: 'ok', checks: { database: 'ok', clock: 'ok', passports: 'ending' } }]);
  await owner.query("update agents set status = 'SUSPENDED' where id = $1", [agent.id]);
  assert.equal(await isRenewalOverdue(deps.identity), false);
});
