import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AGENT_STATUSES, type AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { mintToken, newAgent, newKeyPair, type TestAgent } from '@svc/testing/agents/agent.ts';
import { countRepetitions, longOnly } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

type Operation = 'pause' | 'resume' | 'suspend' | 'isolate' | 'decommission' | 'revoke' | 'rotate-credentials';
const send = (
  agent: { id: string },
  operation: Operation,
  body: object = { reason: 'test' },
  token = s.tenant.token,
): Promise<TestResponse> => call(s.planes.controlUrl, 'POST', `/v1/agents/${agent.id}/${operation}`, { token, body });
const getRefusal = ({ status, json }: TestResponse) => [status, json?.error?.code];

type Row = { status: AgentStatus; session_series: number; key_generation: number; passport_version: number };
const readRow = async ({ id }: { id: string }): Promise<Row> => {
  const { rows } = await s.owner.query(
    'select status, session_series::float8, key_generation, passport_version from agents where id = $1',
    [id],
  );
  return rows[0];
};
const setStatus = (agent: { id: string }, status: AgentStatus) =>
  s.owner.query('update agents set status = $2 where id = $1', [agent.id, status]);
const eventsAbout = (id: string) => s.eventsOf(id, 'type', 'data', 'severity');
const lastEvent = async (id: string) => (await eventsAbout(id)).at(-1);
const countEvents = async (): Promise<number> => {
  const count = 'select count(*)::int as n from audit_events where organization_id = $1';
  return (await s.owner.query(count, [s.tenant.organization_id])).rows[0].n;
};

/** Transitions typed by hand from the table of decisions, one mark per status in the order of AGENT_STATUSES. */
const TABLE: Record<Operation, { marks: string; to: AgentStatus | 'same'; kills: boolean; event: string; word: string }> = {
  pause: { marks: 'y------', to: 'PAUSED', kills: false, event: 'agent.paused', word: 'pause' },
  resume: { marks: '-yyy---', to: 'ACTIVE', kills: false, event: 'agent.resumed', word: 'resume' },
  suspend: { marks: 'yy-y---', to: 'SUSPENDED', kills: true, event: 'agent.suspended', word: 'suspend' },
  isolate: { marks: 'yyy----', to: 'ISOLATED', kills: true, event: 'agent.isolated', word: 'isolate' },
  decommission: { marks: '-yy----', to: 'DECOMMISSIONED', kills: true, event: 'agent.decommissioned', word: 'decommission' },
  revoke: { marks: 'yyyyyy-', to: 'REVOKED', kills: true, event: 'agent.revoked', word: 'revoke' },
  'rotate-credentials': { marks: 'yyy----', to: 'same', kills: true, event: 'agent.identity_rotated', word: 'rotate_credentials' },
};

describe('pauseAgent, resumeAgent, suspendAgent, isolateAgent, decommissionAgent, revokeAgent and rotateAgentCredentials, from every status', () => {
  for (const [operation, row] of Object.entries(TABLE) as [Operation, (typeof TABLE)[Operation]][]) {
    const accepted = AGENT_STATUSES.filter((_, at) => row.marks[at] === 'y');

    test(`${operation} is accepted from ${accepted.join(', ')}, and does everything that its row of the table states`, async () => {
      for (const from of accepted) {
        const agent = await newAgent(s.tenant);
        await setStatus(agent, from);
        const before = await readRow(agent);
        const answer = await send(agent, operation);
        assert.equal(answer.status, 200, `${from}: ${answer.text}`);
        const after = await readRow(agent);
        const to = row.to === 'same' ? from : row.to;
        assert.deepEqual([after.status, (answer.json.data?.agent ?? answer.json).status], [to, to]);
        assert.equal(after.session_series > before.session_series, row.kills, `${operation} from ${from}: sessions`);
        const rotates = operation === 'rotate-credentials' ? 1 : 0;
        assert.deepEqual(
          [after.key_generation, after.passport_version],
          [before.key_generation + rotates, before.passport_version + rotates],
        );
        const event = await lastEvent(agent.id);
        assert.deepEqual([event?.type, event?.data.reason], [row.event, 'test']);
        if (!rotates) assert.deepEqual([event?.data.before, event?.data.after], [{ status: from }, { status: to }]);
      }
    });

    test(`${operation} is refused from any other status, with the accepted statuses, and writes nothing`, async () => {
      for (const from of AGENT_STATUSES.filter((status) => !accepted.includes(status))) {
        const agent = await newAgent(s.tenant);
        await setStatus(agent, from);
        const [before, events] = [await readRow(agent), await countEvents()];
        const answer = await send(agent, operation);
        assert.deepEqual(getRefusal(answer), [400, 'INVALID_STATE_TRANSITION'], from);
        assert.deepEqual(answer.json.error.details, { operation: row.word, from, allowed_from: accepted });
        assert.deepEqual([await readRow(agent), await countEvents()], [before, events]);
      }
    });
  }
});

