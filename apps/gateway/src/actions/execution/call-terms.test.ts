import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };
type Reply = (response: ServerResponse, received: Received) => unknown;

let planes: Planes;
let governed: Governed;
let database: pg.Client;
let received: Received[] = [];
/** Responses to calls in order; the last one repeats. */
let replies: Reply[] = [];

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const one = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
  const reply = replies[Math.min(received.length, replies.length - 1)];
  received.push(one);
  await reply?.(response, one);
});

before(async () => {
  planes = await leasePlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  governed = await newGoverned(planes);
  database = await planes.database.client();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
});
beforeEach(() => {
  received = [];
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await database.end();
  await planes.stop();
});

const answers =
  (status: number, value: unknown, more: object = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...more })
      .end(typeof value === 'string' ? value : JSON.stringify(value));
const hangs: Reply = () => undefined;
const resets: Reply = (response) => response.socket?.resetAndDestroy();

let made = 0;
const newTool = async (execution: object): Promise<{ id: string; name: string }> => {
  const { token, environment_id, controlUrl } = governed.tenant;
  made += 1;
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const declared = { environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [at] };
  const body = { ...declared, name: `tool-${made}`, execution: { method: 'POST', url: `http://${at}/`, ...execution } };
  const tool = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: tool.id }, body: { agent_id: governed.agent.id } });
  return tool;
};
const actOn = async (execution: object, ...given: Reply[]): Promise<TestResponse> => {
  const { name } = await newTool(execution);
  replies = given;
  return governed.act({ tool: name, parameters: { a: 1 } });
};
const getDecision = ({ json }: TestResponse) => json.error?.details.decision ?? json;
const readRow = async (answer: TestResponse) => {
  const { action_id } = getDecision(answer);
  const { rows } = await database.query('select status, code, execution from actions where id = $1', [action_id]);
  return rows[0];
};
const readEvent = async (answer: TestResponse) => {
  const { action_id } = getDecision(answer);
  const asked = "select type, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id desc limit 1";
  return (await database.query(asked, [action_id])).rows[0];
};

describe('expectations of a response', () => {
  test('each unmet expectation fails the action with its name and reason, for the agent, in the record and in the event', async () => {
    const json = answers(200, { ok: false });
    const cases: [string, object, Reply, number, RegExp][] = [
      ['STATUS', { success_statuses: ['201'] }, json, 200, /returned 200/],
      ['STATUS', { failure_statuses: ['200'] }, json, 200, /returned 200/],
      ['CONTENT_TYPE', { content_types: ['text/csv'] }, json, 200, /application\/json/],
      ['SIZE', { response_bytes_max: 5 }, json, 200, /larger than 5 bytes/],
      ['BODY', { fails_where: [{ pointer: '/ok', equals: false }] }, json, 200, /in \/ok/],
      ['BODY', { keep: ['/id'] }, answers(200, '<html>'), 200, /not valid JSON/],
    ];
    for (const [expectation, expects, reply, status, reason] of cases) {
      const answer = await actOn({ expects }, reply);
      assert.deepEqual([answer.status, answer.json.error.code], [502, 'EXECUTION_FAILED'], answer.text);
      const { execution } = getDecision(answer);
      assert.deepEqual(
        [execution.state, execution.expectation_failed, execution.http_status],
        ['FAILED', expectation, status],
        answer.text,
      );
      assert.match(execution.reason, reason);
      const row = await readRow(answer);
      assert.deepEqual([row.status, row.code, row.execution], ['FAILED', 'EXECUTION_FAILED', execution]);
      const { type, data } = await readEvent(answer);
      assert.deepEqual([type, data.expectation_failed, data.reason], ['action.failed', expectation, execution.reason]);
    }
    assert.equal((await actOn({ expects: { success_statuses: ['404'] } }, answers(404, {}))).status, 200);
  });

  test('the agent and the record get the kept parts alone, of small and large, valid and invalid responses', async () => {
    const keep = ['/id', '/lines/*/sku'];
    const canary = 'canary-4111111111111111';
    const small = { id: 'r1', card: canary, lines: [{ sku: 'a', card: canary }] };
    const large = { ...small, lines: Array.from({ length: 3_000 }, (_, n) => ({ sku: `s${n}`, card: `${canary}${'x'.repeat(60)}` })) };
    for (const [status, value, first] of [
      [200, small, 'a'],
      [422, small, 'a'],
      [200, large, 's0'],
    ] as const) {
      const answer = await actOn({ expects: { keep } }, answers(status, value));
      const { execution } = getDecision(answer);
      assert.deepEqual([execution.result.id, execution.result.lines[0], execution.kept], ['r1', { sku: first }, keep], answer.text);
      assert.equal(execution.response_bytes, Buffer.byteLength(JSON.stringify(value)));
      const row = await readRow(answer);
      assert.deepEqual(row.execution, execution);
      assert.ok(!answer.text.includes(canary) && !JSON.stringify(row).includes(canary));
    }
    const gone = await actOn({ expects: { keep } }, (response) => response.writeHead(204).end());
    assert.deepEqual([gone.status, getDecision(gone).execution.result, getDecision(gone).execution.kept], [200, null, []]);
  });

  test('an endless response is aborted at its limit, and the agent is informed at once', async () => {
    const endless: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write('"'.repeat(1_000)), 2);
      response.on('close', () => clearInterval(timer));
    };
    const answer = await actOn({ expects: { response_bytes_max: 20_000 } }, endless);
    assert.deepEqual([answer.json.error.code, getDecision(answer).execution.expectation_failed], ['EXECUTION_FAILED', 'SIZE']);
  });

  test('a GraphQL call is one POST with document and variables, and errors in its response fail it regardless of its status', async () => {
    const graphql = { query: 'mutation M($a: Int!) { pay(a: $a) { id } }', variables: { a: '{a}' } };
    const parameters_schema = { type: 'object', properties: { a: { type: 'integer' } } };
    const answer = await actOn({ graphql }, answers(200, { data: null, errors: [{ message: 'no' }] }));
    assert.deepEqual(JSON.parse(received[0]?.body ?? ''), { query: graphql.query, variables: { a: 1 } }, JSON.stringify(parameters_schema));
    assert.deepEqual([answer.status, getDecision(answer).execution.expectation_failed], [502, 'BODY']);
    assert.equal((await actOn({ graphql }, answers(200, { data: { pay: { id: 1 } } }))).status, 200);
  });
});

