import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Conduct, newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { decodeConduct, encodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let worker: RunningProcess;
let owner: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
  owner = await planes.database.client();
  worker = await startWorker(planes.database, {});
});
after(async () => {
  await worker.stop();
  await owner.end();
  await planes.stop();
});

const TOOL = { destination_allowlist: ['*.example.com'], destination_from: '/url', parameters_schema: { type: 'object' } };
const newScene = () => newGoverned(planes, { tool: TOOL });
const to = (host: string) => ({ parameters: { url: `https://${host}.example.com/` } });

const readConduct = async ({ agent }: Governed): Promise<Conduct> => {
  const { rows } = await owner.query<{ state: Buffer }>('select state from agent_conduct where agent_id = $1', [agent.id]);
  return rows[0] === undefined ? newConduct() : (decodeConduct(rows[0].state) as Conduct);
};

/** Gives the agent a history of days, which a test cannot wait for. */
const age = async (governed: Governed): Promise<void> => {
  const conduct = await readConduct(governed);
  conduct.permitted += 100;
  conduct.firstAt -= 3 * 86_400_000;
  Object.assign(conduct.habits, { first_tool_use: 0, new_destination: 0, new_source_address: 0 });
  const state = Buffer.from(encodeConduct(conduct));
  await owner.query('update agent_conduct set state = $2, version = version + 1 where agent_id = $1', [governed.agent.id, state]);
};

const riskAt = async ({ act }: Governed, body: object, gateway = 0) => {
  const { json, text } = await act({ ...body, dry_run: true }, { gateway });
  assert.ok(json.explanation, text);
  return json.explanation.risk;
};

test('each action is folded once, even if the worker is killed, and a dry run is not', async () => {
  const governed = await newScene();
  const { act } = governed;
  const kills = countRepetitions({ short: 1, long: 100 });
  for (let kill = 0; kill < kills; kill += 1) {
    for (let count = 0; count < 20; count += 1) await act(to('a'), { gateway: count % 2 });
    worker.child.kill('SIGKILL');
    for (let count = 0; count < 20; count += 1) await act(to('b'), { gateway: count % 2 });
    worker = await startWorker(planes.database, {});
  }
  const acted = kills * 40;
  await waitUntil('all are folded', async () => (await readConduct(governed)).permitted >= acted);
  await act({ ...to('c'), dry_run: true });
  await act(to('a'));
  await waitUntil('the last one is folded', async () => (await readConduct(governed)).permitted > acted);
  assert.equal((await readConduct(governed)).permitted, acted + 1);
});

test('a new destination counts on every gateway for an agent with a baseline, and not once it was called', async () => {
  const governed = await newScene();
  await governed.act(to('known'), { gateway: 0 });
  await waitUntil('it is folded', async () => (await readConduct(governed)).permitted === 1);
  assert.deepEqual((await riskAt(governed, to('other'), 1)).signals, []);
  await age(governed);
  await waitUntil('both gateways know it', async () => {
    const risks = await Promise.all([0, 1].map((gateway) => riskAt(governed, to('other'), gateway)));
    return risks.every(({ score }) => score === 25);
  });
  assert.deepEqual((await riskAt(governed, to('known'), 1)).signals, []);
  await governed.act(to('other'), { gateway: 0 });
  await waitUntil('it is known', async () => (await riskAt(governed, to('other'), 1)).signals.length === 0);
});

test('consecutive refusals are counted at once by the gateway that refused, and by the other after the fold', async () => {
  const governed = await newScene();
  const other = { parameters: { url: 'https://evil.test/' } };
  for (let count = 0; count < 5; count += 1) assert.equal((await governed.act(other)).json.error.code, 'DESTINATION_BLOCKED');
  assert.equal((await riskAt(governed, to('a'))).signals[0]?.name, 'repeated_refusals');
  await waitUntil('the other gateway knows it', async () => (await riskAt(governed, to('a'), 1)).signals[0]?.name === 'repeated_refusals');
  await governed.act(to('a'));
  await waitUntil('a permitted action ends it', async () => (await riskAt(governed, to('a'), 1)).signals.length === 0);
});

test('reading many different records, and beginning many flow contexts in an hour, is seen after the fold', async () => {
  const governed = await newScene();
  const { act, agent, owner: person, tool } = governed;
  const declared = await person('PUT', `/v1/tools/${tool.id}/flow`, { record_from: '/customer', reason: 'test' });
  assert.equal(declared.status, 200, declared.text);
  await person('PUT', `/v1/environments/${governed.tenant.environment_id}/risk-settings`, { context_scope: 'CONTEXT', reason: 'test' });
  const read = (customer: string, more = {}) => act({ parameters: { url: 'https://a.example.com/', customer } }, more);
  for (let count = 0; count < 45; count += 1) assert.equal((await read('ann')).status, 200);
  await waitUntil('they are folded', async () => (await readConduct(governed)).permitted === 45);
  const names = async () =>
    (await riskAt(governed, { parameters: { url: 'https://a.example.com/', customer: 'ann' } })).signals.map(
      ({ name }: { name: string }) => name,
    );
  assert.deepEqual(
    (await names()).filter((name: string) => ['enumeration', 'context_churn'].includes(name)),
    [],
  );
  for (let count = 0; count < 60; count += 1) await read(`customer-${count}`);
  await waitUntil('the records are unusual', async () => (await names()).includes('enumeration'));
  for (let count = 0; count < 26; count += 1) {
    const token = await mintToken(planes.gatewayUrls[0] ?? '', agent, 1, `ctx-${count}`);
    await read('ann', { token });
    await read('ann', { token });
  }
  await waitUntil('the contexts are unusual', async () => (await names()).includes('context_churn'));
});

