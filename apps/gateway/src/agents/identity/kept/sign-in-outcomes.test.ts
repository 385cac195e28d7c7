import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAgent, newKeyPair, readAudience, SDK, signAssertion, type TestAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { SIGN_IN_OUTCOMES } from './sign-in-outcomes.ts';

let planes: Planes;
let governed: Governed;
let audience: string;
let metricsUrl: string;
before(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  planes = await startPlanes({ env: { LOG_LEVEL: 'info', SVC_GATEWAY_METRICS: `127.0.0.1:${port}` } });
  governed = await newGoverned(planes);
  audience = await readAudience(planes.gatewayUrl);
});
after(() => planes.stop());

const redeem = (assertion: string, agent_id: string): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id, assertion, sdk: SDK } });

const readLine = async ({ headers }: TestResponse): Promise<Record<string, unknown>> => {
  const id = headers.get('x-request-id') ?? '';
  for (let turn = 0; turn < 2_400; turn += 1) {
    const line = planes
      .logs()
      .split('\n')
      .find((each) => each.includes(id) && each.includes('"route"'));
    if (line) return JSON.parse(line);
    await sleep(25);
  }
  throw new Error(`no line in the log for ${id}`);
};

const counts = async (): Promise<Readonly<Record<string, number>>> => {
  const text = await (await fetch(metricsUrl)).text();
  const found = [...text.matchAll(/^svc_agent_sign_ins_total\{check="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, check, count]) => [check, Number(count)]));
};

const inState = async (change: (agent: TestAgent) => Promise<TestResponse>): Promise<TestAgent> => {
  const agent = await newAgent(governed.tenant);
  assert.ok((await change(agent)).status < 300);
  return agent;
};

test('the reason of a refused sign-in is in the log line and a metric, with the agent and the check, and not in the response', async () => {
  const { agent, owner } = governed;
  const of = (path: string, body = {}) => inState(({ id }) => owner('POST', `/v1/agents/${id}/${path}`, body));
  const revoked = await of('revoke', { reason: 'test' });
  const rotated = await of('rotate-credentials');
  const paused = await of('pause');
  const { tenant } = governed;
  const trial = await owner('POST', '/v1/environments', { workspace_id: tenant.workspace_id, name: 'Trial', type: 'STAGING' });
  const archived = await newAgent({ ...tenant, environment_id: trial.json.id });
  assert.equal((await owner('POST', `/v1/environments/${trial.json.id}/archive`, { reason: 'test' })).status, 200);
  const unknown = { ...agent, id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
  const used = signAssertion(agent, audience);
  assert.equal((await redeem(used, agent.id)).status, 200);
  const attempts: readonly (readonly [check: string, assertion: string, agentId: string, noted?: null])[] = [
    ['shape', 'nonsense', agent.id],
    ['shape', 'nonsense', 'svc_key_of_somebody', null],
    ['agent_named', signAssertion(agent, audience), unknown.id],
    ['agent_known', signAssertion(unknown, audience), unknown.id],
    ['key_known', signAssertion(agent, audience, { header: { kid: `${agent.id}#7` } }), agent.id],
    ['signature', signAssertion({ id: agent.id, privateKey: newKeyPair().privateKey }, audience), agent.id],
    ['audience', signAssertion(agent, `${audience}/`), agent.id],
    ['window', signAssertion(agent, audience, { now: Date.now() - 130_000 }), agent.id],
    ['revocation', signAssertion(revoked, audience), revoked.id],
    ['generation', signAssertion(rotated, audience), rotated.id],
    ['status', signAssertion(paused, audience), paused.id],
    ['archived', signAssertion(archived, audience), archived.id],
    ['nonce', used, agent.id],
  ];
  const before = await counts();
  for (const [check, assertion, agentId, noted = agentId] of attempts) {
    const answer = await redeem(assertion, agentId);
    assert.ok(answer.status >= 400, check);
    const line = await readLine(answer);
    assert.deepEqual([line.check, line.agent_id, line.route], [check, noted, '/gateway/v1/token']);
    assert.doesNotMatch(answer.text, /"check"/);
  }
  assert.ok(!planes.logs().includes('svc_key_of_somebody') && !planes.logs().includes(used));
  const after = await counts();
  assert.deepEqual(Object.keys(after), [...SIGN_IN_OUTCOMES]);
  for (const outcome of SIGN_IN_OUTCOMES) {
    const expected = attempts.filter(([check]) => check === outcome).length;
    assert.equal((after[outcome] ?? 0) - (before[outcome] ?? 0), expected, outcome);
  }
  assert.ok((before.passed ?? 0) >= 1);
});

test('metrics are served at their own address only, to readers and at one path', async () => {
  assert.equal((await fetch(`${planes.gatewayUrl}/metrics`)).status, 404);
  assert.equal((await fetch(metricsUrl.replace('/metrics', '/'))).status, 404);
  assert.equal((await fetch(metricsUrl, { method: 'POST' })).status, 405);
  const { status, headers } = await fetch(metricsUrl);
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; version=0.0.4; charset=utf-8']);
});
