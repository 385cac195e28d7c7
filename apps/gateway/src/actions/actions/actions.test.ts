import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let downstream: Server;
let origin: string;
let received: { path: string; body: string }[] = [];

before(async () => {
  downstream = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', body });
      const status = Number(new URL(request.url ?? '', origin).searchParams.get('status') ?? 200);
      if (status === 0) return;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: status < 300 }));
    });
  });
  await new Promise<void>((resolve) => downstream.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(downstream.address() as AddressInfo).port}`;
  planes = await startPlanes({
    env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SVC_EGRESS_TIMEOUT_MS: '500' },
  });
});
after(async () => {
  await planes.stop();
  downstream.closeAllConnections();
  downstream.close();
});

const httpTool = (url: string) => ({
  kind: 'HTTP',
  destination_allowlist: [new URL(origin).host],
  parameters_schema: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'integer' } },
    required: ['order'],
    additionalProperties: false,
  },
  execution: { method: 'POST', url },
});

const newHttp = (query = ''): Promise<Governed> => newGoverned(planes, { tool: httpTool(`${origin}/refunds/{order}${query}`) });

const setMode = (governed: Governed, mode: string) =>
  governed.owner('POST', `/v1/environments/${governed.tenant.environment_id}/gateway-mode`, { mode, reason: 'test' });

const readEvents = async (governed: Governed, actionId: string): Promise<string[]> => {
  const { json } = await governed.owner('GET', `/v1/audit-events?subject_id=${actionId}`);
  return json.data.map((event: { type: string }) => event.type).reverse();
};

describe('act', () => {
  test('executes an allowed action once, and records decision and outcome under the ids of the response', async () => {
    const governed = await newHttp();
    received = [];
    const answer = await governed.act({ parameters: { order: 'o/1' } });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.decision, 'ALLOW');
    assert.equal(answer.json.status, 'COMPLETED');
    assert.equal(answer.json.execution.http_status, 200);
    assert.deepEqual(answer.json.execution.result, { ok: true });
    assert.deepEqual(received, [{ path: '/refunds/o%2F1', body: '{"order":"o/1"}' }]);
    const record = (await governed.owner('GET', `/v1/actions/${answer.json.action_id}`)).json;
    assert.equal(record.status, 'COMPLETED');
    assert.equal(record.request_id, answer.headers.get('x-request-id'));
    assert.equal(record.trace_id, answer.headers.get('x-trace-id'));
    assert.deepEqual(record.explanation, answer.json.explanation);
    assert.deepEqual(await readEvents(governed, record.id), ['action.requested', 'action.allowed', 'action.completed']);
  });

  test('continues the trace of the caller', async () => {
    const governed = await newGoverned(planes);
    const trace = 'a'.repeat(32);
    const answer = await call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
      token: governed.token,
      body: { tool: 'pay' },
      headers: { traceparent: `00-${trace}-${'b'.repeat(16)}-01` },
    });
    assert.equal(answer.headers.get('x-trace-id'), trace);
    assert.equal((await governed.owner('GET', `/v1/actions/${answer.json.action_id}`)).json.trace_id, trace);
  });

  test('a rejecting service is EXECUTION_FAILED, a silent one EXECUTION_TIMEOUT with an unknown outcome', async () => {
    const rejected = await (await newHttp('?status=500')).act({ parameters: { order: '1' } });
    assert.equal(rejected.json.error.code, 'EXECUTION_FAILED');
    assert.equal(rejected.json.error.details.decision.status, 'FAILED');
    const governed = await newHttp('?status=0');
    const silent = await governed.act({ parameters: { order: '1' } });
    assert.equal(silent.json.error.code, 'EXECUTION_TIMEOUT');
    const record = (await governed.owner('GET', `/v1/actions/${silent.json.error.details.decision.action_id}`)).json;
    assert.equal(record.status, 'UNKNOWN');
    assert.equal(record.code, 'EXECUTION_TIMEOUT');
  });

  test('refuses parameters that do not fit the tool with a pointer, and stores and calls nothing', async () => {
    const governed = await newHttp();
    received = [];
    for (const [parameters, pointer] of [
      [{}, '/parameters/order'],
      [{ order: 1 }, '/parameters/order'],
      [{ order: '1', extra: 1 }, '/parameters/extra'],
      [{ order: '1', amount: 1.5 }, '/parameters/amount'],
    ] as const) {
      const answer = await governed.act({ parameters });
      assert.equal(answer.json.error.code, 'VALIDATION_FAILED');
      assert.ok(
        answer.json.error.details.faults.some((fault: { pointer: string }) => fault.pointer === pointer),
        answer.text,
      );
    }
    assert.equal(received.length, 0);
    assert.equal((await governed.owner('GET', '/v1/actions')).json.data.length, 0);
  });

  test('executes nothing in SIMULATE and returns what would have happened; a stop still applies', async () => {
    const governed = await newHttp();
    assert.equal((await setMode(governed, 'SIMULATE')).status, 200);
    received = [];
    const allowed = await governed.act({ parameters: { order: '1' } });
    assert.deepEqual([allowed.status, allowed.json.status, allowed.json.decision], [200, 'SIMULATED', 'ALLOW']);
    await activateRules(governed.tenant, 'stop', [{ id: 'stop', effect: 'BLOCK', reason: 'No.' }]);
    const blocked = await governed.act({ parameters: { order: '1' } });
    assert.deepEqual(
      [blocked.status, blocked.json.status, blocked.json.decision, blocked.json.code],
      [200, 'SIMULATED', 'BLOCK', 'ACTION_BLOCKED'],
    );
    assert.equal(received.length, 0);
    assert.deepEqual(await readEvents(governed, blocked.json.action_id), ['action.requested', 'action.simulated']);
    await governed.owner('POST', `/v1/agents/${governed.agent.id}/pause`);
    assert.equal((await governed.act({ parameters: { order: '1' } })).json.error.code, 'AGENT_NOT_OPERATIONAL');
  });

  test('lets a block through in OBSERVE and records the decision of ENFORCE; a stop still applies', async () => {
    const governed = await newHttp();
    await activateRules(governed.tenant, 'stop', [{ id: 'stop', effect: 'BLOCK', reason: 'No.' }]);
    assert.equal((await governed.act({ parameters: { order: '1' } })).json.error.code, 'ACTION_BLOCKED');
    assert.equal((await setMode(governed, 'OBSERVE')).status, 200);
    received = [];
    const observed = await governed.act({ parameters: { order: '1' } });
    assert.deepEqual(
      [observed.status, observed.json.status, observed.json.decision, observed.json.code],
      [200, 'OBSERVED', 'BLOCK', 'ACTION_BLOCKED'],
    );
    assert.equal(received.length, 1);
    assert.deepEqual(await readEvents(governed, observed.json.action_id), ['action.requested', 'action.observed', 'action.completed']);
    await governed.owner('POST', `/v1/environments/${governed.tenant.environment_id}/pause`, { reason: 'test' });
    assert.equal((await governed.act({ parameters: { order: '1' } })).json.error.code, 'ENVIRONMENT_PAUSED');
  });

  test('returns the decision of a dry run and writes nothing', async () => {
    const governed = await newHttp();
    const owner = await planes.database.client();
    const counts = async () =>
      (
        await owner.query(`select (select count(*) from actions) as a, (select count(*) from audit_events) as e,
      (select count(*) from approvals) as p, (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_xact_user_tables) as x`)
      ).rows[0];
    const before = await counts();
    received = [];
    const answer = await governed.act({ parameters: { order: '1' }, dry_run: true });
    assert.deepEqual([answer.json.decision, answer.json.action_id], ['ALLOW', null]);
    assert.deepEqual(await counts(), before);
    assert.equal(received.length, 0);
    await owner.end();
  });
});

describe('reportOutcome and getOwnAction', () => {
  const report = (governed: Governed, id: string, body: object) =>
    call(planes.gatewayUrl, 'POST', `/gateway/v1/actions/${id}/outcome`, { token: governed.token, body });

  test('an agent reports the outcome of its own execution once, and reads it back', async () => {
    const governed = await newGoverned(planes);
    const { action_id, execution } = (await governed.act({})).json;
    assert.equal(execution.state, 'BY_AGENT');
    const reported = await report(governed, action_id, { status: 'COMPLETED', result: { n: 1 } });
    assert.deepEqual([reported.json.status, reported.json.execution.result], ['COMPLETED', { n: 1 }]);
    assert.equal((await report(governed, action_id, { status: 'FAILED' })).json.error.code, 'INVALID_STATE_TRANSITION');
    const read = await call(planes.gatewayUrl, 'GET', `/gateway/v1/actions/${action_id}`, { token: governed.token });
    assert.equal(read.json.status, 'COMPLETED');
    assert.deepEqual(await readEvents(governed, action_id), ['action.requested', 'action.allowed', 'action.completed']);
  });

  test('a blocked action accepts no outcome, and an agent cannot read or report on that of another', async () => {
    const governed = await newGoverned(planes, { rules: [{ id: 'stop', effect: 'BLOCK', reason: 'No.' }] });
    const { action_id } = (await governed.act({})).json.error.details.decision;
    assert.equal((await report(governed, action_id, { status: 'COMPLETED' })).json.error.code, 'INVALID_STATE_TRANSITION');
    const other = await newGoverned(planes);
    assert.equal((await report(other, action_id, { status: 'COMPLETED' })).json.error.code, 'NOT_FOUND');
    assert.equal(
      (await call(planes.gatewayUrl, 'GET', `/gateway/v1/actions/${action_id}`, { token: other.token })).json.error.code,
      'NOT_FOUND',
    );
  });
});
