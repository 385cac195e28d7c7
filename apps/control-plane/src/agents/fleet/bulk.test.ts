import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildId } from '@svc/contract/tables/ids.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { startWithWrongClock } from '@svc/testing/planes/start-with-wrong-clock.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

type Operation = 'pause' | 'resume' | 'suspend' | 'revoke';
const listIds = (agents: readonly { id: string }[]): string[] => agents.map(({ id }) => id);
const send = (path: string, body: object, token = s.tenant.token): Promise<TestResponse> =>
  call(s.planes.controlUrl, 'POST', path, { token, body });
const bulk = (operation: Operation, agent_ids: readonly string[], token = s.tenant.token, reason = 'test'): Promise<TestResponse> =>
  send('/v1/agents/bulk', { agent_ids, operation, reason }, token);
const preview = (operation: Operation, agent_ids: readonly string[], token = s.tenant.token): Promise<TestResponse> =>
  send('/v1/agents/bulk/preview', { agent_ids, operation }, token);
/** Creates agents with a key and a passport each in the environment of the tenant. */
const many = async (count: number): Promise<{ id: string }[]> => {
  const { rows } = await s.owner.query(
    `insert into agents (organization_id, id, workspace_id, environment_id, name)
     select $1, id, $2, $3, id from unnest($4::text[]) as id returning id`,
    [
      s.tenant.organization_id,
      s.tenant.workspace_id,
      s.tenant.environment_id,
      Array.from({ length: count }, () => buildId('agent', newUlid())),
    ],
  );
  await s.owner.query(
    `with made as (select unnest($2::text[]) as id), keys as (
       insert into agent_keys (organization_id, agent_id, generation, public_key, thumbprint) select $1, id, 1, id, id from made)
     insert into passports (organization_id, id, agent_id, version, token, issued_at, expires_at)
     select $1, 'psp_' || right(id, 26), id, 1, 'x', now(), now() + interval '1 year' from made`,
    [s.tenant.organization_id, listIds(rows)],
  );
  return rows;
};
const delegate = (from: string, to: string, parentId: string | null = null, { organization_id } = s.tenant) =>
  s.owner.query(
    `insert into delegations (organization_id, id, parent_id, delegator_agent_id, delegate_agent_id, can_redelegate, max_depth, path, depth,
       workspace_ids, environment_ids, created_by_type, created_by_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, false, 0, '', 0, '{}', '{}', 'AGENT', $4, now(), now())`,
    [organization_id, buildId('delegation', newUlid()), parentId, from, to],
  );
const readStatuses = async (ids: readonly string[]): Promise<string[]> => {
  const { rows } = await s.owner.query('select id, status from agents where id = any ($1)', [ids]);
  const byId = new Map(rows.map(({ id, status }) => [id, status]));
  return ids.map((id) => byId.get(id));
};
const setStatus = (id: string, status: string) => s.owner.query('update agents set status = $2 where id = $1', [id, status]);
const eventsAbout = async (ids: readonly string[], type: string): Promise<{ subject_id: string; data: Record<string, unknown> }[]> =>
  (
    await s.owner.query(
      "select subject_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = any ($1) and type = $2",
      [ids, type],
    )
  ).rows;
type Result = { agent_id: string; outcome: string; from: string | null; to: string | null; code: string | null; reason: string | null };
const told = ({ json }: TestResponse): (string | null)[][] =>
  json.results.map(({ outcome, from, to, code }: Result) => [outcome, from, to, code]);

const UNKNOWN = 'agt_00000000000000000000000000';

