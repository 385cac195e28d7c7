import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import type { Answer } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { until } from '@svc/testing/time/until.ts';

const RULES = [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];
const EGRESS_TIMEOUT_MS = 3_000;

let planes: StartedPlanes;
/** Never answers a query. */
const silentNames = createSocket('udp4');
const servers: (Server | TcpServer)[] = [];

before(async () => {
  await new Promise<void>((resolve) => silentNames.bind(0, '127.0.0.1', resolve));
  const env = {
    GATEWAY_ALLOW_REAL_EGRESS: 'true',
    SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    SVC_EGRESS_NAME_SERVERS: `127.0.0.1:${silentNames.address().port}`,
    SVC_EGRESS_TIMEOUT_MS: String(EGRESS_TIMEOUT_MS),
  };
  planes = await startPlanes({ gateways: 2, env });
});
after(async () => {
  await planes.stop();
  for (const server of servers) server.close();
  silentNames.close();
});

const listen = async (server: Server | TcpServer, port = 0): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A port that nothing listens on. */
const closedPort = async (): Promise<number> => {
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** An HTTP server that counts the requests it reads. */
const openDownstream = async (port: number, respond: (response: ServerResponse) => void): Promise<{ count: number }> => {
  const received = { count: 0 };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume().once('end', () => {
      received.count += 1;
      respond(response);
    });
  };
  await listen(createServer(onRequest), port);
  return received;
};

const respondDone = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"done":true}');
};

const calling = (url: string, rules: readonly object[] = RULES, tests?: readonly object[]): Promise<Governed> =>
  newGoverned(planes, {
    rules,
    ...(tests ? { tests } : {}),
    tool: { kind: 'HTTP', destination_allowlist: [new URL(url).host], execution: { method: 'POST', url } },
  });

const approved = async (governed: Governed, key?: string): Promise<string> => {
  const held = await governed.act({}, key === undefined ? {} : { key });
  const { approval_id } = held.json.error.details;
  const given = await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
  assert.equal(given.json.status, 'APPROVED', given.text);
  return approval_id;
};

const statusOf = async (governed: Governed, approvalId: string): Promise<string> =>
  (await governed.owner('GET', `/v1/approvals/${approvalId}`)).json.status;

const actionOf = ({ json }: Answer): string => json.action_id ?? json.error.details.decision.action_id;

const eventsOf = async (governed: Governed, subjectId: string): Promise<readonly { type: string; data: Record<string, unknown> }[]> =>
  (await governed.owner('GET', `/v1/audit-events?subject_id=${subjectId}`)).json.data;

describe('an approval stays usable after a call of which no byte was sent', () => {
  const UNSENT: Readonly<Record<string, () => Promise<string> | string>> = {
    'the connection was refused': async () => `http://127.0.0.1:${await closedPort()}/`,
    'the name lookup hung': () => 'http://hangs.example/',
    'the TLS handshake failed': async () => {
      const port = await listen(createTcpServer((socket) => void socket.on('error', () => undefined).end('no TLS here\r\n')));
      return `https://127.0.0.1:${port}/`;
    },
  };
  for (const [what, url] of Object.entries(UNSENT))
    test(what, async () => {
      const governed = await calling(await url());
      const approvalId = await approved(governed);
      const failed = await governed.act({ approval_id: approvalId });
      assert.deepEqual([failed.status, failed.json.error.code], [502, 'EXECUTION_FAILED'], failed.text);
      assert.equal(failed.json.error.details.approval_id, approvalId);
      assert.equal(await statusOf(governed, approvalId), 'APPROVED');
      const [restored] = (await eventsOf(governed, approvalId)).filter(({ type }) => type === 'approval.restored');
      assert.deepEqual(restored?.data.action_id, actionOf(failed));
      const other = await governed.act({ approval_id: approvalId, parameters: { order: 2 } });
      assert.equal(other.json.error.code, 'APPROVAL_NOT_GRANTED', 'for exactly that request');
    });
});