test('while the worker is dead the score is a lower bound: gte can hold, lt is unknown, and nothing is missing afterwards', async () => {
  const rule = (id: string, effect: string, op: string, value: number) => ({
    ...{ id, effect, reason: id, when: { field: 'risk.score', op, value } },
  });
  const rules = [rule('calm', 'ALLOW', 'lt', 40), rule('any', 'ALLOW', 'gte', 40)];
  const governed = await newGoverned(planes, {
    tool: TOOL,
    rules,
    tests: [{ name: 'calm', given: { 'risk.score': 1 }, then: { effect: 'ALLOW' } }],
  });
  const answers: number[] = [];
  const act = async (body: object) => {
    const answer = await governed.act(body);
    answers.push(answer.status);
    return answer;
  };
  assert.equal((await act(to('a'))).status, 200);
  await worker.stop();
  await owner.query("update conduct_progress set folded_through = now() - interval '2 minutes'");
  await waitUntil('the history is unknown', async () => (await act(to('a'))).status === 403);
  const secret = { parameters: { url: 'https://a.example.com/', text: `ghp_${'a1B2'.repeat(9)}` } };
  const known = await act(secret);
  assert.equal(known.status, 200, known.text);
  assert.deepEqual([known.json.explanation.risk.complete, known.json.explanation.matched_rule.id], [false, 'any']);
  worker = await startWorker(planes.database, {});
  await waitUntil('it is known again', async () => (await act(to('a'))).status === 200);
  assert.deepEqual(
    answers.filter((status) => status !== 200 && status !== 403),
    [],
  );
  const permitted = answers.filter((status) => status === 200).length;
  await waitUntil('all are folded', async () => (await readConduct(governed)).permitted === permitted);
  assert.equal((await readConduct(governed)).refused, answers.length - permitted);
});

const SECRET = { parameters: { url: 'https://a.example.com/', text: `ghp_${'a1B2'.repeat(9)}` } };
const readEvents = async ({ agent }: Governed, type: string) =>
  (await owner.query(`select data from audit_events where type = $1 and data ->> 'agent_id' = $2`, [type, agent.id])).rows;
const openOf = async (governed: Governed) =>
  (await governed.owner('GET', `/v1/risk-events?status=OPEN&agent_id=${governed.agent.id}`)).json as { id: string; count: number }[];

test('the same finding on two gateways is one risk event that is counted up, and acknowledgeRiskEvent ends it', async () => {
  const governed = await newScene();
  await governed.owner('PUT', `/v1/environments/${governed.tenant.environment_id}/risk-settings`, {
    ...{ thresholds: { elevated: 40, high: 70 }, reason: 'test' },
  });
  const calls = countRepetitions({ short: 20, long: 1_000 });
  await Promise.all(Array.from({ length: calls }, (_, index) => governed.act(SECRET, { gateway: index % 2 })));
  await waitUntil('all are counted', async () => (await openOf(governed))[0]?.count === calls);
  const [event, ...others] = await openOf(governed);
  assert.deepEqual([others.length, (await readEvents(governed, 'risk.event_created')).length], [0, 1]);
  const path = `/v1/risk-events/${event?.id}/acknowledge`;
  const forever = await governed.owner('POST', path, { verdict: 'FALSE_ALARM', mute_hours: 25 });
  assert.equal(forever.json.error?.code, 'VALIDATION_FAILED', forever.text);
  const confirmed = await governed.owner('POST', path, { verdict: 'CONFIRMED', mute_hours: 1 });
  assert.equal(confirmed.json.error?.code, 'VALIDATION_FAILED', confirmed.text);
  const told = await governed.owner('POST', path, { verdict: 'FALSE_ALARM', mute_hours: 24 });
  assert.deepEqual([told.status, told.json.status, told.json.verdict], [200, 'ACKNOWLEDGED', 'FALSE_ALARM'], told.text);
  assert.equal((await governed.owner('POST', path, { verdict: 'EXPECTED' })).json.error?.code, 'INVALID_STATE_TRANSITION');
  await waitUntil('the exception holds on both gateways', async () => {
    const risks = await Promise.all([0, 1].map((gateway) => riskAt(governed, SECRET, gateway)));
    return risks.every(({ score, signals }) => score === 0 && signals[0]?.muted_until !== undefined);
  });
  const risk = await governed.owner('GET', `/v1/agents/${governed.agent.id}/risk`);
  assert.deepEqual([risk.json.risk, risk.json.families, risk.json.mutes.length, risk.json.learning], [0, [], 1, true], risk.text);
});

test('an agent that passes its threshold repeatedly is reported once', async () => {
  const governed = await newScene();
  await governed.owner('PUT', `/v1/environments/${governed.tenant.environment_id}/risk-settings`, {
    ...{ thresholds: { elevated: 30, high: 35 }, reason: 'test' },
  });
  for (let count = 0; count < 12; count += 1) await governed.act(SECRET, { gateway: count % 2 });
  await waitUntil('it is reported', async () => (await readEvents(governed, 'risk.threshold_exceeded')).length > 0);
  for (let count = 0; count < 12; count += 1) await governed.act(SECRET, { gateway: count % 2 });
  await waitUntil('all are counted', async () => (await openOf(governed))[0]?.count === 24);
  const reported = await readEvents(governed, 'risk.threshold_exceeded');
  assert.deepEqual([reported.length, reported[0].data.risk, reported[0].data.threshold], [1, 40, 35]);
});
