import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newAgent, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let governed: Governed;
let owner: pg.Client;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  owner = await planes.database.client();
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const getPath = ({ agent }: Governed): string => `/v1/agents/${agent.id}`;
const readStatus = async ({ agent }: Governed): Promise<string> =>
  (await owner.query('select status from agents where id = $1', [agent.id])).rows[0].status;
const getRefusal = ({ status, json }: TestResponse) => [status, json?.error?.code, json?.error?.details];
const signIn = async ({ agent }: Governed): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', '/gateway/v1/token', {
    body: { agent_id: agent.id, assertion: signAssertion(agent, await readAudience(planes.gatewayUrl)), sdk: SDK },
  });

describe('the end date of an agent', () => {
  test('is stored in the agent and its event, and limits its passport; removing it restores both', async () => {
    const expires_at = inDays(10);
    const given = await governed.owner('PATCH', getPath(governed), { expires_at });
    assert.deepEqual([given.status, given.json.expires_at, given.json.passport_version], [200, expires_at, 2]);
    const passport = await governed.owner('GET', `${getPath(governed)}/passport`);
    assert.equal(passport.json.expires_at, expires_at);
    const { rows } = await owner.query(
      "select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = 'agent.updated'",
      [governed.agent.id],
    );
    assert.deepEqual(rows[0].data, { before: { expires_at: null }, after: { expires_at } });
    const unchanged = await governed.owner('PATCH', getPath(governed), { expires_at });
    assert.equal(unchanged.json.passport_version, 2);
    const without = await governed.owner('PATCH', getPath(governed), { expires_at: null });
    assert.deepEqual([without.json.expires_at, without.json.passport_version], [null, 3]);
    assert.ok((await governed.owner('GET', `${getPath(governed)}/passport`)).json.expires_at > inDays(300));
  });

  test('is not reported as a missing renewal: the passport is valid until then', async () => {
    const { agent, owner: asOwner } = await newGoverned(planes);
    const [path, expires_at] = [`/v1/agents/${agent.id}`, inDays(1)];
    assert.equal((await asOwner('PATCH', path, { expires_at })).status, 200);
    const old = "update passports set issued_at = now() - interval '30 days' where agent_id = $1 and version = 2";
    assert.equal((await owner.query(old, [agent.id])).rowCount, 1);
    const { operational, checks } = (await asOwner('GET', `${path}/health`)).json;
    const told = checks.filter(({ check }: { check: string }) => check.startsWith('passport'));
    const holds = { check: 'passport', ok: true, detail: `The passport is valid until ${expires_at}.` };
    assert.deepEqual([operational, told], [true, [holds]]);
  });

  test('must be a valid time within ten years; anything else is refused at its field', async () => {
    const { workspace_id, environment_id } = governed.tenant;
    for (const expires_at of [inDays(-1), inDays(3_660), '2030-01-01', 'tomorrow', '', '2030-02-30T00:00:00.000Z', 7, true]) {
      const body = { name: 'Never', workspace_id, environment_id, capabilities: [], expires_at };
      for (const answer of [
        await governed.owner('POST', '/v1/agents', body),
        await governed.owner('PATCH', getPath(governed), { expires_at }),
      ])
        assert.deepEqual(
          [answer.status, answer.json.error.code, answer.json.error.details.faults[0].pointer],
          [400, 'VALIDATION_FAILED', '/expires_at'],
          String(expires_at),
        );
    }
  });
});

