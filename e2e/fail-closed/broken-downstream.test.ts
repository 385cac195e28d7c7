import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, noteAndShip, SMALL } from '@svc/testing/agents/governed-environment.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { type Downstream, type DownstreamBehavior, startDownstream } from '@svc/testing/peers/downstream.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { ask, type DatabaseOwner, ENV, type FailClosedRequest, type ModeEnvironment, newPlaces } from './scene.ts';

/** The job that closes abandoned actions runs every 5 s. */
const CLOSED_WITHIN_MS = 60_000;

let planes: Planes;
let downstream: Downstream;
let tenant: Tenant;
let owner: DatabaseOwner;
let places: ModeEnvironment[];
let nobody: string;

before(async () => {
  [planes, downstream] = await Promise.all([startPlanes({ env: { ...ENV, SVC_DATABASE_TIMEOUT_MS: '1500' } }), startDownstream()]);
  owner = await planes.database.client();
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  places = await newPlaces(tenant, planes.gatewayUrl, downstream.url('answers'));
  nobody = `http://127.0.0.1:${await freePort()}/`;
  for (const name of Object.keys(EXPECTED)) await Promise.all(places.map((place) => addTool(place, name)));
});
after(async () => {
  await Promise.all([owner?.end(), downstream?.close()]);
  await planes?.stop();
});

/** Adds a tool named after the fault of its destination. */
const addTool = async ({ environment_id, agent }: ModeEnvironment, name: string): Promise<void> => {
  const url = name === 'refuses' ? nobody : downstream.url(name as DownstreamBehavior);
  const body = { ...noteAndShip(url)[1], name, environment_id, required_capability: 'work' };
  const tool = await call(planes.controlUrl, 'POST', '/v1/tools', { token: tenant.token, body });
  await call(planes.controlUrl, 'POST', `/v1/tools/${tool.json.id}/agents`, { token: tenant.token, body: { agent_id: agent.id } });
};

type Outcome = {
  readonly status: number;
  readonly code: string | null;
  readonly outcome: string;
  readonly state: string;
  readonly received: number;
};

/** Expected outcome by fault; in OBSERVE a known outcome leaves the action OBSERVED. */
const EXPECTED: Readonly<Record<DownstreamBehavior | 'refuses', Outcome>> = {
  answers: { status: 200, code: null, outcome: 'COMPLETED', state: 'EXECUTED', received: 1 },
  echoes: { status: 200, code: null, outcome: 'COMPLETED', state: 'EXECUTED', received: 1 },
  mumbles: { status: 200, code: null, outcome: 'COMPLETED', state: 'EXECUTED', received: 1 },
  rejects: { status: 502, code: 'EXECUTION_FAILED', outcome: 'FAILED', state: 'FAILED', received: 1 },
  refuses: { status: 502, code: 'EXECUTION_FAILED', outcome: 'FAILED', state: 'FAILED', received: 0 },
  hangs: { status: 504, code: 'EXECUTION_TIMEOUT', outcome: 'UNKNOWN', state: 'UNKNOWN', received: 1 },
  resets: { status: 504, code: 'EXECUTION_TIMEOUT', outcome: 'UNKNOWN', state: 'UNKNOWN', received: 1 },
  garbles: { status: 504, code: 'EXECUTION_TIMEOUT', outcome: 'UNKNOWN', state: 'UNKNOWN', received: 1 },
  'breaks-off': { status: 504, code: 'EXECUTION_TIMEOUT', outcome: 'UNKNOWN', state: 'UNKNOWN', received: 1 },
};

const getDecision = ({ answer }: FailClosedRequest) => (answer.status === 200 ? answer.json : answer.json.error.details.decision);

type Recorded = { readonly status: string; readonly code: string | null; readonly execution: { state: string } | null; events: string[] };

