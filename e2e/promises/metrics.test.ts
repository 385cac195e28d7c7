import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { ERROR_CODES } from '@svc/contract/tables/errors.ts';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';

type Line = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number };

let planes: Planes;
let governed: Governed;
const urls = { control: '', gateway: '', worker: '' };
before(async () => {
  const [control, gateway, worker] = [await freePort(), await freePort(), await freePort()];
  urls.control = `http://127.0.0.1:${control}/metrics`;
  urls.gateway = `http://127.0.0.1:${gateway}/metrics`;
  urls.worker = `http://127.0.0.1:${worker}/metrics`;
  const env = {
    SVC_CONTROL_METRICS: String(control),
    SVC_GATEWAY_METRICS: String(gateway),
    SVC_WORKER_METRICS: String(worker),
    SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE: '12',
  };
  planes = await startPlanes({ env });
  const rules = [
    { id: 'block', effect: 'BLOCK', reason: 'Too much.', when: { field: 'amount', op: 'gt', value: 100 } },
    { id: 'allow', effect: 'ALLOW', reason: 'Fine.' },
  ];
  const tests = [{ name: 'a little', given: { amount: 1, currency: 'USD' }, then: { effect: 'ALLOW' } }];
  governed = await newGoverned(planes, { rules, tests });
});
after(() => planes.stop());

const readLine = (line: string): Line => {
  const [, name = '', labels = '', value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', word = '']) => [label, word]);
  return { name, labels: Object.fromEntries(pairs), value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) };
};

