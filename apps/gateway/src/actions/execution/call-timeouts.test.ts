import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

/** Default timeout of a tool without one. */
const DEFAULT_MS = 1_000;
const SLOW_MS = 60_000;

let planes: Planes;
let governed: Governed;
let database: pg.Client;
let waiting: ServerResponse[] = [];
let arrived = Promise.withResolvers<void>();
const server = createServer((request, response) => {
  request.resume();
  waiting.push(response);
  arrived.resolve();
});

before(async () => {
  const env = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SVC_EGRESS_TIMEOUT_MS: String(DEFAULT_MS) };
  planes = await leasePlanes({ env });
  governed = await newGoverned(planes);
  database = await planes.database.client();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await database.end();
  await planes.stop();
});

const newTool = async (name: string, timeout: object): Promise<string> => {
  const { token, environment_id, controlUrl } = governed.tenant;
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const execution = { method: 'POST', url: `http://${at}/x`, ...timeout };
  const declared = { name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [at], execution };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body: declared });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: id }, body: { agent_id: governed.agent.id } });
  return name;
};

/** Starts a call; once the destination has it, returns its response and the lease of its action in ms. */
const begin = async (tool: string) => {
  waiting = [];
  arrived = Promise.withResolvers();
  const answer = governed.act({ tool });
  await arrived.promise;
  const { rows } = await database.query(
    'select extract(epoch from held_until - created_at) * 1000 as ms, status from actions where organization_id = $1 and tool = $2',
    [governed.tenant.organization_id, tool],
  );
  return { answer, heldMs: Number(rows[0].ms), status: rows[0].status };
};

test('holds the action of each call for the timeout of its tool, and lets the call take that long', async () => {
  const quick = await begin(await newTool('quick', {}));
  const timedOut = await quick.answer;
  assert.deepEqual([timedOut.status, timedOut.json.error.code], [504, 'EXECUTION_TIMEOUT']);

  const slow = await begin(await newTool('slow', { timeout_ms: SLOW_MS }));
  assert.equal(slow.status, 'EXECUTING');
  // On a busy machine both are recorded later than they were made, with different delays.
  const difference = slow.heldMs - quick.heldMs - (SLOW_MS - DEFAULT_MS);
  assert.ok(Math.abs(difference) < SLOW_MS / 3, `${slow.heldMs} ms and ${quick.heldMs} ms`);
  // It is answered later than the default timeout.
  await new Promise((resolve) => setTimeout(resolve, 1.5 * DEFAULT_MS));
  waiting.at(-1)?.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
  const answered = await slow.answer;
  assert.deepEqual([answered.status, answered.json.execution.result], [200, { done: true }], answered.text);
});

test('refuses a timeout outside its bounds', async () => {
  for (const timeout_ms of [999, 300_001, 1.5, '60000']) {
    const { environment_id } = governed.tenant;
    const execution = { method: 'POST', url: 'https://api.example.com/x', timeout_ms };
    const declared = {
      name: 'bounds',
      environment_id,
      required_capability: 'pay',
      kind: 'HTTP',
      destination_allowlist: ['api.example.com'],
    };
    const { status, json } = await governed.owner('POST', '/v1/tools', { ...declared, execution });
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, '/execution/timeout_ms']);
  }
});