describe('bulkChangeAgents', () => {
  test('changes what it may, refuses each of the others with its reason, in the requested order, with one event each', async () => {
    const [active, paused, suspended, revoked] = listIds(await many(4)) as [string, string, string, string];
    await setStatus(paused, 'PAUSED');
    await setStatus(suspended, 'SUSPENDED');
    await setStatus(revoked, 'REVOKED');
    const ids = [revoked, UNKNOWN, paused, active, suspended];
    const shown = await preview('pause', ids);
    const answer = await bulk('pause', ids);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(told(answer), [
      ['REFUSED', 'REVOKED', null, 'INVALID_STATE_TRANSITION'],
      ['REFUSED', null, null, 'NOT_FOUND'],
      ['UNCHANGED', 'PAUSED', null, null],
      ['CHANGED', 'ACTIVE', 'PAUSED', null],
      ['REFUSED', 'SUSPENDED', null, 'INVALID_STATE_TRANSITION'],
    ]);
    assert.deepEqual(
      shown.json.agents.map(({ agent_id, from, to, code, reason }: Result) => [agent_id, from, to, code, reason]),
      answer.json.results.map(({ agent_id, from, to, code, reason }: Result) => [agent_id, from, to, code, reason]),
    );
    assert.deepEqual(answer.json.counts, { changed: 1, unchanged: 1, refused: 3, not_done: 0 });
    assert.deepEqual([shown.json.total.agents, shown.json.total.refused], [1, 3]);
    const events = await eventsAbout(ids, 'agent.paused');
    assert.deepEqual(events, [{ subject_id: active, data: { before: { status: 'ACTIVE' }, after: { status: 'PAUSED' }, reason: 'test' } }]);
  });

  test('finds every agent done when repeated, and records nothing again', async () => {
    const ids = listIds(await many(3));
    await bulk('suspend', ids);
    const again = await bulk('suspend', ids);
    assert.deepEqual(told(again), Array(3).fill(['UNCHANGED', 'SUSPENDED', null, null]));
    assert.equal((await eventsAbout(ids, 'agent.suspended')).length, 3);
  });

  test('requires a step-up, the permission of the operation as well as agent:revoke, and a reason; without them nothing is done', async () => {
    const ids = listIds(await many(1));
    const fresh = await newTenant(s.planes);
    const unproved = await bulk('pause', ids, fresh.token);
    assert.deepEqual([unproved.status, unproved.json.error.code], [403, 'STEP_UP_REQUIRED']);
    const role = await newControlClient(s.planes.controlUrl, s.tenant.token).createRole({
      body: { name: 'Only the end', permissions: ['agent:read', 'agent:revoke'] },
    });
    const person = await insertPerson(s.owner, s.tenant.organization_id, role, { steppedUp: true });
    const lacking = await bulk('suspend', ids, person.token);
    assert.deepEqual([lacking.status, lacking.json.error.details], [403, { permission: 'agent:suspend' }]);
    assert.deepEqual((await preview('suspend', ids, person.token)).json.permissions_lacking, ['agent:suspend']);
    for (const body of [
      { agent_ids: ids, operation: 'pause' },
      { agent_ids: [], operation: 'pause', reason: 'x' },
      { agent_ids: [...ids, ...ids], operation: 'pause', reason: 'x' },
      { agent_ids: Array.from({ length: 1001 }, (_, n) => `agt_${n}`), operation: 'pause', reason: 'x' },
      { agent_ids: ids, operation: 'isolate', reason: 'x' },
    ])
      assert.equal((await send('/v1/agents/bulk', body)).json.error.code, 'VALIDATION_FAILED', JSON.stringify(body).slice(0, 80));
    assert.deepEqual(await readStatuses(ids), ['ACTIVE']);
    assert.equal((await bulk('revoke', ids, person.token)).json.counts.changed, 1);
  });

  test('lifts security restrictions only with the permission to set them, agent by agent', async () => {
    const [paused, isolated] = listIds(await many(2)) as [string, string];
    await setStatus(paused, 'PAUSED');
    await setStatus(isolated, 'ISOLATED');
    const role = await newControlClient(s.planes.controlUrl, s.tenant.token).createRole({
      body: { name: 'Resumes', permissions: ['agent:read', 'agent:revoke', 'agent:resume'] },
    });
    const person = await insertPerson(s.owner, s.tenant.organization_id, role, { steppedUp: true });
    assert.deepEqual(told(await bulk('resume', [paused, isolated], person.token)), [
      ['CHANGED', 'PAUSED', 'ACTIVE', null],
      ['REFUSED', 'ISOLATED', null, 'PERMISSION_DENIED'],
    ]);
    assert.deepEqual(told(await bulk('resume', [paused, isolated])), [
      ['UNCHANGED', 'ACTIVE', null, null],
      ['CHANGED', 'ISOLATED', 'ACTIVE', null],
    ]);
  });

  test('affects nothing in another organization or outside the workspaces of its caller: they are answered as unknown', async () => {
    const other = await newTenant(s.planes);
    const foreign = await newAgent(other);
    const workspace = await newControlClient(s.planes.controlUrl, s.tenant.token).createWorkspace({ body: { name: 'W', slug: 'w-bulk' } });
    const environment = await newControlClient(s.planes.controlUrl, s.tenant.token).createEnvironment({
      body: { name: 'E', workspace_id: workspace.id, type: 'STAGING' },
    });
    const inside = await newAgent({ ...s.tenant, workspace_id: workspace.id, environment_id: environment.id });
    const outside = await newAgent(s.tenant);
    const limited = await insertPerson(s.owner, s.tenant.organization_id, 'admin', { steppedUp: true, workspaces: [workspace.id] });
    const ids = [foreign.id, outside.id, inside.id];
    const [unknown] = (await bulk('pause', [UNKNOWN])).json.results;
    for (const answer of [await preview('pause', ids, limited.token), await bulk('pause', ids, limited.token)]) {
      const [first, second, third] = answer.json.results ?? answer.json.agents;
      for (const { agent_id, from, to, code, reason } of [first, second])
        assert.deepEqual({ ...unknown, agent_id }, { agent_id, from, to, code, reason, outcome: 'REFUSED' });
      assert.equal(third.to, 'PAUSED');
    }
    assert.deepEqual(await readStatuses(ids), ['ACTIVE', 'ACTIVE', 'PAUSED']);
  });
});