test('a restored approval is used by a new action, and each key answers with the outcome of its own call', async () => {
  const port = await closedPort();
  const governed = await calling(`http://127.0.0.1:${port}/`);
  const approvalId = await approved(governed, 'held');
  const first = await governed.act({ approval_id: approvalId }, { key: 'first' });
  assert.equal(first.json.error.code, 'EXECUTION_FAILED', first.text);
  const replay = await governed.act({ approval_id: approvalId }, { key: 'first' });
  assert.deepEqual([replay.status, replay.json.error.message], [502, first.json.error.message]);
  assert.equal(replay.json.error.details.decision.reason, first.json.error.details.decision.reason);
  assert.equal(replay.json.error.details.approval_id, approvalId);

  const received = await openDownstream(port, respondDone);
  const stillFailed = await governed.act({ approval_id: approvalId }, { key: 'first' });
  assert.deepEqual([stillFailed.status, received.count], [502, 0], 'the same key never sends again');
  const second = await governed.act({ approval_id: approvalId }, { key: 'second' });
  assert.deepEqual([second.status, second.json.status, received.count], [200, 'COMPLETED', 1], second.text);
  assert.notEqual(actionOf(second), actionOf(first));
  assert.equal(await statusOf(governed, approvalId), 'CONSUMED');

  const outcomes = [];
  for (const key of ['first', 'second']) outcomes.push((await governed.act({ approval_id: approvalId }, { key })).status);
  assert.deepEqual(outcomes, [502, 200]);
  const asHeld = await governed.act({}, { key: 'held' });
  assert.deepEqual([asHeld.status, actionOf(asHeld)], [200, actionOf(second)], 'the request that was held ends as its last use');
  assert.equal((await governed.act({ approval_id: approvalId }, { key: 'third' })).json.error.code, 'APPROVAL_NOT_GRANTED');
  assert.equal(received.count, 1);

  const failedRecord = (await governed.owner('GET', `/v1/actions/${actionOf(first)}`)).json;
  const doneRecord = (await governed.owner('GET', `/v1/actions/${actionOf(second)}`)).json;
  assert.deepEqual([failedRecord.status, failedRecord.approval.id], ['FAILED', approvalId]);
  assert.deepEqual([doneRecord.status, doneRecord.approval.id], ['COMPLETED', approvalId]);
  assert.equal(doneRecord.approval.request_id, second.headers.get('x-request-id'));
  const types = (await eventsOf(governed, actionOf(second))).map(({ type }) => type);
  assert.deepEqual(types.toSorted(), ['action.allowed', 'action.completed', 'action.requested']);
});

test('an approval stays consumed by a call that may have been sent', async () => {
  const MAYBE_SENT: Readonly<Record<string, (response: ServerResponse) => void>> = {
    hangs: () => undefined,
    resets: (response) => void response.socket?.resetAndDestroy(),
  };
  for (const [what, respond] of Object.entries(MAYBE_SENT)) {
    const port = await closedPort();
    const received = await openDownstream(port, respond);
    const governed = await calling(`http://127.0.0.1:${port}/`);
    const approvalId = await approved(governed);
    const unknown = await governed.act({ approval_id: approvalId }, { key: 'only' });
    assert.deepEqual([unknown.status, unknown.json.error.code], [504, 'EXECUTION_TIMEOUT'], `${what}: ${unknown.text}`);
    assert.equal(await statusOf(governed, approvalId), 'CONSUMED', what);
    assert.equal((await governed.act({ approval_id: approvalId })).json.error.code, 'APPROVAL_NOT_GRANTED', what);
    const replay = await governed.act({ approval_id: approvalId }, { key: 'only' });
    assert.deepEqual([replay.status, replay.json.error.message], [504, unknown.json.error.message], what);
    assert.equal(received.count, 1, what);
  }
});

test('race: of parallel uses of a restored approval over two gateways exactly one is sent', async () => {
  const port = await closedPort();
  const governed = await calling(`http://127.0.0.1:${port}/`);
  const approvalId = await approved(governed);
  const unsent = await Promise.all([0, 1, 0, 1].map((gateway) => governed.act({ approval_id: approvalId }, { gateway })));
  assert.ok(unsent.some(({ status }) => status === 502));
  assert.equal(await statusOf(governed, approvalId), 'APPROVED');
  const received = await openDownstream(port, respondDone);
  const uses = await Promise.all(
    Array.from({ length: 8 }, (_, n) => governed.act({ approval_id: approvalId }, { gateway: n % 2, key: `race-${n}` })),
  );
  assert.deepEqual([uses.filter(({ status }) => status === 200).length, received.count], [1, 1]);
  for (const { json } of uses.filter(({ status }) => status !== 200)) assert.equal(json.error.code, 'APPROVAL_NOT_GRANTED');
});

test('an approval of an agent that was suspended and resumed while the call was in flight stays consumed', async () => {
  const governed = await calling('http://hangs.example/');
  const approvalId = await approved(governed);
  const acting = governed.act({ approval_id: approvalId });
  await until('the approval is used', async () => (await statusOf(governed, approvalId)) === 'CONSUMED');
  const suspended = await governed.owner('POST', `/v1/agents/${governed.agent.id}/suspend`, { reason: 'Stopped.' });
  assert.equal(suspended.status, 200, suspended.text);
  const resumed = await governed.owner('POST', `/v1/agents/${governed.agent.id}/resume`, { reason: 'Again.' });
  assert.equal(resumed.status, 200, resumed.text);
  await acting;
  assert.equal(await statusOf(governed, approvalId), 'CONSUMED');
});

test('a limit counts no call of which no byte was sent', async () => {
  const port = await closedPort();
  const limit = { max_calls: 1, window_seconds: 3_600 };
  const rules = [
    { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
    { id: 'cap', effect: 'LIMIT', reason: 'At most so much.', limit },
  ];
  const governed = await calling(`http://127.0.0.1:${port}/`, rules, [{ name: 'limited', given: {}, then: { effect: 'LIMIT' } }]);
  for (const key of ['a', 'b']) assert.equal((await governed.act({}, { key })).json.error.code, 'EXECUTION_FAILED');
  const received = await openDownstream(port, respondDone);
  assert.equal((await governed.act({})).status, 200);
  assert.equal((await governed.act({})).json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  assert.equal(received.count, 1);
});