describe('a retried call', () => {
  const IDEMPOTENT = { idempotency: {}, retries: { tries_max: 3, backoff_ms: 10 }, decision_header: 'X-Decision-Id' };
  const busy = answers(503, { error: 'busy' });
  const assertMadeOnce = async (tool: string, code = 'EXECUTION_FAILED'): Promise<void> => {
    const answer = await governed.act({ tool, parameters: {} });
    assert.deepEqual([answer.json.error.code, getDecision(answer).execution.tries, received.length], [code, 1, 1], answer.text);
  };

  test('sends one key in each attempt, which is the action, as is the decision in its header', async () => {
    const answer = await actOn(IDEMPOTENT, busy, resets, answers(200, { id: 1 }));
    const { action_id, execution, status } = getDecision(answer);
    assert.deepEqual(
      [answer.status, status, execution.state, execution.tries, execution.result],
      [200, 'COMPLETED', 'EXECUTED', 3, { id: 1 }],
      answer.text,
    );
    assert.deepEqual(
      received.map(({ headers }) => [headers['idempotency-key'], headers['x-decision-id']]),
      Array.from({ length: 3 }, () => [action_id, action_id]),
    );
    assert.deepEqual(new Set(received.map(({ body }) => body)).size, 1);
    const event = await readEvent(answer);
    assert.deepEqual([event.type, event.data.tries], ['action.completed', 3]);
    assert.equal((await readRow(answer)).execution.tries, 3);
  });

  test('ends with the last refusal, and never exceeds the allowed attempts', async () => {
    const answer = await actOn(IDEMPOTENT, busy);
    assert.deepEqual([answer.json.error.code, getDecision(answer).execution.tries, received.length], ['EXECUTION_FAILED', 3, 3]);
    const refused = await actOn(IDEMPOTENT, answers(422, {}));
    assert.deepEqual([refused.json.error.code, getDecision(refused).execution.tries, received.length], ['EXECUTION_FAILED', 1, 4]);
  });

  test('stays unknown after an attempt with an unknown outcome, unless a later one was executed', async () => {
    const retries = { tries_max: 2, backoff_ms: 10, try_timeout_ms: 300 };
    const doubtful = await actOn({ ...IDEMPOTENT, retries }, hangs, answers(409, {}));
    assert.deepEqual(
      [doubtful.json.error.code, getDecision(doubtful).status, getDecision(doubtful).execution.tries],
      ['EXECUTION_TIMEOUT', 'UNKNOWN', 2],
    );
    received = [];
    const known = await actOn({ ...IDEMPOTENT, retries }, hangs, answers(200, {}));
    assert.deepEqual([known.status, getDecision(known).status, received.length], [200, 'COMPLETED', 2]);
  });

  test('is never repeated if its tool does not permit it, for any response', async () => {
    for (const [reply, code] of [
      [busy, 'EXECUTION_FAILED'],
      [resets, 'EXECUTION_TIMEOUT'],
    ] as const) {
      received = [];
      const answer = await actOn({ idempotency: {} }, reply);
      assert.deepEqual([answer.json.error.code, received.length], [code, 1]);
      assert.equal(received[0]?.headers['idempotency-key'], getDecision(answer).action_id);
    }
  });

  test('is not repeated once the tool is disabled while it waits', async () => {
    const tool = await newTool({ ...IDEMPOTENT, retries: { tries_max: 3, backoff_ms: 200 } });
    replies = [
      async (response) => {
        await governed.owner('POST', `/v1/tools/${tool.id}/disable`, { reason: 'Stopped.' });
        response.writeHead(503).end();
      },
    ];
    await assertMadeOnce(tool.name);
  });

  test('is not repeated once the end date of its agent passes while it waits, without any write', async () => {
    const tool = await newTool({ ...IDEMPOTENT, retries: { tries_max: 3, backoff_ms: 100 } });
    const endsAt = Date.now() + 1_500;
    const path = `/v1/agents/${governed.agent.id}`;
    assert.equal((await governed.owner('PATCH', path, { expires_at: new Date(endsAt).toISOString() })).status, 200);
    replies = [
      async (response) => {
        await new Promise((resolve) => setTimeout(resolve, endsAt + 10 - Date.now()));
        response.writeHead(503).end();
      },
    ];
    await assertMadeOnce(tool.name, 'AGENT_NOT_OPERATIONAL');
  });
});