test('a security restriction is lifted only with its permission and a reason; a pause by anyone who may resume', async () => {
  const developer = await insertPerson(s.owner, s.tenant.organization_id, 'developer');
  for (const [from, permission] of [
    ['SUSPENDED', 'agent:suspend'],
    ['ISOLATED', 'emergency:execute'],
  ] as const) {
    const agent = await newAgent(s.tenant);
    await setStatus(agent, from);
    const events = await countEvents();
    const forbidden = await send(agent, 'resume', { reason: 'please' }, developer.token);
    assert.deepEqual([...getRefusal(forbidden), forbidden.json.error.details], [403, 'PERMISSION_DENIED', { permission }]);
    const silent = await send(agent, 'resume', {});
    assert.deepEqual([...getRefusal(silent), silent.json.error.details.faults[0].pointer], [400, 'VALIDATION_FAILED', '/reason']);
    assert.deepEqual([(await readRow(agent)).status, await countEvents()], [from, events]);
    assert.equal((await send(agent, 'resume', { reason: 'cleared' })).json.status, 'ACTIVE');
  }
  const paused = await newAgent(s.tenant);
  await send(paused, 'pause', {});
  assert.equal((await send(paused, 'resume', {}, developer.token)).json.status, 'ACTIVE');
});

test('suspending, isolating, decommissioning and revoking require a reason in words; pausing and resuming do not, even without a body', async () => {
  const agent = await newAgent(s.tenant);
  for (const operation of ['suspend', 'isolate', 'decommission', 'revoke'] as const) {
    for (const body of [{}, { reason: '' }, { reason: ' \n' }, { reason: 'x'.repeat(1001) }]) {
      assert.deepEqual(getRefusal(await send(agent, operation, body)), [400, 'VALIDATION_FAILED'], JSON.stringify(body).slice(0, 40));
    }
  }
  for (const operation of ['pause', 'resume']) {
    const answer = await call(s.planes.controlUrl, 'POST', `/v1/agents/${agent.id}/${operation}`, { token: s.tenant.token });
    assert.equal(answer.status, 200, answer.text);
  }
  assert.equal((await readRow(agent)).status, 'ACTIVE');
});

const act = async (agentToken: string): Promise<string> =>
  (await call(s.planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: agentToken, body: { tool: 'none' } })).json.error.code;

test('a pause keeps sessions, and a suspension ends them permanently', async () => {
  const agent = await newAgent(s.tenant);
  const token = await mintToken(s.planes.gatewayUrl, agent);
  assert.equal(await act(token), 'NOT_FOUND');
  await send(agent, 'pause');
  assert.equal(await act(token), 'AGENT_NOT_OPERATIONAL');
  await send(agent, 'resume');
  assert.equal(await act(token), 'NOT_FOUND');
  await send(agent, 'suspend');
  assert.equal(await act(token), 'AGENT_NOT_OPERATIONAL');
  await send(agent, 'resume');
  assert.equal(await act(token), 'AGENT_TOKEN_EXPIRED');
  assert.equal(await act(await mintToken(s.planes.gatewayUrl, agent)), 'NOT_FOUND');
});

test('a revoked agent cannot act or get a token again', async () => {
  const agent = await newAgent(s.tenant);
  const token = await mintToken(s.planes.gatewayUrl, agent);
  assert.equal((await send(agent, 'revoke')).status, 200);
  assert.equal(await act(token), 'AGENT_IDENTITY_REVOKED');
  await assert.rejects(mintToken(s.planes.gatewayUrl, agent), { code: 'AGENT_IDENTITY_REVOKED' });
  assert.equal((await lastEvent(agent.id))?.severity, 'critical');
});

