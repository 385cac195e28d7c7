import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { verifyWebhook } from '@svc/sdk/webhooks/verify-webhook.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { openSvc, type Svc, type SvcOptions, type SvcRun } from '@svc/testing/processes/open-svc.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const RULES = [
  { id: 'small', effect: 'ALLOW', when: { field: 'amount', op: 'lte', value: 50_000 }, reason: 'Small ones are permitted.' },
  { id: 'never', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 500_000 }, reason: 'Never that much.' },
  { id: 'large', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 50_000 }, reason: 'A person looks at it.' },
];
const TESTS = [{ name: 'small', given: { amount: 1 }, then: { effect: 'ALLOW' } }];

let planes: Planes;
let at: Governed;
let svc: Svc;
before(async () => {
  planes = await leasePlanes();
  at = await newGoverned(planes, { rules: RULES, tests: TESTS });
  svc = openSvc({ SVC_URL: planes.controlUrl, SVC_TOKEN: at.tenant.token });
});
after(async () => {
  svc?.remove();
  await planes?.stop();
});
const run = (args: readonly string[], options?: SvcOptions): Promise<SvcRun> => svc.run(args, options);

test('explains a refusal by each condition, and states at which amount the decision would differ', async () => {
  const { json } = await at.act({ amount: 900_000, currency: 'USD' });
  const actionId = json.error.details.action_id ?? json.error.details.decision.action_id;
  const why = await run(['why', actionId]);
  assert.equal(why.code, 0, why.stderr);
  for (const part of [/BLOCKED\s+pay/, /Never that much/, /rule never\s+BLOCK/, /amount is 900000; needed: > 500000/])
    assert.match(why.stdout, part);
  const detail = await run(['why', actionId, '--json']);
  assert.deepEqual(detail.json.would_change.map(({ decision }: { decision: string }) => decision).toSorted(), [
    'ALLOW',
    'REQUIRE_APPROVAL',
  ]);
  const newest = await run(['why', '--field', 'id']);
  assert.equal(newest.stdout.trim(), actionId);
});

test('simulates a request with amounts as people write them', async () => {
  const decided = await run(['simulate', at.agent.id, 'pay', '--amount', '900.00', '--currency', 'usd', '--json']);
  assert.deepEqual([decided.json?.decision, decided.json?.action_id], ['REQUIRE_APPROVAL', null], decided.stderr);
  assert.match((await run(['simulate', at.agent.id, 'pay', '--amount', '1', '--currency', 'USD'])).stdout, /ALLOWED/);
  assert.equal((await run(['simulate', at.agent.id, 'pay', '--amount', '1.00'])).code, 2);
});

test('follows decisions as they are made, as JSON lines', async () => {
  const tail = svc.start(['actions', 'tail', '--json', '--decision', 'BLOCK']);
  try {
    await tail.line(/Following/);
    await at.act({ amount: 10, currency: 'USD' });
    await at.act({ amount: 777_777, currency: 'USD' });
    const action = JSON.parse(await tail.line(/777777/));
    assert.deepEqual([action.decision, action.amount], ['BLOCK', 777_777]);
    assert.ok(!tail.said().includes('"amount":10,'));
  } finally {
    await tail.stop();
  }
});

test('shows approvals that wait, and runs a command for each', async () => {
  await at.act({ amount: 60_000, currency: 'USD' });
  const watched = await run(['approvals', 'watch', '--once', '--json']);
  const [card] = watched.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([card.status, card.amount], ['PENDING', 60_000]);
  const executed = await run(['approvals', 'watch', '--once', '--exec', `node -p "JSON.parse(require('fs').readFileSync(0)).id"`]);
  assert.match(executed.stdout, new RegExp(card.id));
  const text = await run(['approvals', 'get', card.id]);
  assert.match(text.stdout, /A person looks at it/);
});

test('draws delegations as a tree, for Graphviz and for Mermaid', async () => {
  const body = { delegate_agent_id: at.agent.id, scope: { capabilities: ['pay'] }, ceiling: { max_amount: 1_000, currency: 'USD' } };
  const { json } = await at.owner('POST', '/v1/delegations', body);
  const tree = await run(['delegations', 'tree']);
  assert.match(tree.stdout, new RegExp(`└─ .*${json.id}`), tree.stderr);
  assert.match((await run(['delegations', 'tree', '--dot'])).stdout, /^digraph/);
  assert.equal((await run(['delegations', 'tree', '--json'])).json.edges.length, 1);
});

test('examines the installation with a remedy for each fault', async () => {
  const doctor = await run(['doctor', '--json']);
  assert.ok(doctor.json.length >= 12, `${doctor.json?.length} checks; ${doctor.stderr}`);
  for (const { status, remedy, name } of doctor.json) if (status === 'warn' || status === 'fail') assert.ok(remedy, name);
  assert.deepEqual(
    doctor.json
      .filter(({ status }: { status: string }) => status === 'fail')
      .map(({ name, message }: { name: string; message: string }) => `${name}: ${message}`),
    [],
  );
  const down = await run(['doctor', '--only', 'service', '--json'], { env: { SVC_URL: 'http://127.0.0.1:9' } });
  assert.equal(down.code, 11);
});

test('verifies the audit record, and an export of it without the service', async (context) => {
  const worker = await startWorker(planes.database);
  context.after(() => worker.stop());
  await waitUntil('the first events are sealed', async () => (await at.owner('GET', '/v1/audit-log')).json.size > 0);
  const verified = await run(['audit', 'verify', '--json']);
  assert.deepEqual([verified.code, verified.json?.intact], [0, true], verified.stderr);
  const file = join(svc.folder, 'export.jsonl');
  const exported = await run(['audit', 'export', '--output', file]);
  assert.equal(exported.code, 0, exported.stderr);
  const { json: log } = await at.owner('GET', '/v1/audit-log');
  const offline = await run(['audit', 'verify', '--offline', file, '--key', log.keys[0].verifier_key]);
  assert.equal(offline.code, 0, offline.stdout + offline.stderr);
});

test('sends events to a local receiver with a signature that verifies', async () => {
  const received: { readonly headers: Record<string, unknown>; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const listening = svc.start(['webhooks', 'listen', '--forward', `http://127.0.0.1:${port}/hook`, '--type', 'workspace.created']);
  try {
    const secret = /whsec_\S+/.exec(await listening.line(/whsec_/))?.[0] ?? '';
    await listening.line(/Listening/);
    await at.owner('POST', '/v1/workspaces', { name: 'Heard' });
    await listening.line(/204/);
    const [first] = received;
    const delivery = await verifyWebhook(first?.body ?? '', first?.headers as never, secret);
    assert.equal(delivery.eventType, 'workspace.created');
  } finally {
    await listening.stop();
    server.close();
  }
});

test('shows and sets the mode of an environment, and stops in an emergency', async () => {
  assert.match((await run(['env', 'mode', 'Production'])).stdout, /Observing|Simulating|Enforcing/);
  assert.match((await run(['env', 'contexts', 'Production'])).stdout, /labels of all data that an agent read/);
  assert.match((await run(['env', 'contexts', 'Production', 'both'])).stderr, /is not a scope/);
  const enforced = await run(['deploy', 'Production', 'enforce', '--yes', '--json']);
  assert.equal(enforced.json.mode, 'ENFORCE', enforced.stderr);
  const stopped = await run(['emergency', 'stop', '--all', '--yes', '--reason', 'A drill.', '--json']);
  assert.deepEqual(
    stopped.json.map(({ paused }: { paused: boolean }) => paused),
    [true],
  );
  await run(['env', 'resume', 'Production', '--yes', '--reason', 'It was a drill.']);
});