test('previewBulkChange counts sessions, delegations, pending approvals and tools of each agent and in total, each once, and writes nothing', async () => {
  const [first, second] = (await many(2)) as [{ id: string }, { id: string }];
  const given = await newControlClient(s.planes.controlUrl, s.tenant.token).createDelegation({
    body: { delegate_agent_id: first.id, can_redelegate: true, max_depth: 2 },
  });
  await delegate(first.id, second.id, given.id);
  await insertHeldAction(s.owner, s.tenant, {}, { agent_id: first.id });
  const before = (await s.owner.query('select count(*)::int as n from audit_events where organization_id = $1', [s.tenant.organization_id]))
    .rows;
  const { json } = await preview('revoke', [first.id, second.id]);
  assert.deepEqual(
    json.agents.map(({ blast_radius }: { blast_radius: object }) => blast_radius),
    [
      { sessions: 0, delegations: 2, approvals: 1, tools: 0 },
      { sessions: 0, delegations: 1, approvals: 0, tools: 0 },
    ],
  );
  assert.deepEqual(json.total, {
    agents: 2,
    refused: 0,
    blast_radius: { sessions: 0, delegations: 2, approvals: 1, tools: 0 },
    counted_all: true,
  });
  assert.deepEqual(json.ends, ['sessions', 'delegations', 'approvals']);
  const after = (await s.owner.query('select count(*)::int as n from audit_events where organization_id = $1', [s.tenant.organization_id]))
    .rows;
  assert.deepEqual(after, before);
  const ended = await bulk('revoke', [first.id, second.id]);
  assert.equal(ended.json.counts.changed, 2);
  const { rows } = await s.owner.query('select status, count(*)::int as n from delegations where organization_id = $1 group by status', [
    s.tenant.organization_id,
  ]);
  assert.deepEqual(rows, [{ status: 'REVOKED', n: 2 }]);
  const [cancelled] = (await s.owner.query('select status from approvals where agent_id = $1', [first.id])).rows;
  assert.equal(cancelled.status, 'CANCELLED');
});

test('previewBulkChange counts only current objects: no ended sessions, disabled tools, decided approvals or ended delegations', async () => {
  const governed = await newGoverned(s.planes);
  const { agent, tool } = governed;
  const radius = async () => {
    const { json } = await governed.owner('POST', '/v1/agents/bulk/preview', { agent_ids: [agent.id], operation: 'suspend' });
    assert.deepEqual(json.agents[0].blast_radius, json.total.blast_radius);
    return json.total.blast_radius;
  };
  await insertHeldAction(s.owner, governed.tenant, {}, { agent_id: agent.id });
  const late = { requested_at: new Date(Date.now() - 7_200_000), expires_at: new Date(Date.now() - 3_600_000) };
  await insertHeldAction(s.owner, governed.tenant, { ...late, request_hash: Buffer.alloc(32, 8) }, { agent_id: agent.id });
  const redelegating = { delegate_agent_id: agent.id, can_redelegate: true, max_depth: 1 };
  const delegation = await governed.owner('POST', '/v1/delegations', redelegating);
  const below = await newAgent(governed.tenant);
  await delegate(agent.id, below.id, delegation.json.id, governed.tenant);
  assert.deepEqual(await radius(), { sessions: 1, delegations: 2, approvals: 1, tools: 1 });
  const { rows } = await s.owner.query('select id from delegations where parent_id = $1', [delegation.json.id]);
  await governed.owner('POST', `/v1/delegations/${rows[0].id}/revoke`, { reason: 'Over.' });
  const moveSeries = (by: number) => s.owner.query('update agents set session_series = session_series + $2 where id = $1', [agent.id, by]);
  await moveSeries(1);
  assert.deepEqual(await radius(), { sessions: 0, delegations: 1, approvals: 1, tools: 1 });
  await moveSeries(-1);
  await governed.owner('POST', `/v1/delegations/${delegation.json.id}/revoke`, { reason: 'Over.' });
  await governed.owner('POST', `/v1/tools/${tool.id}/disable`, { reason: 'Over.' });
  await call(s.planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token: governed.token, body: {} });
  assert.deepEqual(await radius(), { sessions: 0, delegations: 0, approvals: 1, tools: 0 });
});