const readRecord = async (actionId: string): Promise<Recorded> => {
  const { rows } = await owner.query<Recorded>(
    `select a.status, a.code, a.execution, array(select e.type from audit_events e where e.subject_id = a.id order by e.type) as events
       from actions a where a.id = $1`,
    [actionId],
  );
  return rows[0] as Recorded;
};

describe('a destination that misbehaves', () => {
  for (const [manner, expected] of Object.entries(EXPECTED)) {
    test(`${manner}: ${expected.code ?? 'done'}, and the record matches the response`, async () => {
      const asked = await Promise.all(places.map((place) => ask(planes.gatewayUrl, place, { tool: manner })));
      for (const one of asked) {
        const { mode } = one.place;
        const { json, text, status } = one.answer;
        const known = expected.outcome !== 'UNKNOWN';
        const simulated = mode === 'SIMULATE';
        assert.equal(status, simulated ? 200 : expected.status, text);
        assert.equal(json.error?.code ?? null, simulated ? null : expected.code, text);
        const { action_id, execution, ...decision } = getDecision(one);
        assert.equal(decision.decision, 'ALLOW');
        assert.equal(decision.status, simulated ? 'SIMULATED' : mode === 'OBSERVE' && known ? 'OBSERVED' : expected.outcome);
        assert.equal(execution.state, simulated ? 'NOT_EXECUTED' : expected.state);
        const record = await readRecord(action_id);
        assert.deepEqual([record.status, record.code, record.execution], [decision.status, simulated ? null : expected.code, execution]);
        const ended = record.events.filter((type) => type === 'action.completed' || type === 'action.failed');
        assert.deepEqual(ended, simulated ? [] : [expected.code === null ? 'action.completed' : 'action.failed']);
        assert.equal(downstream.received.get(one.order) ?? 0, simulated ? 0 : expected.received);
        assert.ok(one.tookMs < 20_000, `${Math.round(one.tookMs)} ms`);
      }
    });
  }
});

const executing = async (): Promise<number> => {
  const { rows } = await owner.query<{ n: number }>(`select count(*)::int as n from actions where status = 'EXECUTING'`);
  return rows[0]?.n ?? 0;
};

describe('a record that cannot be written after the call was made', () => {
  for (const table of ['audit_events']) {
    test(`${table} locked for long: the outcome is answered as unknown, closed as unknown, and never retried`, longOnly, async () => {
      const [place] = places as [ModeEnvironment, ...ModeEnvironment[]];
      const order = `unrecorded-${table}`;
      const request = {
        token: place.token,
        body: { tool: 'answers', amount: SMALL, parameters: { order } },
        headers: { 'idempotency-key': order },
      };
      const act = () => call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', request);
      downstream.before(() => owner.query(`begin; lock table ${table} in access exclusive mode`));
      const answer = await act();
      downstream.before(() => Promise.resolve());
      await owner.query('rollback');
      assert.equal(answer.status, 504, answer.text);
      assert.equal(answer.json.error.code, 'EXECUTION_TIMEOUT');
      const { action_id, status } = answer.json.error.details.decision;
      assert.equal(status, 'UNKNOWN');
      assert.deepEqual([(await readRecord(action_id)).status, await executing()], ['EXECUTING', 1]);

      await owner.query('update actions set held_until = now() where id = $1', [action_id]);
      for (const until = Date.now() + CLOSED_WITHIN_MS; (await executing()) > 0 && Date.now() < until; ) await sleep(50);
      const record = await readRecord(action_id);
      assert.deepEqual([record.status, record.code, record.execution?.state], ['UNKNOWN', 'EXECUTION_TIMEOUT', 'UNKNOWN']);
      assert.deepEqual(record.events, ['action.allowed', 'action.failed', 'action.requested']);

      const again = await act();
      assert.deepEqual([again.status, again.json.error?.code], [504, 'EXECUTION_TIMEOUT'], again.text);
      assert.equal(again.json.error.details.decision.action_id, action_id);
      assert.equal(downstream.received.get(order), 1);
    });
  }
});