const scrape = async (url: string): Promise<{ text: string; lines: Line[] }> => {
  const text = await (await fetch(url)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { text, lines: lines.map(readLine) };
};

const getAmount = (lines: readonly Line[], name: string, labels: Line['labels'] = {}): number =>
  lines
    .filter((line) => line.name === name && Object.entries(labels).every(([label, word]) => line.labels[label] === word))
    .reduce((sum, { value }) => sum + value, 0);

describe('metrics of the gateway', () => {
  test('count decisions by effect and code, their parts in buckets, and what the recorder wrote of them', async () => {
    const before = (await scrape(urls.gateway)).lines;
    for (const amount of [1, 2, 3]) assert.equal((await governed.act({ amount, currency: 'USD' })).status, 200);
    assert.equal((await governed.act({ amount: 101, currency: 'USD' })).status, 403);
    const { lines } = await scrape(urls.gateway);
    const more = (name: string, labels?: Line['labels']) => getAmount(lines, name, labels) - getAmount(before, name, labels);
    assert.equal(more('svc_decisions_total', { effect: 'ALLOW', code: 'none' }), 3);
    assert.equal(more('svc_decisions_total', { effect: 'BLOCK', code: 'ACTION_BLOCKED' }), 1);
    assert.equal(more('svc_answers_total', { code: 'ACTION_BLOCKED' }), 1);
    assert.equal(more('svc_request_duration_seconds_count', { operation: 'act' }), 4);
    assert.equal(more('svc_recorder_batch_rows_sum', { queue: 'decisions' }), 4);
    for (const part of ['admission', 'facts', 'decide', 'record', 'answer']) {
      assert.equal(more('svc_action_part_duration_seconds_count', { part }), 4, part);
      assert.equal(more('svc_action_part_duration_seconds_bucket', { part, le: '+Inf' }), 4, part);
      assert.ok(more('svc_action_part_duration_seconds_sum', { part }) > 0, part);
    }
    assert.equal(more('svc_action_part_duration_seconds_count', { part: 'execute' }), 0);
    const sum = (part: string) => more('svc_action_part_duration_seconds_sum', { part });
    const parts = ['admission', 'handle', 'facts', 'decide', 'record', 'answer'].map(sum).reduce((all, one) => all + one, 0);
    const whole = more('svc_request_duration_seconds_sum', { operation: 'act' });
    assert.ok(Math.abs(parts - whole) < 1e-6, `the parts of requests are all of them: ${parts} of ${whole}`);
  });

  test('count refusals by budgets, repeated decisions, connections and slots', async () => {
    const before = (await scrape(urls.gateway)).lines;
    await governed.owner('PATCH', `/v1/agents/${governed.agent.id}`, { description: 'moved' });
    await governed.owner('POST', `/v1/tools/${governed.tool.id}/disable`, { reason: 'test' });
    for (let turn = 0; turn < 14; turn += 1) await governed.act({ amount: 1, currency: 'USD' });
    const { lines } = await scrape(urls.gateway);
    const more = (name: string, labels?: Line['labels']) => getAmount(lines, name, labels) - getAmount(before, name, labels);
    assert.ok(more('svc_refused_by_budget_total', { budget: 'agent' }) > 0);
    assert.equal(more('svc_refused_by_budget_total', { budget: 'agent' }), more('svc_answers_total', { code: 'RATE_LIMITED' }));
    assert.ok(more('svc_decision_repeats_total', { why: 'moved' }) >= 1);
    assert.ok(getAmount(lines, 'svc_database_connections', { pool: 'decisions' }) >= 1);
    assert.equal(getAmount(lines, 'svc_places'), 0);
    assert.equal(getAmount(lines, 'svc_recorder_queued'), 0);
    assert.ok(lines.some(({ name }) => name === 'nodejs_eventloop_lag_p99_seconds'));
  });
});

test('metrics of the control plane count its requests and its connections', async () => {
  const { lines } = await scrape(urls.control);
  assert.ok(getAmount(lines, 'svc_request_duration_seconds_count', { operation: 'createTool' }) >= 1);
  assert.ok(getAmount(lines, 'svc_database_connections', { pool: 'requests' }) >= 1);
});

test('metrics of the worker state when each job last ran, for how long, and what failed', async () => {
  const read = async () => (await scrape(urls.worker)).lines;
  for (let turn = 0; turn < 1_200 && getAmount(await read(), 'svc_job_runs_total', { job: 'expire-approvals' }) === 0; turn += 1)
    await sleep(50);
  const lines = await read();
  const at = getAmount(lines, 'svc_job_last_run_timestamp_seconds', { job: 'expire-approvals' });
  assert.ok(Math.abs(at - Date.now() / 1000) < 300);
  assert.ok(lines.some(({ name, labels }) => name === 'svc_job_failures_total' && labels.job === 'expire-approvals'));
  assert.ok(getAmount(lines, 'svc_job_last_duration_seconds', { job: 'expire-approvals' }) > 0);
  assert.ok(getAmount(lines, 'svc_database_connections', { pool: 'due' }) >= 1);
});

test('no value of a caller is in a label: all are constants of closed lists', async () => {
  const strange = 'made-up-by-a-caller';
  await call(planes.gatewayUrl, 'GET', `/${strange}`);
  await call(planes.gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: strange, assertion: strange } });
  await call(planes.controlUrl, 'GET', `/v1/agents/${strange}`, { token: strange });
  await governed.act({ tool: strange });
  const operations = new Set(['other', ...Object.keys(ENDPOINTS)]);
  const codes = new Set<string>(['none', ...ERROR_CODES]);
  const effects = new Set<string>(['none', ...EFFECTS]);
  for (const url of Object.values(urls)) {
    const { text, lines } = await scrape(url);
    for (const given of [strange, governed.tenant.environment_id, governed.agent.id, governed.tool.id, 'org_', 'agt_', 'req_'])
      assert.ok(!text.includes(given), given);
    for (const { name, labels } of lines.filter((line) => line.name.startsWith('svc_'))) {
      if (labels.operation !== undefined) assert.ok(operations.has(labels.operation), labels.operation);
      if (labels.code !== undefined) assert.ok(codes.has(labels.code), labels.code);
      if (labels.effect !== undefined) assert.ok(effects.has(labels.effect), labels.effect);
      const known = ['operation', 'code', 'effect', 'part', 'le', 'queue', 'why', 'budget', 'pool', 'state', 'job', 'check'];
      assert.deepEqual(
        Object.keys(labels).filter((label) => !known.includes(label)),
        [],
        name,
      );
    }
  }
});
