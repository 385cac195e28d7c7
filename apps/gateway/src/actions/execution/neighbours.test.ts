import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const LARGE_BYTES = 5_000_000;
const NESTED = `[${'[],'.repeat(LARGE_BYTES / 3)}[]]`;
const PEOPLE = JSON.stringify(
  Array.from({ length: 40_000 }, (_, n) => ({ id: n, email: `person-${n}@example.com`, note: 'x'.repeat(60) })),
);

let planes: StartedPlanes;
let database: pg.Client;
let downstream: Server;
let address: string;
/** Number of calls to the slow path that have arrived; none is answered before its gate is open. */
let arrived = 0;
let gate = Promise.withResolvers<void>();
/** Never responds. */
const silentNames = createSocket('udp4');
/** Calls stay open for as long as a busy machine needs to start the others. */
const EGRESS_TIMEOUT_MS = 60_000;

before(async () => {
  downstream = createServer((request, response) => {
    const path = request.url ?? '';
    request.resume().once('end', async () => {
      if (path === '/slow') arrived += 1;
      if (path === '/slow') await gate.promise;
      const body = path === '/nested' ? NESTED : path === '/people' ? PEOPLE : '{"done":true}';
      response
        .writeHead(path === '/rejected' ? 500 : 200, { 'content-type': 'application/json' })
        .end(path === '/rejected' ? PEOPLE : body);
    });
  });
  await Promise.all([
    new Promise<void>((resolve) => downstream.listen(0, '127.0.0.1', 1_024, resolve)),
    new Promise<void>((resolve) => silentNames.bind(0, '127.0.0.1', resolve)),
  ]);
  address = `127.0.0.1:${(downstream.address() as AddressInfo).port}`;
  const nameServer = `127.0.0.1:${silentNames.address().port}`;
  const env = {
    GATEWAY_ALLOW_REAL_EGRESS: 'true',
    SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    SVC_EGRESS_NAME_SERVERS: nameServer,
    SVC_EGRESS_TIMEOUT_MS: String(EGRESS_TIMEOUT_MS),
  };
  planes = await startPlanes({ env });
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
  downstream.closeAllConnections();
  downstream.close();
  silentNames.close();
});

const calling = (
  url: string,
  options: { readonly rules?: readonly object[]; readonly tests?: readonly object[] } = {},
): Promise<Governed> =>
  newGoverned(planes, {
    ...options,
    tool: { kind: 'HTTP', destination_allowlist: [new URL(url).host], execution: { method: 'POST', url } },
  });

const residentMiB = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${planes.gateways[0]?.pid}/status`, 'latin1'))?.[1]) / 1_024;

/** Lets a neighbour act during the work; returns the duration of each call, all of which must succeed. */
const whileNeighbourActs = async <Value>(
  neighbour: Governed,
  work: Promise<Value>,
): Promise<{ readonly value: Value; readonly slowestMs: number; readonly tookMs: number }> => {
  const startedAt = performance.now();
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  let slowestMs = 0;
  while (!isOver) {
    const began = performance.now();
    const { status, text, json } = await neighbour.act({});
    slowestMs = Math.max(slowestMs, performance.now() - began);
    assert.equal(status, 200, text);
    assert.equal(json.status, 'COMPLETED', text);
  }
  return { value: await done, slowestMs, tookMs: performance.now() - startedAt };
};

const many = (count: number, act: () => Promise<TestResponse>): Promise<TestResponse[]> => Promise.all(Array.from({ length: count }, act));

/** True if a busy gateway refused the request before deciding it. */
const isShed = ({ status, json }: TestResponse): boolean =>
  (status === 429 || status === 503) && json.error.details?.decision === undefined;

/** Repeats a request until the gateway starts it. */
const actStarted = async (governed: Governed, body: object = {}): Promise<TestResponse> => {
  let answer = await governed.act(body);
  await waitUntil('the gateway starts the request', async () => {
    if (!isShed(answer)) return true;
    answer = await governed.act(body);
    return false;
  });
  return answer;
};

/** The reason of a large result that took longer to read than `largeAnswerMs`, as on a busy machine. */
const UNREAD = /could not be read within its limits\.$/;

/** Repeats a call until its large result is read in time. */
const actRead = async (governed: Governed): Promise<TestResponse> => {
  let answer = await governed.act({});
  await waitUntil('the result is read in time', async () => {
    if (!UNREAD.test(answer.json.execution?.reason)) return true;
    answer = await governed.act({});
    return false;
  });
  return answer;
};

/** Counts recorded actions whose call has not ended. */
const countUnended = async ({ tenant }: Governed): Promise<number> => {
  const text = "select count(*)::int as unended from actions where organization_id = $1 and status = 'EXECUTING'";
  return (await database.query(text, [tenant.organization_id])).rows[0].unended;
};

test('sixteen concurrent responses of 5 MiB of empty lists do not end a gateway, exhaust memory or delay another tenant', async () => {
  const [hostile, neighbour] = await Promise.all([
    calling(`http://${address}/nested`),
    calling(`http://localhost:${address.split(':')[1]}/`),
  ]);
  const {
    value: answers,
    slowestMs,
    tookMs,
  } = await whileNeighbourActs(
    neighbour,
    many(16, () => hostile.act({})),
  );
  for (const { status, json, text } of answers) {
    const told = status === 200 ? json : json.error.details.decision;
    if (told.status === 'UNKNOWN') assert.match(told.execution.reason, /^The response was not read: it is large, /, text.slice(0, 300));
    else if (UNREAD.test(told.execution.reason)) assert.ok(told.execution.duration_ms >= LIMITS.egress.largeAnswerMs, text.slice(0, 300));
    else assert.ok(told.execution.result === NESTED, JSON.stringify(told.execution).slice(0, 300));
  }
  assert.ok(answers.filter(({ status }) => status === 200).length >= 8);
  assert.ok(residentMiB() < 400, `${residentMiB()} MiB`);
  assert.ok(slowestMs < Math.max(5_000, tookMs / 2), `${slowestMs} of ${tookMs} ms`);
});