describe('concurrently', () => {
  /** Batches of one organization run one at a time in a process; two processes do not coordinate. */
  let beside: RunningProcess;
  before(async () => {
    beside = await startWithWrongClock(s.planes, { plane: 'control-plane', aheadSeconds: 0 });
  });
  after(() => beside.stop());
  const bulkBeside = (operation: Operation, agent_ids: readonly string[]): Promise<TestResponse> =>
    call(beside.url, 'POST', '/v1/agents/bulk', { token: s.tenant.token, body: { agent_ids, operation, reason: 'test' } });

  test('two bulk operations in opposite order and single operations leave each agent in one state with its events, and none is lost', async () => {
    const ids = listIds(await many(60));
    // All of them depend on each other, so a change of each moves the epochs of others.
    const head = ids[0] as string;
    for (const id of ids.slice(1, 20)) await delegate(head, id);
    const single = (id: string, operation: Operation) => send(`/v1/agents/${id}/${operation}`, { reason: 'single' });
    for (let round = 0; round < 4; round += 1) {
      const [stop, go] = (['suspend', 'resume'] as const).map(
        (operation, at) => () => (at === 0 ? bulk(operation, ids) : bulkBeside(operation, ids.toReversed())),
      );
      const answers = await Promise.all([
        stop?.(),
        go?.(),
        ...ids.slice(0, 12).map((id, at) => single(id, at % 2 === 0 ? 'suspend' : 'resume')),
      ]);
      for (const answer of answers) assert.ok([200, 400].includes(answer?.status ?? 0), answer?.text);
      for (const answer of answers.slice(0, 2)) assert.equal(answer?.json.counts.not_done, 0, answer?.text.slice(0, 400));
    }
    const { rows } = await s.owner.query(
      `select a.id, a.status, a.session_series, (select count(*)::int from audit_events e where e.subject_id = a.id and e.type = 'agent.suspended') as suspended,
              (select count(*)::int from audit_events e where e.subject_id = a.id and e.type = 'agent.resumed') as resumed
         from agents a where a.id = any ($1)`,
      [ids],
    );
    for (const { status, session_series, suspended, resumed } of rows) {
      assert.equal(session_series > 1, suspended > 0);
      assert.equal(status, suspended === resumed ? 'ACTIVE' : 'SUSPENDED');
      assert.ok(suspended - resumed <= 1);
    }
  });

  test('batches with agents in opposite delegation order never deadlock: each is one transaction, and none is retried', async () => {
    const ids = listIds(await many(50)).toSorted();
    const [low, high] = [ids.slice(0, 25), ids.slice(25)];
    for (const at of [0, 1, 2, 3]) {
      // The last change in one moves the epoch of the first change in the other.
      await delegate(low[24 - at] as string, high[at] as string);
      await delegate(high[24 - at] as string, low[at] as string);
    }
    for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
      const operation = round % 2 === 0 ? 'suspend' : 'resume';
      const answers = await Promise.all([bulk(operation, low), bulkBeside(operation, high)]);
      for (const { json, text } of answers) assert.equal(json.counts?.changed, 25, text);
      for (const batch of [low, high]) {
        const { rows } = await s.owner.query('select count(distinct xmin::text)::int as n from agents where id = any ($1)', [batch]);
        assert.equal(rows[0].n, 1);
      }
    }
  });

  test('two revocations of one agent end it once, with one event for each agent', async () => {
    const ids = listIds(await many(30));
    const answers = await Promise.all([bulk('revoke', ids), bulkBeside('revoke', ids.toReversed())]);
    assert.equal(
      answers.reduce((sum, { json }) => sum + json.counts.changed, 0),
      30,
    );
    assert.equal(
      answers.reduce((sum, { json }) => sum + json.counts.unchanged, 0),
      30,
    );
    assert.equal((await eventsAbout(ids, 'agent.revoked')).length, 30);
  });
});
