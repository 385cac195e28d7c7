import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { MailService } from '@svc/operations/people/mail/mail-service.ts';
import { connect } from '@svc/postgres/connection/connect.ts';
import { newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import pino from 'pino';
import { runJob } from '../job.ts';
import { spreadNotices } from './spread-notices.ts';
import { warnOfEndings } from './warn-of-endings.ts';

const DAY_MS = 86_400_000;

let planes: Planes;
let tenant: Tenant;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  tenant = await newTenant(planes);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const mail = { kind: 'none', service: () => 'https://governance.example.com' } as MailService;

/** Runs the job concurrently, like two planes; recipients are determined once. */
const run = async (now: Date): Promise<void> => {
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 20_000 });
  const [database, identity] = [as('svc_app'), as('svc_identity')];
  const deps = { database, identity, log: pino({ level: 'silent' }), clock: () => now };
  await Promise.all([0, 1].map(() => runJob(deps, warnOfEndings)));
  await waitUntil('they are told', async () => {
    await runJob({ ...deps, clock: () => new Date() }, spreadNotices({ mail }));
    return (await owner.query('select from notices where done_at is null')).rowCount === 0;
  });
  await Promise.all([database.destroy(), identity.destroy()]);
};

const newKey = (token: string, days: number, name: string) =>
  newControlClient(planes.controlUrl, token).createApiKey({ body: { name, role_id: getBuiltInRole('admin').id, expires_in_days: days } });
const toldOf = async (userId: string, kind = 'key_expiring'): Promise<string[]> => {
  const { rows } = await owner.query('select facts from notifications where user_id = $1 and kind = $2 order by id', [userId, kind]);
  return rows.map(({ facts }) => facts.name);
};

test('the creator of a key and the owners are notified once, a week before it ends or in the last third of a shorter life', async () => {
  const maker = await insertPerson(owner, tenant.organization_id, 'admin');
  const first = await newKey(maker.token, 30, 'long');
  await newKey(first.token, 29, 'of a key');
  await newKey(maker.token, 3, 'short');
  const revoked = await newKey(maker.token, 30, 'revoked');
  await newControlClient(planes.controlUrl, tenant.token).revokeApiKey({ params: { apiKeyId: revoked.api_key.id } });
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  await run(at(0));
  assert.deepEqual(await toldOf(maker.id), []);
  await run(at(2.1));
  assert.deepEqual([await toldOf(maker.id), await toldOf(tenant.user.id)], [['short'], ['short']]);
  await run(at(23.5));
  await run(at(24));
  assert.deepEqual((await toldOf(maker.id)).toSorted(), ['long', 'of a key', 'short']);
  await newControlClient(planes.controlUrl, maker.token).rotateApiKey({
    params: { apiKeyId: first.api_key.id },
    body: { expires_in_days: 30 },
  });
  await run(at(24));
  assert.equal((await toldOf(maker.id)).length, 4, 'a new end is told of anew');
});

test('the maintainer is notified once of the end of an unrenewed passport; not if it was replaced or its agent ended', async () => {
  const [near, far, over] = [await newAgent(tenant), await newAgent(tenant), await newAgent(tenant)];
  const developer = await insertPerson(owner, tenant.organization_id, 'developer');
  const viewer = await insertPerson(owner, tenant.organization_id, 'viewer');
  const endsIn = (agent: TestAgent, days: number) =>
    owner.query(
      `update passports set issued_at = now() - interval '300 days', expires_at = now() + make_interval(days => $2) where agent_id = $1`,
      [agent.id, days],
    );
  await owner.query("update agents set status = 'SUSPENDED' where id = any ($1)", [[near.id, far.id]]);
  await owner.query("update agents set status = 'REVOKED' where id = $1", [over.id]);
  for (const [agent, days] of [
    [near, 5],
    [far, 10],
    [over, 5],
  ] as const)
    await endsIn(agent, days);
  await run(new Date());
  await run(new Date());
  const { rows } = await owner.query('select name from agents where id = $1', [near.id]);
  assert.deepEqual(await toldOf(developer.id, 'passport_expiring'), [rows[0].name]);
  assert.deepEqual(await toldOf(viewer.id, 'passport_expiring'), []);
});

test('the maintainer is notified once before the end date of an agent; not if it ended or has a later one', async () => {
  await stepUp(planes.controlUrl, tenant);
  const developer = await insertPerson(owner, tenant.organization_id, 'developer');
  const [near, later, over] = [await newAgent(tenant), await newAgent(tenant), await newAgent(tenant)];
  const ends = (agent: TestAgent, days: number) =>
    newControlClient(planes.controlUrl, tenant.token).updateAgent({
      params: { agentId: agent.id },
      body: { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() },
    });
  for (const agent of [near, later, over]) await ends(agent, 20);
  await ends(later, 90);
  await owner.query("update agents set status = 'REVOKED' where id = $1", [over.id]);
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  await run(at(12));
  assert.deepEqual(await toldOf(developer.id, 'agent_expiring'), []);
  await run(at(14));
  await run(at(15));
  assert.deepEqual(await toldOf(developer.id, 'agent_expiring'), [near.name]);
  assert.deepEqual(await toldOf(developer.id, 'passport_expiring'), []);
});

test('a person and the owners are notified before the end of a delegation of that person for more than a day', async () => {
  const agent = await newAgent(tenant, { capabilities: ['x'] });
  const admin = await insertPerson(owner, tenant.organization_id, 'admin');
  const other = await insertPerson(owner, tenant.organization_id, 'admin');
  const give = (days: number) =>
    newControlClient(planes.controlUrl, admin.token).createDelegation({
      body: { delegate_agent_id: agent.id, expires_at: new Date(Date.now() + days * DAY_MS).toISOString() },
    });
  await give(30);
  await give(0.5);
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  await run(at(0.49));
  assert.deepEqual(await toldOf(admin.id, 'delegation_expiring'), []);
  await run(at(24));
  await run(at(25));
  assert.equal((await toldOf(admin.id, 'delegation_expiring')).length, 1);
  assert.equal((await toldOf(tenant.user.id, 'delegation_expiring')).length, 1);
  assert.deepEqual(await toldOf(other.id, 'delegation_expiring'), []);
});
