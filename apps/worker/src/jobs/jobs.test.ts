import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getNonceKeptForMs } from '@svc/domain/agents/identity/assertion-window.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newLogger } from '@svc/program/log/new-logger.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { writeEvents } from '@svc/testing/events/write-events.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import { closeStuckActions } from './close-stuck-actions.ts';
import { closeUnreportedActions } from './close-unreported-actions.ts';
import { deleteAgentSessions } from './delete-agent-sessions.ts';
import { deleteCounterUses } from './delete-counter-uses.ts';
import { expireApprovals } from './expire-approvals.ts';
import { forgetIdempotencyKeys } from './forget-idempotency-keys.ts';
import { type Job, type JobDeps, runJob } from './job.ts';
import { startJobs } from './start-jobs.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let deps: JobDeps;
const opened: Database[] = [];
const where = (organization: string) => ({ organization_id: organization, workspace_id: 'wsp_1', environment_id: 'env_1' });
const ORGANIZATIONS = ['org_a', 'org_b'];

before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  for (const id of ORGANIZATIONS) await owner.query('insert into organizations (id, name) values ($1, $1)', [id]);
  const connectAs = (role: DatabaseRole): Database => {
    const database = connect({ url: fresh.url, role, ...testLogin(role), connectionsMax: 8, timeoutMs: 20_000 });
    opened.push(database);
    return database;
  };
  deps = {
    database: connectAs('svc_app'),
    identity: connectAs('svc_identity'),
    log: newLogger('test', 'silent', { write: () => {} }),
    clock: () => new Date(),
  };
});
after(async () => {
  await Promise.all(opened.map((database) => database.destroy()));
  await owner.end();
  await fresh.drop();
});

const ago = (ms: number) => new Date(Date.now() - ms);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const readRow = async (table: string, id: string) => (await owner.query(`select * from ${table} where id = $1`, [id])).rows[0];
const readEvents = async (id: string) => (await owner.query('select * from audit_events where subject_id = $1 order by id', [id])).rows;

test('an expired approval ends, waiting or granted, with its held action, in every organization', async () => {
  const cases = [];
  for (const organization of ORGANIZATIONS) {
    for (const [status, action] of [
      ['PENDING', 'PENDING_APPROVAL'],
      ['APPROVED', 'APPROVED'],
    ]) {
      cases.push({
        was: status,
        ...(await insertHeldAction(owner, where(organization), { status, expires_at: ago(1) }, { status: action })),
      });
    }
  }
  await runJob(deps, expireApprovals);
  for (const { was, approvalId, actionId } of cases) {
    const action = await readRow('actions', actionId);
    assert.equal((await readRow('approvals', approvalId)).status, 'EXPIRED');
    assert.deepEqual([action.status, action.code], ['EXPIRED', 'APPROVAL_EXPIRED']);
    assert.ok(action.completed_at);
    const events = await readEvents(approvalId);
    assert.deepEqual(
      events.map(({ type, actor_type, data }) => [type, actor_type, data.before.status, data.action_id]),
      [['approval.expired', 'SYSTEM', was, actionId]],
    );
  }
});

test('an approval with time left, or already ended, is unchanged', async () => {
  const untouched = [];
  for (const [status, expires_at] of [
    ['PENDING', ago(-MINUTE)],
    ['APPROVED', ago(-MINUTE)],
    ['DENIED', ago(1)],
    ['CONSUMED', ago(1)],
    ['CANCELLED', ago(1)],
  ] as const) {
    untouched.push({ status, ...(await insertHeldAction(owner, where('org_a'), { status, expires_at }, { status: 'COMPLETED' })) });
  }
  await runJob(deps, expireApprovals);
  for (const { status, approvalId, actionId } of untouched) {
    assert.deepEqual([(await readRow('approvals', approvalId)).status, (await readRow('actions', actionId)).status], [status, 'COMPLETED']);
    assert.deepEqual(await readEvents(approvalId), []);
  }
});

test('concurrent replicas expire each approval once, also beyond one step', async () => {
  const held = [];
  for (let index = 0; index < 250; index += 1) held.push(await insertHeldAction(owner, where('org_a'), { expires_at: ago(1) }));
  await Promise.all(Array.from({ length: 6 }, () => runJob(deps, expireApprovals)));
  const ids = held.map((each) => each.approvalId);
  const { rows } = await owner.query('select subject_id, count(*)::int as n from audit_events where subject_id = any($1) group by 1', [
    ids,
  ]);
  assert.deepEqual([rows.length, rows.every((row) => row.n === 1)], [250, true]);
});