test('a large response is masked like a small one, returned whole, and not stored; a refusal of the destination is returned without it', async () => {
  const tests = [{ name: 'masked', given: {}, then: { effect: 'MASK' } }];
  const hide = { id: 'hide', effect: 'MASK', reason: 'Hidden.', mask: { result: ['*.email'] } };
  const rules = [hide, { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }];
  const governed = await calling(`http://${address}/people`, { rules, tests });
  const { json, text } = await actRead(governed);
  assert.equal(json.status, 'COMPLETED', text.slice(0, 300));
  assert.equal(json.execution.result.length, 40_000);
  assert.deepEqual(json.execution.result[39_999], { id: 39_999, email: '[masked]', note: 'x'.repeat(60) });
  assert.ok(!text.includes('@example.com'));
  const recorded = await governed.owner('GET', `/v1/actions/${json.action_id}`);
  assert.equal(recorded.json.execution.result, null);
  assert.match(recorded.json.execution.reason, /The result of \d+ bytes is not recorded\.$/);

  const withheld = await (await calling(`http://${address}/nested`, { rules, tests })).act({});
  assert.deepEqual([withheld.json.status, withheld.json.execution.result], ['COMPLETED', '[masked]']);

  const rejected = await (await calling(`http://${address}/rejected`)).act({});
  assert.equal(rejected.json.error.code, 'EXECUTION_FAILED');
  assert.equal(rejected.json.error.details.decision.execution.result, null);
  assert.match(
    rejected.json.error.details.decision.execution.reason,
    /^The destination returned 500\. The result of \d+ bytes is not shown/,
  );
});