test('requires the permission to end the agent to be moved earlier, for people and keys, but not to be moved later', async () => {
  const { agent, tenant } = await newGoverned(planes);
  const path = `/v1/agents/${agent.id}`;
  const readRole = async (permissions: readonly string[]) => {
    const body = { name: `Role of ${permissions.length}`, permissions };
    return await mustCall(planes.controlUrl, 'POST', '/v1/roles', { token: tenant.token, body });
  };
  await stepUp(planes.controlUrl, tenant);
  const [updates, ends] = [await readRole(['agent:read', 'agent:update']), await readRole(['agent:read', 'agent:update', 'agent:revoke'])];
  const { organization_id } = tenant;
  const updating = await insertPerson(owner, organization_id, updates, { steppedUp: true });
  const [ending, stale] = [
    await insertPerson(owner, organization_id, ends, { steppedUp: true }),
    await insertPerson(owner, organization_id, ends),
  ];
  const key = await newControlClient(planes.controlUrl, tenant.token).createApiKey({ body: { name: 'k', role_id: ends.id } });
  const set = async ({ token }: { token: string }, body: object) => {
    const { status, json } = await call(planes.controlUrl, 'PATCH', path, { token, body });
    return status === 200 ? json.expires_at : json.error.code;
  };
  const [soon, later] = [inDays(1), inDays(20)];
  const allOf = async (body: object) => [
    await set(updating, body),
    await set(stale, body),
    await set(key, body),
    (await owner.query('select expires_at from agents where id = $1', [agent.id])).rows[0].expires_at?.toISOString() ?? null,
  ];
  const refused = ['PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'STEP_UP_REQUIRED'];
  assert.deepEqual(await allOf({ expires_at: new Date(Date.now() + 3_000).toISOString() }), [...refused, null], 'a first end');
  assert.equal(await set(ending, { expires_at: later }), later);
  assert.deepEqual(await allOf({ expires_at: soon, name: 'Renamed' }), [...refused, later], 'an earlier one');
  assert.equal((await call(planes.controlUrl, 'GET', path, { token: updating.token })).json.name, agent.name);
  assert.deepEqual(await allOf({ expires_at: later, description: 'The same.' }), [later, later, later, later]);
  const put = inDays(30);
  assert.deepEqual(await allOf({ expires_at: put }), [put, put, put, put]);
  assert.deepEqual(await allOf({ expires_at: null }), [null, null, null, null]);
});

/** Ends sessions of earlier series. */
const readSeries = async (id: string): Promise<string> =>
  (await owner.query('select session_series::text from agents where id = $1', [id])).rows[0].session_series;

test('blocks every request of the agent before anything is written, and is recorded once', async () => {
  const ended = await newGoverned(planes);
  const { agent, tenant } = ended;
  const { approvalId, actionId } = await insertHeldAction(owner, tenant, {}, { agent_id: agent.id });
  const path = getPath(ended);
  const series = await readSeries(agent.id);
  const late = await planes.database.client();
  try {
    // A lock on the agent blocks the job.
    await late.query('begin');
    await late.query("update agents set expires_at = clock_timestamp() + interval '2 seconds' where id = $1", [agent.id]);
    await late.query('commit');
    await late.query('begin');
    await late.query('select from agents where id = $1 for update', [agent.id]);
    assert.equal((await ended.act({})).status, 200);
    let last: TestResponse | undefined;
    await waitUntil('it is refused', async () => {
      last = await ended.act({});
      return last.status !== 200;
    });
    assert.deepEqual([last?.json.error.code, last?.json.error.details.status], ['AGENT_NOT_OPERATIONAL', 'EXPIRED']);
    assert.deepEqual(getRefusal(await signIn(ended)), [403, 'AGENT_NOT_OPERATIONAL', { status: 'EXPIRED' }]);
    const own = await call(planes.gatewayUrl, 'GET', `/gateway/v1/actions/${actionId}`, { token: ended.token });
    assert.deepEqual([own.status, own.json.error.code], [401, 'AGENT_TOKEN_EXPIRED'], 'its session is over too');
    assert.equal((await ended.owner('GET', path)).json.status, 'EXPIRED');
    assert.equal(await readStatus(ended), 'ACTIVE', 'nothing was written yet');
    const other = await newAgent(tenant);
    const named = { name: agent.name, workspace_id: tenant.workspace_id, environment_id: tenant.environment_id, capabilities: [] };
    for (const answer of [
      await ended.owner('POST', '/v1/agents', named),
      await ended.owner('PATCH', `/v1/agents/${other.id}`, { name: agent.name }),
    ]) {
      const { error } = answer.json;
      const { expires_at } = (await ended.owner('GET', path)).json;
      assert.deepEqual([answer.status, error.code, error.details.expired_at], [409, 'ALREADY_EXISTS', expires_at]);
      assert.ok(error.message.includes(expires_at) && error.details.retry_after_seconds > 0, 'its name is not free yet, and when it is');
    }
    const taken = await ended.owner('POST', '/v1/agents', { ...named, name: other.name });
    assert.match(taken.json.error.message, /exists in this environment/);
    const { rows } = await owner.query(
      "select count(*)::int as n from actions x join agents a on a.id = x.agent_id where a.id = $1 and x.id <> $2 and x.created_at >= a.expires_at and x.status <> 'BLOCKED'",
      [agent.id, actionId],
    );
    assert.equal(rows[0].n, 0);
  } finally {
    await late.query('rollback');
    await late.end();
  }
  await waitUntil('its end is written', async () => (await readStatus(ended)) === 'EXPIRED');
  const told = await owner.query(
    "select type, actor_type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = 'agent.expired'",
    [agent.id],
  );
  assert.deepEqual(
    told.rows.map(({ actor_type, data }) => [actor_type, data.before, data.after]),
    [['SYSTEM', { status: 'ACTIVE' }, { status: 'EXPIRED' }]],
  );
  assert.notEqual(await readSeries(agent.id), series, 'its sessions are over');
  const approval = await owner.query('select p.status, a.code from approvals p join actions a on a.id = p.action_id where p.id = $1', [
    approvalId,
  ]);
  assert.deepEqual(approval.rows, [{ status: 'CANCELLED', code: 'AGENT_NOT_OPERATIONAL' }]);
  for (const [operation, body] of [
    ['resume', { reason: 'x' }],
    ['pause', {}],
    ['passport/renew', {}],
    ['rotate-credentials', {}],
    ['capabilities', { capability: 'more' }],
  ] as const) {
    const answer = await ended.owner('POST', `${path}/${operation}`, body);
    assert.deepEqual([answer.status, answer.json.error?.code], [400, 'INVALID_STATE_TRANSITION'], operation);
  }
  assert.equal((await ended.owner('PATCH', path, { expires_at: inDays(5) })).json.error.code, 'INVALID_STATE_TRANSITION');
  const { workspace_id, environment_id } = tenant;
  const again = await ended.owner('POST', '/v1/agents', { name: agent.name, workspace_id, environment_id, capabilities: [] });
  assert.equal(again.status, 201, 'its name is free again');
});

test('an isolated agent is refused until an authorized person resumes it, and a decommissioned one has no pending requests', async () => {
  const stopped = await newGoverned(planes);
  const path = getPath(stopped);
  assert.equal((await stopped.owner('POST', `${path}/isolate`, { reason: 'odd' })).json.status, 'ISOLATED');
  assert.equal((await stopped.act({})).json.error.code, 'AGENT_ISOLATED');
  assert.equal((await signIn(stopped)).json.error.code, 'AGENT_ISOLATED');
  assert.equal((await stopped.owner('POST', `${path}/resume`, { reason: 'looked at' })).json.status, 'ACTIVE');
  assert.equal((await signIn(stopped)).status, 200);
  const { approvalId } = await insertHeldAction(owner, stopped.tenant, {}, { agent_id: stopped.agent.id });
  await stopped.owner('POST', `${path}/pause`, {});
  assert.equal((await stopped.owner('POST', `${path}/decommission`, { reason: 'replaced' })).json.status, 'DECOMMISSIONED');
  const { rows } = await owner.query('select status from approvals where id = $1', [approvalId]);
  assert.equal(rows[0].status, 'CANCELLED');
  assert.equal((await signIn(stopped)).json.error.code, 'AGENT_NOT_OPERATIONAL');
});

test('pending requests of an ended agent are withdrawn in batches, completely and without long waits', async () => {
  const { endedTogetherMax } = LIMITS.bulk;
  for (const operation of ['decommission', 'revoke']) {
    const ending = await newGoverned(planes);
    const count = 2 * endedTogetherMax + 3;
    const first = await insertHeldAction(owner, ending.tenant, {}, { agent_id: ending.agent.id });
    for (const [table, { id, more }] of Object.entries({
      actions: { id: first.actionId, more: '' },
      approvals: { id: first.approvalId, more: `, 'action_id', left('${first.actionId}', 20) || lpad(n::text, 10, '0')` },
    }))
      await owner.query(
        `insert into ${table} select (one).* from (
           select json_populate_record(t, json_build_object('id', left(t.id, 20) || lpad(n::text, 10, '0')${more})) as one
             from ${table} t, generate_series(1000001, 999999 + $2::int) n where t.id = $1) made`,
        [id, count],
      );
    const path = getPath(ending);
    await ending.owner('POST', `${path}/pause`, {});
    assert.equal((await ending.owner('POST', `${path}/${operation}`, { reason: 'over' })).status, 200);
    const { rows } = await owner.query(
      'select status, count(*)::int as n from approvals where agent_id = $1 group by status, xmin::text order by n desc',
      [ending.agent.id],
    );
    assert.deepEqual(
      rows.map(({ status, n }) => [status, n]),
      [
        ['CANCELLED', endedTogetherMax],
        ['CANCELLED', endedTogetherMax],
        ['CANCELLED', 3],
      ],
      operation,
    );
  }
});
