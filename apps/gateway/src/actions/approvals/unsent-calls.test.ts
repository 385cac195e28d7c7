import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { newOauthScene } from '@svc/testing/agents/oauth-scene.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const RULES = [{ id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }];
const EGRESS_TIMEOUT_MS = 15_000;

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
    SVC_CREDENTIALS_OVER_HTTP: 'true',
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

/** Returns a port without a listener. */
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

type Calling = { readonly rules?: readonly object[]; readonly tests?: readonly object[]; readonly terms?: object };

const calling = (url: string, { rules = RULES, terms, ...options }: Calling = {}): Promise<Governed> =>
  newGoverned(planes, {
    rules,
    ...options,
    tool: { kind: 'HTTP', destination_allowlist: [new URL(url).host], execution: { method: 'POST', url, ...terms } },
  });

const approved = async (governed: Governed, key?: string): Promise<string> => {
  const held = await governed.act({}, key === undefined ? {} : { key });
  const { approval_id } = held.json.error.details;
  const given = await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
  assert.equal(given.json.status, 'APPROVED', given.text);
  return approval_id;
};

const readStatus = async (governed: Governed, approvalId: string): Promise<string> =>
  (await governed.owner('GET', `/v1/approvals/${approvalId}`)).json.status;

const getAction = ({ json }: TestResponse): string => json.action_id ?? json.error.details.decision.action_id;

const readEvents = async (governed: Governed, subjectId: string): Promise<readonly { type: string; data: Record<string, unknown> }[]> =>
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
      assert.equal(await readStatus(governed, approvalId), 'APPROVED');
      const [restored] = (await readEvents(governed, approvalId)).filter(({ type }) => type === 'approval.restored');
      assert.deepEqual(restored?.data.action_id, getAction(failed));
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
  assert.notEqual(getAction(second), getAction(first));
  assert.equal(await readStatus(governed, approvalId), 'CONSUMED');

  const outcomes = [];
  for (const key of ['first', 'second']) outcomes.push((await governed.act({ approval_id: approvalId }, { key })).status);
  assert.deepEqual(outcomes, [502, 200]);
  const asHeld = await governed.act({}, { key: 'held' });
  assert.deepEqual([asHeld.status, getAction(asHeld)], [200, getAction(second)], 'the request that was held ends as its last use');
  assert.equal((await governed.act({ approval_id: approvalId }, { key: 'third' })).json.error.code, 'APPROVAL_NOT_GRANTED');
  assert.equal(received.count, 1);

  const failedRecord = (await governed.owner('GET', `/v1/actions/${getAction(first)}`)).json;
  const doneRecord = (await governed.owner('GET', `/v1/actions/${getAction(second)}`)).json;
  assert.deepEqual([failedRecord.status, failedRecord.approval.id], ['FAILED', approvalId]);
  assert.deepEqual([doneRecord.status, doneRecord.approval.id], ['COMPLETED', approvalId]);
  assert.equal(doneRecord.approval.request_id, second.headers.get('x-request-id'));
  const records = [first, second].map((answer) => ({ type: 'action', id: getAction(answer) }));
  const verified = await governed.owner('POST', '/v1/audit-events/verify', { records });
  assert.deepEqual(
    verified.json.records.map(({ status }: { status: string }) => status),
    ['INTACT', 'INTACT'],
    verified.text,
  );
  const types = (await readEvents(governed, getAction(second))).map(({ type }) => type);
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
    assert.equal(await readStatus(governed, approvalId), 'CONSUMED', what);
    assert.equal((await governed.act({ approval_id: approvalId })).json.error.code, 'APPROVAL_NOT_GRANTED', what);
    const replay = await governed.act({ approval_id: approvalId }, { key: 'only' });
    assert.deepEqual([replay.status, replay.json.error.message], [504, unknown.json.error.message], what);
    assert.equal(received.count, 1, what);
  }
});

test('race: of concurrent uses of a restored approval over two gateways exactly one is sent', async () => {
  const port = await closedPort();
  const governed = await calling(`http://127.0.0.1:${port}/`);
  const approvalId = await approved(governed);
  const unsent = await Promise.all([0, 1, 0, 1].map((gateway) => governed.act({ approval_id: approvalId }, { gateway })));
  assert.ok(unsent.some(({ status }) => status === 502));
  assert.equal(await readStatus(governed, approvalId), 'APPROVED');
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
  await waitUntil('the approval is used', async () => (await readStatus(governed, approvalId)) === 'CONSUMED');
  const suspended = await governed.owner('POST', `/v1/agents/${governed.agent.id}/suspend`, { reason: 'Stopped.' });
  assert.equal(suspended.status, 200, suspended.text);
  const resumed = await governed.owner('POST', `/v1/agents/${governed.agent.id}/resume`, { reason: 'Again.' });
  assert.equal(resumed.status, 200, resumed.text);
  await acting;
  assert.equal(await readStatus(governed, approvalId), 'CONSUMED');
});