test('two hundred unresolvable names of one organization do not affect the calls of another tenant', async () => {
  const hostile = await newGoverned(planes, {
    tool: {
      kind: 'HTTP',
      destination_allowlist: ['*.hangs.example'],
      execution: { method: 'POST', url: 'http://{name}.hangs.example/' },
      parameters_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  });
  const neighbour = await calling(`http://localhost:${address.split(':')[1]}/`);
  for (const count of [12, 200]) {
    const hanging = Array.from({ length: count }, (_, n) => actStarted(hostile, { parameters: { name: `n${n}` } }));
    const { value: answers, slowestMs } = await whileNeighbourActs(neighbour, Promise.all(hanging));
    assert.ok(slowestMs < 15_000, `${slowestMs} ms`);
    for (const { json, text } of answers) {
      const { code, details } = json.error;
      const { status, execution } = details.decision;
      const expected = code === 'RATE_LIMITED' ? /^The call was not sent: / : /^The destination could not be reached\.$/;
      assert.ok(code === 'RATE_LIMITED' || code === 'EXECUTION_FAILED', text);
      assert.equal(status, 'FAILED', text);
      assert.match(execution.reason, expected);
    }
    if (count > 100) assert.ok(answers.some(({ status }) => status === 429));
  }
});

test('a pause stops every waiting call: none is sent after its response, and each is recorded as never sent', async () => {
  const governed = await calling(`http://${address}/slow`);
  const under = many(LIMITS.egress.callsPerHostMax, () => actStarted(governed));
  await waitUntil('as many calls are under way as may be', () => arrived === LIMITS.egress.callsPerHostMax);
  const acting = Promise.all([under, many(150, () => actStarted(governed))]).then((each) => each.flat());
  await waitUntil('enough calls wait', async () => (await countUnended(governed)) > LIMITS.egress.callsPerHostMax + 40);
  const { environment_id } = governed.tenant;
  const paused = await governed.owner('POST', `/v1/environments/${environment_id}/pause`, { reason: 'stop' });
  assert.equal(paused.status, 200, paused.text);
  // Running calls end now, and waiting requests would get their slots.
  gate.resolve();
  const answers = await acting;
  assert.equal(arrived, LIMITS.egress.callsPerHostMax);
  const outcomes = answers.map(({ status, json }) =>
    status === 200 ? json.status : `${json.error.code} ${json.error.details?.decision?.status}`,
  );
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  // Their outcome is recorded, and not returned to anyone before the pause is lifted.
  assert.equal(count('COMPLETED') + count('ENVIRONMENT_PAUSED COMPLETED'), arrived, JSON.stringify([...new Set(outcomes)]));
  assert.ok(count('ENVIRONMENT_PAUSED FAILED') > 20, JSON.stringify([...new Set(outcomes)]));
  assert.equal(outcomes.filter((each) => each.includes('UNKNOWN')).length, 0);
  const stopped = answers.find(({ json }) => json.error?.details?.decision?.status === 'FAILED');
  const recorded = await governed.owner('GET', `/v1/actions/${stopped?.json.error.details.decision.action_id}`);
  assert.equal(recorded.json.status, 'FAILED');
  assert.match(recorded.json.execution.reason, /^The call was not sent: /);
});

test('a waiting call is sent if the changes meanwhile do not concern it', async () => {
  const governed = await calling(`http://${address}/slow`);
  arrived = 0;
  gate = Promise.withResolvers<void>();
  const under = many(LIMITS.egress.callsPerHostMax, () => actStarted(governed));
  await waitUntil('as many calls are under way as may be', () => arrived === LIMITS.egress.callsPerHostMax);
  const acting = Promise.all([under, many(10, () => actStarted(governed))]).then((each) => each.flat());
  await waitUntil('a call waits', async () => (await countUnended(governed)) > LIMITS.egress.callsPerHostMax);
  const { environment_id } = governed.tenant;
  const body = { name: 'another', environment_id, required_capability: 'pay', kind: 'SDK' };
  await mustCall(governed.tenant.controlUrl, 'POST', '/v1/tools', { token: governed.tenant.token, body });
  gate.resolve();
  const answers = await acting;
  assert.deepEqual([...new Set(answers.map(({ json }) => json.status ?? json.error.message))], ['COMPLETED']);
  assert.equal(arrived, LIMITS.egress.callsPerHostMax + 10);
});

test('a private, an unknown and a closed destination look alike to an agent, and are distinguished for people', async () => {
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const told = [];
  const details = [];
  for (const url of ['http://10.1.2.3/', 'http://nobody.invalid/', `http://127.0.0.1:${port}/`]) {
    const governed = await calling(url);
    const answer = await governed.act({});
    const { action_id, explanation: _same, request_id: _own, ...rest } = answer.json.error.details.decision;
    const { code, message } = answer.json.error;
    told.push([answer.status, code, message, rest.status, rest.code, rest.execution]);
    const { json } = await governed.owner('GET', `/v1/audit-events?subject_id=${action_id}`);
    details.push(json.data.find(({ type }: { type: string }) => type === 'action.failed').data.detail);
  }
  assert.deepEqual(told[0], [
    502,
    'EXECUTION_FAILED',
    'The destination could not be reached.',
    'FAILED',
    'EXECUTION_FAILED',
    { state: 'FAILED', reason: 'The destination could not be reached.' },
  ]);
  assert.deepEqual(told.slice(1), [told[0], told[0]]);
  assert.equal(new Set(details).size, 3, JSON.stringify(details));
});