test('a finished round leaves the rest of one organization to the next, after every other had its step', async () => {
  const stepped: string[] = [];
  const job = {
    name: 'expire-approvals',
    everyMs: 1,
    findOrganizations: async () => [...ORGANIZATIONS],
    step: async (_: unknown, organizationId: string) => stepped.push(organizationId) > 0,
  };
  await runJob(deps, job, undefined, () => true);
  assert.deepEqual(stepped, [...ORGANIZATIONS]);
  let rounds = 0;
  await runJob(deps, job, undefined, () => ++rounds === 3);
  assert.equal(stepped.length, 4 * ORGANIZATIONS.length);
});

test('an approval with a concurrent vote is not waited for', async () => {
  const held = await insertHeldAction(owner, where('org_a'), { expires_at: ago(1) });
  const voting = await fresh.client();
  await voting.query('begin');
  await voting.query('select 1 from approvals where id = $1 for update', [held.approvalId]);
  // It holds its row until the job is done: a job that waited for it would stay blocked.
  let isDone = false;
  const waits: unknown[] = [];
  const job = runJob(deps, expireApprovals).finally(() => (isDone = true));
  while (!isDone) {
    const { rows } = await owner.query(
      "select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    waits.push(...rows);
    await sleep(20);
  }
  await job;
  assert.deepEqual(waits, []);
  assert.equal((await readRow('approvals', held.approvalId)).status, 'PENDING');
  await voting.query('rollback');
  await voting.end();
  await runJob(deps, expireApprovals);
  assert.equal((await readRow('approvals', held.approvalId)).status, 'EXPIRED');
});

test('an action in execution past its lease is closed as unknown and recorded, once', async () => {
  const id = await insertAction(owner, where('org_b'), { status: 'EXECUTING', created_at: ago(5_000), held_until: ago(1) });
  await Promise.all([runJob(deps, closeStuckActions), runJob(deps, closeStuckActions)]);
  await runJob(deps, closeStuckActions);
  const action = await readRow('actions', id);
  assert.deepEqual([action.status, action.code, action.execution.state], ['UNKNOWN', 'EXECUTION_TIMEOUT', 'UNKNOWN']);
  assert.match(action.execution.reason, /outcome was never recorded/);
  assert.ok(action.completed_at);
  const events = await readEvents(id);
  assert.deepEqual(
    events.map(({ type, actor_type, data }) => [type, actor_type, data.code]),
    [['action.failed', 'SYSTEM', 'EXECUTION_TIMEOUT']],
  );
});

test('the lease of a credential for an action left in execution is recorded as ended once, and for no other action', async () => {
  const executing = () => insertAction(owner, where('org_b'), { status: 'EXECUTING', created_at: ago(5_000), held_until: ago(1) });
  const [leased, plain] = [await executing(), await executing()];
  await writeEvents(owner, { organizationId: 'org_b', type: 'credential.issued', subjects: [leased] });
  await Promise.all([runJob(deps, closeStuckActions), runJob(deps, closeStuckActions)]);
  const readTypes = async (id: string) => (await readEvents(id)).map(({ type }) => type).sort();
  assert.deepEqual(await readTypes(leased), ['action.failed', 'credential.issued', 'credential.lease_expired']);
  assert.deepEqual((await readEvents(leased)).find(({ type }) => type === 'credential.lease_expired')?.data, { n: 1 });
  assert.deepEqual(await readTypes(plain), ['action.failed']);
});

test('an action with a valid lease is not closed, regardless of its age; without a lease the longest one counts', async () => {
  const executing = (row: object) => insertAction(owner, where('org_a'), { status: 'EXECUTING', ...row });
  const held = await executing({ created_at: ago(HOUR), held_until: ago(-5_000) });
  const young = await executing({ created_at: ago(2 * MINUTE) });
  const old = await executing({ created_at: ago(151_000) });
  const used = async (consumed_at: Date) =>
    (
      await insertHeldAction(
        owner,
        where('org_a'),
        { status: 'CONSUMED', consumed_at, expires_at: ago(-HOUR) },
        { status: 'EXECUTING', created_at: ago(HOUR) },
      )
    ).actionId;
  const justUsed = await used(ago(5_000));
  const usedLongAgo = await used(ago(151_000));
  const waiting = await insertAction(owner, where('org_a'), {
    status: 'ALLOWED',
    execution: '{"state":"BY_AGENT"}',
    created_at: ago(HOUR),
  });
  await runJob(deps, closeStuckActions);
  const statuses = [];
  for (const id of [held, young, old, justUsed, usedLongAgo, waiting]) statuses.push((await readRow('actions', id)).status);
  assert.deepEqual(statuses, ['EXECUTING', 'EXECUTING', 'UNKNOWN', 'EXECUTING', 'UNKNOWN', 'ALLOWED']);
});

const BY_AGENT = '{"state":"BY_AGENT"}';
const WITHIN_MS = HOUR;
const closeUnreported = closeUnreportedActions(WITHIN_MS / 1_000);
const madeAt = (organization: string, at: Date, row: object = {}) =>
  insertAction(owner, where(organization), { id: `act_${newUlid(at.getTime())}`, created_at: at, execution: BY_AGENT, ...row });

test('an action without a report by its agent is closed as unknown when its time ends, recorded once, and then accepts no report', async () => {
  const late = await madeAt('org_a', ago(WITHIN_MS + MINUTE));
  const observed = await madeAt('org_b', ago(WITHIN_MS + MINUTE), { status: 'OBSERVED', mode: 'OBSERVE' });
  const young = await madeAt('org_a', ago(WITHIN_MS - MINUTE));
  const reported = await madeAt('org_a', ago(WITHIN_MS + MINUTE), { status: 'COMPLETED', completed_at: ago(MINUTE) });
  const unexecuted = await madeAt('org_a', ago(WITHIN_MS + MINUTE), { execution: '{"state":"NOT_EXECUTED"}' });
  await Promise.all([runJob(deps, closeUnreported), runJob(deps, closeUnreported)]);
  await runJob(deps, closeUnreported);
  const statuses = [];
  for (const id of [late, observed, young, reported, unexecuted]) statuses.push((await readRow('actions', id)).status);
  assert.deepEqual(statuses, ['UNKNOWN', 'OBSERVED', 'ALLOWED', 'COMPLETED', 'ALLOWED']);
  for (const id of [late, observed]) {
    const action = await readRow('actions', id);
    assert.deepEqual([action.execution.state, action.completed_at !== null], ['UNKNOWN', true]);
    assert.deepEqual(
      (await readEvents(id)).map(({ type, actor_type, data }) => [type, actor_type, data.status]),
      [['action.failed', 'SYSTEM', id === late ? 'UNKNOWN' : 'OBSERVED']],
    );
  }
  assert.deepEqual(await closeUnreported.findOrganizations(deps.identity, new Date()), []);
});

test('so is one whose approval was used late, by the time of that use', async () => {
  const used = async (consumed_at: Date) =>
    await insertHeldAction(
      owner,
      where('org_a'),
      { status: 'CONSUMED', consumed_at, expires_at: ago(-HOUR) },
      { status: 'ALLOWED', execution: BY_AGENT, id: `act_${newUlid(ago(DAY).getTime())}`, created_at: ago(DAY) },
    );
  const { actionId: late, approvalId } = await used(ago(WITHIN_MS + MINUTE));
  const { actionId: young, approvalId: youngs } = await used(ago(MINUTE));
  const statuses = async () => [(await readRow('actions', late)).status, (await readRow('actions', young)).status];
  await owner.query("update unreported_marks set action_id = ''");
  await runJob(deps, closeUnreported);
  assert.deepEqual(await statuses(), ['UNKNOWN', 'ALLOWED'], 'the time that it waited for people is not the time to report it in');
  await owner.query('update approvals set consumed_at = $2 where id = $1', [youngs, ago(WITHIN_MS)]);
  await runJob(deps, closeUnreported);
  assert.deepEqual(await statuses(), ['UNKNOWN', 'UNKNOWN']);
  await owner.query("update unreported_marks set action_id = ''");
  assert.deepEqual(
    (await readEvents(late)).map(({ data }) => data.approval_id),
    [approvalId],
  );
});

test('many of them are closed in batches, without waiting for or missing a concurrently reported one', async () => {
  const made: string[] = [];
  for (let index = 0; index < 1_100; index += 1) made.push(await madeAt('org_b', ago(WITHIN_MS + HOUR - index)));
  const [held] = made.slice(600);
  const reporting = await fresh.client();
  await reporting.query('begin');
  await reporting.query('select 1 from actions where id = $1 for update', [held]);
  await runJob(deps, closeUnreported);
  const open = async () =>
    (await owner.query("select id from actions where id = any($1) and status = 'ALLOWED'", [made])).rows.map(({ id }) => id);
  const left = await open();
  assert.ok(left.includes(held) && left.length < 600, `${left.length} left`);
  await reporting.query('rollback');
  await reporting.end();
  await runJob(deps, closeUnreported);
  assert.deepEqual(await open(), []);
  const { rows } = await owner.query('select count(*)::int as n from audit_events where subject_id = any($1)', [made]);
  assert.deepEqual(rows, [{ n: made.length }]);
});

const insertSession = async (organization: string, agent: string, expires_at: Date, lifetimeMs = 15 * MINUTE): Promise<string> => {
  const id = `ses_${newUlid()}`;
  const created_at = new Date(expires_at.getTime() - lifetimeMs);
  await owner.query(
    `insert into agent_sessions (organization_id, id, agent_id, nonce_hash, generation, series, sdk, created_at, expires_at)
     values ($1, $2, $3, $4, 1, 1, '{}', $5, $6)`,
    [organization, id, agent, Buffer.from(id), created_at, expires_at],
  );
  return id;
};
const readIds = async (table: string, column: string, ids: readonly string[]) =>
  (await owner.query(`select ${column} as id from ${table} where ${column} = any($1)`, [ids])).rows.map((row) => row.id as string);

test('agent sessions are deleted an hour after they expire, not while their nonce counts, and the newest of each agent stays', async () => {
  const shortest = 30_000;
  const gone = [
    await insertSession('org_a', 'agt_1', ago(3 * HOUR)),
    await insertSession('org_b', 'agt_2', ago(2 * HOUR)),
    await insertSession('org_b', 'agt_3', ago(getNonceKeptForMs()), shortest),
  ];
  const stays = [
    await insertSession('org_a', 'agt_1', ago(2 * HOUR)),
    await insertSession('org_b', 'agt_3', ago(getNonceKeptForMs() - shortest - MINUTE), shortest),
    await insertSession('org_b', 'agt_3', ago(-MINUTE), shortest),
    await insertSession('org_b', 'agt_2', ago(59 * MINUTE)),
    await insertSession('org_b', 'agt_2', ago(-10 * MINUTE)),
  ];
  await runJob(deps, deleteAgentSessions);
  assert.deepEqual((await readIds('agent_sessions', 'id', [...gone, ...stays])).toSorted(), stays.toSorted());
  assert.deepEqual(await deleteAgentSessions.findOrganizations(deps.identity, new Date()), []);
});

test('the end of a session is deleted an hour after its token expired, and not before', async () => {
  const end = (id: string, expires_at: Date) =>
    owner.query("insert into ended_agent_sessions (organization_id, agent_id, session_id, expires_at) values ('org_a', 'agt_1', $1, $2)", [
      id,
      expires_at,
    ]);
  await end('ses_old', ago(61 * MINUTE));
  await end('ses_recent', ago(MINUTE));
  await runJob(deps, deleteAgentSessions);
  assert.deepEqual(await readIds('ended_agent_sessions', 'session_id', ['ses_old', 'ses_recent']), ['ses_recent']);
});

test('idempotency keys are deleted after a day, the actions stay', async () => {
  const remember = (key: string, created_at: Date) =>
    owner.query(
      `insert into idempotency_keys (organization_id, principal_id, operation, key, request_hash, status, body, created_at)
       values ('org_a', 'usr_1', 'createPolicy', $1, '\\x00', 201, '{}', $2)`,
      [key, created_at],
    );
  await remember('old', ago(DAY + MINUTE));
  await remember('young', ago(DAY - MINUTE));
  const keyed = (idempotency_key: string, created_at: Date) =>
    insertAction(owner, where('org_b'), { idempotency_key, idempotency_hash: Buffer.alloc(32), created_at });
  const old = await keyed('old', ago(DAY + MINUTE));
  const young = await keyed('young', ago(DAY - MINUTE));
  await runJob(deps, forgetIdempotencyKeys);
  assert.deepEqual(await readIds('idempotency_keys', 'key', ['old', 'young']), ['young']);
  const [forgotten, kept] = [await readRow('actions', old), await readRow('actions', young)];
  assert.deepEqual([forgotten.idempotency_key, forgotten.idempotency_hash, forgotten.status], [null, null, 'ALLOWED']);
  assert.equal(kept.idempotency_key, 'young');
});

test('the previous secret is erased when its overlap ends, and no valid or current one', async () => {
  const insert = async (organization: string, ends: Date): Promise<string> => {
    const id = `cred_${newUlid()}`;
    const { organization_id, workspace_id, environment_id } = where(organization);
    await owner.query(`insert into workspaces (organization_id, id, name, slug) values ($1, $2, 'w', 'w') on conflict do nothing`, [
      organization_id,
      workspace_id,
    ]);
    await owner.query(
      `insert into environments (organization_id, workspace_id, id, name, type) values ($1, $2, $3, 'e', 'STAGING') on conflict do nothing`,
      [organization_id, workspace_id, environment_id],
    );
    await owner.query(
      `insert into credentials (organization_id, workspace_id, environment_id, id, name, description, scheme, placement, destinations, tools,
         generation, sealed_secret, sealed_previous_secret, previous_ends_at, created_by)
       values ($1, $2, $3, $4, $4, '', 'BEARER', '{}', '{a.example}', '{a}', 2, '\\x02', '\\x01', $5, 'usr_1')`,
      [organization_id, workspace_id, environment_id, id, ends],
    );
    return id;
  };
  const over = [await insert('org_a', ago(MINUTE)), await insert('org_a', ago(DAY)), await insert('org_b', ago(MINUTE))];
  const good = await insert('org_b', ago(-MINUTE));
  await runJob(deps, forgetIdempotencyKeys);
  const told = async (id: string) => {
    const { sealed_secret, sealed_previous_secret, previous_ends_at } = await readRow('credentials', id);
    return [sealed_secret?.toString('hex'), sealed_previous_secret?.toString('hex') ?? null, previous_ends_at !== null];
  };
  for (const id of over) assert.deepEqual(await told(id), ['02', null, false]);
  assert.deepEqual(await told(good), ['02', '01', true]);
});

const getJob = (more: Partial<Job>): Job => ({
  name: `job-${newUlid()}`,
  everyMs: 5,
  findOrganizations: async () => ORGANIZATIONS,
  step: async () => false,
  ...more,
});

test('uses of counters are deleted when no window reaches them, and totals stay', async () => {
  for (const organization of ORGANIZATIONS) {
    await owner.query('insert into counters (organization_id, counter, total) values ($1, $2, 1002)', [organization, 'limit:x#calls']);
    await owner.query(
      `insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until)
       select $1, 'limit:x#calls', n, 1, now(), now() + case when n > 1001 then interval '1 minute' else interval '-1 second' end
         from generate_series(1, 1002) n`,
      [organization],
    );
  }
  await runJob(deps, deleteCounterUses);
  const { rows } = await owner.query('select organization_id, total::int from counter_uses order by organization_id');
  assert.deepEqual(
    rows,
    ORGANIZATIONS.map((organization_id) => ({ organization_id, total: 1002 })),
  );
  assert.equal((await owner.query("select from counters where total = 1002 and counter = 'limit:x#calls'")).rowCount, 2);
});

test('a failure in one organization does not delay another', async () => {
  const done: string[] = [];
  const step: Job['step'] = async (_, organization) => {
    if (organization === 'org_a') throw new Error('broken');
    done.push(organization);
    return false;
  };
  await runJob(deps, getJob({ step }));
  assert.deepEqual(done, ['org_b']);
});

test('an organization with much work delays none of the others', async () => {
  const done: string[] = [];
  const step: Job['step'] = async (_, organization) => {
    done.push(organization);
    return organization === 'org_a' && done.length < 6;
  };
  await runJob(deps, getJob({ step }));
  assert.deepEqual(done.slice(0, 2), ['org_a', 'org_b']);
  assert.equal(done.length, 6);
});

test('a job never runs twice at once and continues after a failure; stopping waits for the running one and starts no other', async () => {
  let running = 0;
  let mostAtOnce = 0;
  let runs = 0;
  const step: Job['step'] = async () => {
    running += 1;
    runs += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await sleep(30);
    running -= 1;
    if (runs === 1) throw new Error('broken');
    return false;
  };
  const jobs = startJobs(deps, [getJob({ step })]);
  while (runs < 4 || running === 0) await sleep(1);
  await jobs.stop();
  const atStop = runs;
  assert.equal(running, 0);
  await sleep(100);
  assert.deepEqual([mostAtOnce, runs], [1, atStop]);
});

test('two replicas do not take a step of the same organization at the same time', async () => {
  let running = 0;
  let mostAtOnce = 0;
  const step: Job['step'] = async () => {
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await sleep(20);
    running -= 1;
    return false;
  };
  const job = getJob({ step, findOrganizations: async () => ['org_a'] });
  await Promise.all(Array.from({ length: 5 }, () => runJob(deps, job)));
  assert.equal(mostAtOnce, 1);
});

test('an unavailable database ends no job and throws no error', async () => {
  const nowhere = connect({
    url: 'postgresql://127.0.0.1:1/none',
    role: 'svc_identity',
    user: 'x',
    password: 'x',
    connectionsMax: 1,
    timeoutMs: 500,
  });
  await runJob({ ...deps, identity: nowhere }, expireApprovals);
  await nowhere.destroy();
});