test('a limit counts no call of which no byte was sent', async () => {
  const port = await closedPort();
  const limit = { max_calls: 1, window_seconds: 3_600 };
  const rules = [
    { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
    { id: 'cap', effect: 'LIMIT', reason: 'At most so much.', limit },
  ];
  const tests = [{ name: 'limited', given: {}, then: { effect: 'LIMIT' } }];
  const governed = await calling(`http://127.0.0.1:${port}/`, { rules, tests });
  for (const key of ['a', 'b']) assert.equal((await governed.act({}, { key })).json.error.code, 'EXECUTION_FAILED');
  const received = await openDownstream(port, respondDone);
  assert.equal((await governed.act({})).status, 200);
  assert.equal((await governed.act({})).json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  assert.equal(received.count, 1);
});

test('an approval stays consumed if an earlier attempt of the same call was answered and the last one was not sent', async () => {
  const port = await closedPort();
  const received = await openDownstream(port, (response) => {
    // Refuses connections from then on.
    servers.at(-1)?.close();
    response.writeHead(503, { connection: 'close' }).end();
  });
  const terms = { idempotency: {}, retries: { tries_max: 2, backoff_ms: 100 } };
  const governed = await calling(`http://127.0.0.1:${port}/`, { terms });
  const approvalId = await approved(governed);
  const failed = await governed.act({ approval_id: approvalId });
  assert.deepEqual([failed.json.error.code, received.count], ['EXECUTION_FAILED', 1], failed.text);
  assert.equal(failed.json.error.details.decision.execution.tries, 2);
  assert.equal(await readStatus(governed, approvalId), 'CONSUMED');
});

test('an approval stays consumed when its giver loses the right to give it while the call is in flight', async () => {
  const governed = await calling('http://hangs.example/');
  const database = await planes.database.client();
  const giver = await insertPerson(database, governed.tenant.organization_id, 'approver', { steppedUp: true });
  await database.end();
  const { approval_id: approvalId } = (await governed.act({})).json.error.details;
  const given = await call(planes.controlUrl, 'POST', `/v1/approvals/${approvalId}/approve`, { token: giver.token, body: {} });
  assert.equal(given.json.status, 'APPROVED', given.text);
  const acting = governed.act({ approval_id: approvalId });
  await waitUntil('the approval is used', async () => (await readStatus(governed, approvalId)) === 'CONSUMED');
  const members = (await governed.owner('GET', '/v1/members')).json as readonly { id: string; user: { id: string } }[];
  const member = members.find(({ user }) => user.id === giver.id);
  const removed = await governed.owner('DELETE', `/v1/members/${member?.id}`);
  assert.ok(removed.status < 300, removed.text);
  assert.equal((await acting).json.error.code, 'EXECUTION_FAILED');
  assert.equal(await readStatus(governed, approvalId), 'CONSUMED');
});

test('a call without a free lane of its organization is answered with 429 and Retry-After, and the same key sends it later', async () => {
  const port = await closedPort();
  const gate = Promise.withResolvers<void>();
  const received = await openDownstream(port, (response) => void gate.promise.then(() => respondDone(response)));
  const url = `http://127.0.0.1:${port}/`;
  const isLarge = { when: { field: 'amount', op: 'gt', value: 100 } };
  const rules = [
    { ...RULES[0], ...isLarge },
    { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
  ];
  const tests = [{ name: 'small', given: { amount: 1, currency: 'USD' }, then: { effect: 'ALLOW' } }];
  const governed = await calling(url, { rules, tests });
  const large = { amount: 500, currency: 'USD' };
  const { approval_id } = (await governed.act(large, { key: 'held' })).json.error.details;
  await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
  const { callsPerHostMax } = LIMITS.egress;
  const small = Array.from({ length: callsPerHostMax }, () => governed.act({ amount: 1, currency: 'USD' }));
  await waitUntil('all lanes are taken', () => received.count === callsPerHostMax);
  const full = await governed.act({ ...large, approval_id }, { key: 'use' });
  gate.resolve();
  assert.deepEqual([full.status, full.json.error.code, full.headers.get('retry-after')], [429, 'RATE_LIMITED', '1'], full.text);
  assert.match(full.json.error.message, /not sent: the organization has too many calls in flight/);
  assert.equal(await readStatus(governed, approval_id), 'APPROVED');
  await Promise.all(small);
  const asHeld = await governed.act(large, { key: 'held' });
  assert.deepEqual([asHeld.status, asHeld.json.error.message], [429, full.json.error.message]);
  const later = await governed.act({ ...large, approval_id }, { key: 'use' });
  assert.deepEqual([later.status, later.json.status], [200, 'COMPLETED'], later.text);
  assert.notEqual(getAction(later), getAction(full));
  assert.equal(getAction(await governed.act(large, { key: 'held' })), getAction(later));
  assert.equal(received.count, callsPerHostMax + 1);
});

test('an approval stays usable, also under the same key, when the credential of its call could not be obtained', async () => {
  const scene = await newOauthScene(planes);
  try {
    await activateRules(scene.tenant, 'looked at', RULES);
    scene.server.lie = async (response) => void response.writeHead(503).end();
    const { approval_id } = (await scene.ship()).json.error.details;
    await scene.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
    const use = () => scene.act({ tool: scene.toolName, approval_id }, { key: 'use' });
    const uses = [await use(), await use()];
    for (const { status, json, text } of uses) assert.deepEqual([status, json.error.code], [503, 'CREDENTIAL_SERVICE_UNAVAILABLE'], text);
    assert.equal(new Set(uses.map(getAction)).size, 2);
    assert.equal(await readStatus(scene, approval_id), 'APPROVED');
    assert.deepEqual(scene.service.tokens, []);
  } finally {
    await scene.close();
  }
});