type Held = { readonly actionId: string; readonly approvalId: string };
const readStatus = async ({ actionId, approvalId }: Held) => {
  const { rows } = await s.owner.query(
    `select p.status as approval, a.status as action, a.code, a.completed_at is not null as ended
       from approvals p join actions a on a.id = p.action_id where p.id = $1 and a.id = $2`,
    [approvalId, actionId],
  );
  return Object.values(rows[0]);
};
const inTurn = async <Result>(held: readonly Held[], ask: (one: Held) => Promise<Result>): Promise<Result[]> => {
  const answers: Result[] = [];
  for (const one of held) answers.push(await ask(one));
  return answers;
};

test('revokeAgent cancels pending and approved requests, ends the held actions, and changes nothing else', async () => {
  const [agent, other] = [await newAgent(s.tenant), await newAgent(s.tenant)];
  const hold = (who: TestAgent, approval: object = {}, action: object = {}) =>
    insertHeldAction(s.owner, s.tenant, { ...approval }, { agent_id: who.id, ...action });
  const held = [
    await hold(agent),
    await hold(agent, { status: 'APPROVED', decided_at: new Date() }, { status: 'APPROVED' }),
    await hold(agent, { status: 'CONSUMED' }, { status: 'COMPLETED', code: null }),
    await hold(agent, { status: 'DENIED' }, { status: 'BLOCKED', code: 'APPROVAL_NOT_GRANTED' }),
    await hold(other),
  ];
  assert.equal((await send(agent, 'revoke', { reason: 'stolen key' })).status, 200);
  assert.deepEqual(await inTurn(held, readStatus), [
    ['CANCELLED', 'CANCELLED', 'AGENT_IDENTITY_REVOKED', true],
    ['CANCELLED', 'CANCELLED', 'AGENT_IDENTITY_REVOKED', true],
    ['CONSUMED', 'COMPLETED', null, false],
    ['DENIED', 'BLOCKED', 'APPROVAL_NOT_GRANTED', false],
    ['PENDING', 'PENDING_APPROVAL', 'APPROVAL_REQUIRED', false],
  ]);
  const { rows } = await s.owner.query(
    'select count(distinct t.xmin::text)::int as transactions from (select xmin from agents where id = $1 union all select xmin from approvals where id = any($2)) t',
    [agent.id, held.slice(0, 2).map(({ approvalId }) => approvalId)],
  );
  assert.deepEqual(rows, [{ transactions: 1 }], 'all of it in one transaction');
  const told = await inTurn(held, ({ approvalId }) => eventsAbout(approvalId));
  assert.deepEqual(
    told.map((events) => events.map(({ type, data }) => [type, data.before, data.agent_id, data.reason])),
    [
      [['approval.cancelled', { status: 'PENDING' }, agent.id, 'stolen key']],
      [['approval.cancelled', { status: 'APPROVED' }, agent.id, 'stolen key']],
      [],
      [],
      [],
    ],
  );
});

test('resuming an agent withdraws its requests from before a suspension or isolation, alone or in bulk; a pause withdraws nothing', async () => {
  const bulk = (agent: TestAgent) =>
    call(s.tenant.controlUrl, 'POST', '/v1/agents/bulk', {
      token: s.tenant.token,
      body: { agent_ids: [agent.id], operation: 'resume', reason: 'cleared' },
    });
  const alone = (agent: TestAgent) => send(agent, 'resume', { reason: 'cleared' });
  for (const resume of [alone, bulk])
    for (const stop of ['pause', 'suspend', 'isolate'] as const) {
      const agent = await newAgent(s.tenant);
      const held = [
        await insertHeldAction(s.owner, s.tenant, {}, { agent_id: agent.id }),
        await insertHeldAction(
          s.owner,
          s.tenant,
          { status: 'APPROVED', decided_at: new Date() },
          { agent_id: agent.id, status: 'APPROVED' },
        ),
      ];
      const before = await inTurn(held, readStatus);
      await send(agent, stop);
      assert.deepEqual(await inTurn(held, readStatus), before);
      const resumed = await resume(agent);
      assert.equal(resumed.status, 200, resumed.text);
      const withdrawn = ['CANCELLED', 'CANCELLED', 'AGENT_NOT_OPERATIONAL', true];
      assert.deepEqual(await inTurn(held, readStatus), stop === 'pause' ? before : [withdrawn, withdrawn]);
    }
});

