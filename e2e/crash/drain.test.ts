import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { call } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

/** The maximum setting: more than everything else that a stop or a lease allows time for. */
const EGRESS_TIMEOUT_MS = 120_000;
/** Slow clients would otherwise delay it for as long as a request or a response may take. */
const UNFINISHED_WITHIN_MS = 18_000;
/** Longer than an idle process lives. */
const LINGERS_MS = 1_000;

let planes: StartedPlanes;
let downstream: Downstream;
let governed: Governed;

before(async () => {
  downstream = await startDownstream();
  const egress = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
  planes = await startPlanes({ gateways: 2, env: { ...egress, SVC_EGRESS_TIMEOUT_MS: String(EGRESS_TIMEOUT_MS) } });
  const url = downstream.url('answers');
  const execution = { method: 'POST', url };
  governed = await newGoverned(planes, { tool: { kind: 'HTTP', destination_allowlist: [new URL(url).host], execution } });
});
after(async () => {
  await planes?.stop();
  await downstream?.close();
});

const arrived = async (order: string): Promise<void> => {
  while (!downstream.received.has(order)) await sleep(5);
};

/** Begins requests without completing them: headers, a body, or unread responses. */
const beginUnfinished = async (url: string): Promise<void> => {
  const { hostname, port } = new URL(url);
  const begun = [
    'GET /health/live HTTP/1.1\r\nhost: x\r\n',
    'POST /gateway/v1/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(16),
  ];
  for (const text of begun) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause().write(text);
  }
  await sleep(200);
};

test('a stopping gateway finishes current calls, also of disconnected clients, refuses new ones, and does not wait for incomplete requests or unread responses', async () => {
  const [gateway] = planes.gateways;
  assert.ok(gateway);
  gateway.ref();
  const ended = new Promise<number | null>((resolve) => gateway.once('exit', resolve));
  const gate = Promise.withResolvers<void>();
  downstream.before(() => gate.promise);
  const staying = governed.act({ parameters: { order: 'stays' } });
  const leaving = new AbortController();
  const left = call(planes.gatewayUrl, 'POST', '/gateway/v1/actions', {
    token: governed.token,
    body: { tool: governed.tool.name, parameters: { order: 'left' } },
    signal: leaving.signal,
  }).catch(() => 'gone');
  await Promise.all(['stays', 'left'].map(arrived));
  leaving.abort();
  assert.equal(await left, 'gone');

  await beginUnfinished(planes.gatewayUrl);

  gateway.kill('SIGTERM');
  while ((await call(planes.gatewayUrl, 'GET', '/health/ready')).status === 200) await sleep(10);
  const asked = [
    await governed.act({ parameters: { order: 'late' } }),
    await call(planes.gatewayUrl, 'GET', '/health/ready'),
    await call(planes.gatewayUrl, 'POST', '/gateway/v1/token', { body: {} }),
  ];
  for (const { status, json, headers } of asked) {
    assert.deepEqual([status, json.error.code, headers.get('connection')], [503, 'DEPENDENCY_UNAVAILABLE', 'close']);
    assert.equal(json.error.request_id, headers.get('x-request-id'));
    assert.match(headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/);
    assert.ok(Number(headers.get('retry-after')) >= 1);
  }
  assert.equal((await call(planes.gatewayUrl, 'GET', '/health/live')).status, 200);

  gate.resolve();
  assert.equal((await staying).json.status, 'COMPLETED');
  assert.equal((await call(planes.gatewayUrl, 'GET', '/health/live')).status, 200);
  const answered = performance.now();
  assert.equal(await ended, 0);
  assert.ok(performance.now() - answered < UNFINISHED_WITHIN_MS, 'it waited for what was unfinished');
  const owner = await planes.database.client();
  const { rows } = await owner.query("select parameters ->> 'order' as order, status from actions order by 1");
  await owner.end();
  assert.deepEqual(rows, [
    { order: 'left', status: 'COMPLETED' },
    { order: 'stays', status: 'COMPLETED' },
  ]);
});

test('a stopping gateway ends exactly after a current call whose client disconnected; the lease outlasts the call', async () => {
  const [, gateway] = planes.gateways;
  assert.ok(gateway);
  gateway.ref();
  const ended = new Promise<number | null>((resolve) => gateway.once('exit', resolve));
  const gate = Promise.withResolvers<void>();
  downstream.before(() => gate.promise);
  const leaving = new AbortController();
  const body = { tool: governed.tool.name, parameters: { order: 'alone' } };
  const left = call(planes.gatewayUrls[1] ?? '', 'POST', '/gateway/v1/actions', { token: governed.token, body, signal: leaving.signal });
  await arrived('alone');
  const owner = await planes.database.client();
  const leased = await owner.query(
    "select extract(epoch from held_until - created_at) * 1000 as ms from actions where parameters ->> 'order' = 'alone'",
  );
  assert.ok(Number(leased.rows[0].ms) > EGRESS_TIMEOUT_MS, 'nobody closes it while its call may still go on');
  leaving.abort();
  await assert.rejects(left);
  gateway.kill('SIGTERM');
  assert.equal(await Promise.race([ended, sleep(LINGERS_MS, 'lives')]), 'lives');
  gate.resolve();
  assert.equal(await ended, 0);
  const { rows } = await owner.query("select status from actions where parameters ->> 'order' = 'alone'");
  await owner.end();
  assert.deepEqual(rows, [{ status: 'COMPLETED' }]);
});

test('the announced drain period outlasts a call', () => {
  assert.ok(EGRESS_TIMEOUT_MS > LIMITS.shutdown.drainMs);
  assert.ok(Number(planes.announcedByGateways[0]?.drain_ms) > EGRESS_TIMEOUT_MS);
});