for (const [ended, steps] of Object.entries({ revoked: ['revoke'], decommissioned: ['suspend', 'decommission'] } as const))
  test(`an agent with very many open approvals is ${ended}, and each of them is cancelled`, longOnly, async () => {
    const agent = await newAgent(s.tenant);
    const { actionId } = await insertHeldAction(s.owner, s.tenant, {}, { agent_id: agent.id });
    const copy = (table: string, columns: string) =>
      s.owner.query(`insert into ${table} select (jsonb_populate_record(t, ${columns})).* from ${table} t, generate_series(1, 2300) n
        where ${table === 'actions' ? 't.id' : 't.action_id'} = '${actionId}'`);
    await copy('actions', "jsonb_build_object('id', t.id || n, 'approval_id', t.approval_id || n)");
    await copy('approvals', "jsonb_build_object('id', t.id || n, 'action_id', t.action_id || n)");
    for (const step of steps) assert.equal((await send(agent, step)).status, 200);
    const { rows } = await s.owner.query(
      `select p.status as approval, a.status as action, count(*)::int as n,
              count((select 1 from audit_events e where e.subject_id = p.id and e.type = 'approval.cancelled'))::int as told
         from approvals p join actions a on a.id = p.action_id where p.agent_id = $1 group by 1, 2`,
      [agent.id],
    );
    assert.deepEqual(rows, [{ approval: 'CANCELLED', action: 'CANCELLED', n: 2301, told: 2301 }]);
  });

const ROUNDS = countRepetitions({ short: 6, long: 20 });

test('one of several concurrent revocations wins; the others find the agent revoked', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const agent = await newAgent(s.tenant);
    const { session_series } = await readRow(agent);
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(agent, 'revoke')));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400, 400]);
    assert.equal((await eventsAbout(agent.id)).filter(({ type }) => type === 'agent.revoked').length, 1);
    assert.ok((await readRow(agent)).session_series > session_series);
  }
});

test('an agent ends revoked in every race, and each response matches the record', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const agent = await newAgent(s.tenant);
    await setStatus(agent, round % 2 === 0 ? 'ACTIVE' : 'PAUSED');
    const operations: Operation[] = ['pause', 'revoke', 'resume', 'suspend', 'rotate-credentials'];
    const answers = await Promise.all(operations.map((operation) => send(agent, operation)));
    for (const { status } of answers) assert.ok(status === 200 || status === 400);
    assert.equal(answers[1]?.status, 200, answers[1]?.text);
    assert.equal((await readRow(agent)).status, 'REVOKED');
    const events = (await eventsAbout(agent.id)).slice(1);
    const done = operations.filter((_, at) => answers[at]?.status === 200);
    assert.deepEqual(events.map(({ type }) => type).toSorted(), done.map((operation) => TABLE[operation].event).toSorted());
    assert.equal(events.at(-1)?.type, 'agent.revoked');
    const { rows } = await s.owner.query('select count(*)::int as n from agent_keys where agent_id = $1 and retired_at is null', [
      agent.id,
    ]);
    assert.equal(rows[0].n, 0);
  }
});

test('one operation at a time changes a status: concurrent pauses and suspensions each follow on the current one', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const agent = await newAgent(s.tenant);
    const answers = await Promise.all((['pause', 'suspend', 'pause', 'suspend'] as const).map((operation) => send(agent, operation)));
    const done = answers.filter(({ status }) => status === 200).length;
    const chain = (await eventsAbout(agent.id)).slice(1).map(({ data }) => [data.before, data.after].map((side) => (side as Row).status));
    assert.equal(chain.length, done);
    assert.deepEqual(
      chain,
      done === 2
        ? [
            ['ACTIVE', 'PAUSED'],
            ['PAUSED', 'SUSPENDED'],
          ]
        : [['ACTIVE', 'SUSPENDED']],
    );
  }
});

test('a rotation keeps the status and ends the sessions of an agent that security restricted', async () => {
  const agent = await newAgent(s.tenant);
  await send(agent, 'suspend');
  const { publicKey } = newKeyPair();
  const rotated = await send(agent, 'rotate-credentials', { public_key: publicKey });
  assert.deepEqual([rotated.json.data.agent.status, rotated.json.data.agent.public_key], ['SUSPENDED', publicKey]);
});
