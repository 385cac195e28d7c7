import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules, type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions, longOnly } from '@svc/testing/length/test-length.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 2, env: { LOG_LEVEL: 'warn' } });
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const limitTest = [{ name: 'limited', given: {}, then: { effect: 'LIMIT' } }];
const FINE = { id: 'fine', effect: 'ALLOW', reason: 'Fine.' };
const limited = (limit: object, more: object = {}) => [FINE, { id: 'cap', effect: 'LIMIT', reason: 'At most so much.', limit, ...more }];
const governedBy = (limit: object, options: object = {}) => newGoverned(planes, { rules: limited(limit), tests: limitTest, ...options });

const readUses = async ({ tenant }: Governed): Promise<number> => {
  const { rows } = await database.query('select count(*)::int as n from counter_uses where organization_id = $1', [tenant.organization_id]);
  return rows[0].n;
};

/** Moves every use into the past, as if that time had passed. */
const wait = async ({ tenant }: Governed, seconds: number): Promise<void> => {
  const by = [tenant.organization_id, seconds];
  await database.query('update counter_uses set used_at = used_at - make_interval(secs => $2) where organization_id = $1', by);
  await database.query('update counters set last_used_at = last_used_at - make_interval(secs => $2) where organization_id = $1', by);
};

test('an amount over the limit of one action is refused, and one at the limit is not', async () => {
  const governed = await governedBy({ max_amount: 500 });
  const fits = await governed.act({ amount: 500 });
  assert.equal(fits.status, 200);
  assert.equal(fits.json.decision, 'LIMIT');
  assert.deepEqual(fits.json.explanation.obligations.limits[0].max_amount, 500);
  const over = await governed.act({ amount: 501 });
  assert.equal(over.status, 403);
  assert.equal(over.json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  assert.match(over.json.error.message, /At most so much/);
  assert.deepEqual(over.json.error.details.limit, {
    policy_id: governed.policyId,
    version_id: over.json.error.details.limit.version_id,
    rule_id: 'cap',
    max_amount: 500,
    currency: over.json.error.details.limit.currency,
    window_seconds: null,
  });
  assert.equal(over.headers.get('retry-after'), null);
});

test('omitting the amount does not bypass a limit on amounts', async () => {
  const governed = await governedBy({ max_amount: 500 });
  const { json } = await governed.act({});
  assert.equal(json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  const counted = await governedBy({ max_amount: 500, window_seconds: 60 });
  assert.equal((await counted.act({})).json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
});

test('counted calls beyond the limit are refused with the time at which they are permitted again, and then they are', async () => {
  const governed = await governedBy({ max_calls: 3, window_seconds: 60 });
  const before = Date.now();
  for (let call = 0; call < 3; call += 1) assert.equal((await governed.act({})).status, 200);
  const refused = await governed.act({});
  assert.equal(refused.json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  const { details } = refused.json.error;
  assert.equal(details.limit.max_calls, 3);
  assert.equal(details.limit.window_seconds, 60);
  assert.equal(details.decision.decision, 'BLOCK');
  assert.equal(Number(refused.headers.get('retry-after')), details.retry_after_seconds);
  assert.ok(details.retry_after_seconds > 0 && details.retry_after_seconds <= 60, String(details.retry_after_seconds));
  assert.ok(Date.parse(details.frees_at) >= before + 60_000 && Date.parse(details.frees_at) <= Date.now() + 60_000);
  const recorded = await governed.owner('GET', `/v1/actions/${details.decision.action_id}`);
  assert.equal(recorded.json.status, 'BLOCKED');
  assert.equal(recorded.json.code, 'VELOCITY_LIMIT_EXCEEDED');
  await wait(governed, 60);
  assert.equal((await governed.act({})).status, 200);
  assert.equal(await readUses(governed), 4);
});

test('a window slides: each use is freed exactly when it is as old as the window', async () => {
  const governed = await governedBy({ max_calls: 2, window_seconds: 100 });
  assert.equal((await governed.act({})).status, 200);
  await wait(governed, 60);
  assert.equal((await governed.act({})).status, 200);
  const full = await governed.act({});
  const seconds = full.json.error.details.retry_after_seconds;
  assert.ok(seconds > 30 && seconds <= 40, String(seconds));
  await wait(governed, 41);
  assert.equal((await governed.act({})).status, 200, 'the first use has left the window');
  assert.equal((await governed.act({})).status, 403, 'the second is still in it');
});

test('amounts in a window are summed exactly', async () => {
  const governed = await governedBy({ max_amount: 1000, window_seconds: 100 });
  assert.equal((await governed.act({ amount: 700 })).status, 200);
  assert.equal((await governed.act({ amount: 301 })).status, 403);
  assert.equal((await governed.act({ amount: 0 })).status, 200);
  assert.equal((await governed.act({ amount: 300 })).status, 200);
  const over = await governed.act({ amount: 1 });
  assert.equal(over.status, 403);
  assert.equal(over.json.error.details.limit.max_amount, 1000);
  assert.equal(over.json.error.details.requested, 1);
  const never = await governed.act({ amount: 1001 });
  assert.equal(never.json.error.details.frees_at, null);
  assert.equal(never.headers.get('retry-after'), null);
  await wait(governed, 101);
  assert.equal((await governed.act({ amount: 1000 })).status, 200);
});

test('agents are counted separately, and a limit continues through a new version of its policy', async () => {
  const governed = await governedBy({ max_calls: 1, window_seconds: 60 });
  assert.equal((await governed.act({})).status, 200);
  assert.equal((await governed.act({})).status, 403);
  const patched = await governed.owner('PATCH', `/v1/policies/${governed.policyId}`, {
    rules: limited({ max_calls: 2, window_seconds: 60 }),
    tests: limitTest,
  });
  const body = { version_id: patched.json.versions[0].version_id, reason: 'wider' };
  assert.equal((await governed.owner('POST', `/v1/policies/${governed.policyId}/activate`, body)).status, 200);
  assert.equal((await governed.act({})).status, 200);
  assert.equal((await governed.act({})).status, 403);
});

test('32 concurrent calls with a limit of 10 over two gateways use exactly 10, in every run', async () => {
  for (let round = 0; round < countRepetitions({ short: 6, long: 20 }); round += 1) {
    const governed = await governedBy({ max_calls: 10, window_seconds: 3600 });
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        governed.act({ parameters: { index } }, { gateway: index % 2, ...(index % 3 ? {} : { key: `k${index}` }) }),
      ),
    );
    const passed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ json }) => json.error?.code === 'VELOCITY_LIMIT_EXCEEDED');
    assert.equal(passed.length, 10, `round ${round}: ${answers.map(({ status, json }) => json.error?.code ?? status)}`);
    assert.equal(refused.length, 22);
    assert.equal(await readUses(governed), 10);
    const { rows } = await database.query(
      'select status, count(*)::int as n from actions where organization_id = $1 group by status order by status',
      [governed.tenant.organization_id],
    );
    assert.deepEqual(rows, [
      { status: 'ALLOWED', n: 10 },
      { status: 'BLOCKED', n: 22 },
    ]);
  }
});

test('32 concurrent amounts never sum to more than the limit', async () => {
  const governed = await governedBy({ max_amount: 1000, window_seconds: 3600 });
  const amounts = Array.from({ length: 32 }, (_, index) => 30 + ((index * 37) % 90));
  const answers = await Promise.all(amounts.map((amount, index) => governed.act({ amount }, { gateway: index % 2 })));
  const taken = amounts.filter((_, index) => answers[index]?.status === 200).reduce((sum, amount) => sum + amount, 0);
  assert.ok(taken <= 1000);
  const smallest = Math.min(...amounts.filter((_, index) => answers[index]?.status !== 200));
  assert.ok(taken + smallest > 1000, 'nothing was refused that still fitted at the end');
});

test('one idempotency key is counted once, however often and wherever it is sent', async () => {
  const governed = await governedBy({ max_calls: 2, window_seconds: 3600 });
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, index) => governed.act({ parameters: { order: '1' } }, { gateway: index % 2, key: 'one-key' })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ json }) => json.action_id)).size, 1);
  assert.equal(await readUses(governed), 1);
  assert.equal((await governed.act({}, { key: 'another' })).status, 200);
  const refused = await governed.act({}, { key: 'third' });
  assert.equal(refused.status, 403);
  const again = await governed.act({ parameters: { order: '1' } }, { key: 'one-key' });
  assert.equal(again.status, 200, 'a limit that is used up does not change an answer that was given');
  assert.equal((await governed.act({}, { key: 'third' })).json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  const reused = await governed.act({ parameters: { order: '2' } }, { key: 'one-key' });
  assert.equal(reused.json.error.code, 'IDEMPOTENCY_KEY_REUSED');
});

test('a dry run and a simulation return the counters, and use nothing', async () => {
  const governed = await governedBy({ max_calls: 1, window_seconds: 3600 });
  const simulate = () => governed.owner('POST', '/v1/policies/simulate', { agent_id: governed.agent.id, tool: 'pay' });
  assert.equal((await governed.act({ dry_run: true })).status, 200);
  assert.equal((await simulate()).json.decision, 'LIMIT');
  assert.equal(await readUses(governed), 0);
  assert.equal((await governed.act({})).status, 200);
  assert.equal((await governed.act({ dry_run: true })).json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  const told = (await simulate()).json;
  assert.equal(told.code, 'VELOCITY_LIMIT_EXCEEDED');
  assert.equal(told.decision, 'BLOCK');
  assert.equal(await readUses(governed), 1);
});

test('an evaluation for an agent counts like its own request', async () => {
  const governed = await governedBy({ max_calls: 1, window_seconds: 3600 });
  const evaluated = await governed.owner('POST', '/v1/actions/evaluate', { agent_id: governed.agent.id, tool: 'pay' });
  assert.equal(evaluated.json.decision, 'LIMIT');
  assert.equal((await governed.act({})).json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
});

const setMode = (governed: Governed, mode: string) =>
  governed.owner('POST', `/v1/environments/${governed.tenant.environment_id}/gateway-mode`, { mode, reason: 'test' });

test('OBSERVE refuses nothing, counts what ENFORCE would have allowed, and reports what it would have refused', async () => {
  const governed = await governedBy({ max_calls: 2, window_seconds: 3600 });
  await setMode(governed, 'OBSERVE');
  for (let call = 0; call < 4; call += 1) {
    const { status, json } = await governed.act({});
    assert.equal(status, 200);
    assert.equal(json.code, call < 2 ? null : 'VELOCITY_LIMIT_EXCEEDED');
    assert.equal(json.status, 'OBSERVED');
  }
  assert.equal(await readUses(governed), 2);
});

test('SIMULATE decides by the counters and uses nothing', async () => {
  const governed = await governedBy({ max_calls: 1, window_seconds: 3600 });
  await setMode(governed, 'SIMULATE');
  for (let call = 0; call < 2; call += 1) assert.equal((await governed.act({})).json.code, null);
  assert.equal(await readUses(governed), 0);
  await setMode(governed, 'ENFORCE');
  assert.equal((await governed.act({})).status, 200);
  await setMode(governed, 'SIMULATE');
  assert.equal((await governed.act({})).json.code, 'VELOCITY_LIMIT_EXCEEDED');
});

test('a held action is counted when it runs, and not when it is requested or refused', async () => {
  const hold = { id: 'ask', effect: 'REQUIRE_APPROVAL', reason: 'Ask.', when: { field: 'amount', op: 'gt', value: 100 } };
  const governed = await newGoverned(planes, {
    rules: [...limited({ max_calls: 2, window_seconds: 3600 }), hold],
    tests: limitTest,
  });
  const approve = async (approvalId: string) =>
    assert.equal((await governed.owner('POST', `/v1/approvals/${approvalId}/approve`, {})).status, 200);
  const held = await governed.act({ amount: 200 });
  assert.equal(held.json.error.code, 'APPROVAL_REQUIRED');
  const { approval_id } = held.json.error.details;
  await approve(approval_id);
  assert.equal(await readUses(governed), 0);
  for (let call = 0; call < 2; call += 1) assert.equal((await governed.act({ amount: 1 })).status, 200);
  const full = await governed.act({ amount: 200, approval_id });
  assert.equal(full.json.error.code, 'VELOCITY_LIMIT_EXCEEDED');
  await wait(governed, 3600);
  const used = await Promise.all(
    Array.from({ length: 8 }, (_, index) => governed.act({ amount: 200, approval_id }, { gateway: index % 2 })),
  );
  assert.equal(used.filter(({ status }) => status === 200).length, 1, 'the approval stayed whole and serves once');
  assert.equal(await readUses(governed), 3);
});

test('every limit of every matching rule applies, and a refusal uses nothing of the others', async () => {
  const governed = await newGoverned(planes, {
    rules: [
      FINE,
      { id: 'calls', effect: 'LIMIT', reason: 'Five calls.', limit: { max_calls: 5, window_seconds: 3600 } },
      { id: 'sum', effect: 'LIMIT', reason: 'A hundred.', limit: { max_amount: 100, window_seconds: 3600 } },
    ],
    tests: limitTest,
  });
  assert.equal((await governed.act({ amount: 90 })).status, 200);
  for (let call = 0; call < 6; call += 1) assert.match((await governed.act({ amount: 20 })).json.error.message, /A hundred/);
  for (let call = 0; call < 4; call += 1) assert.equal((await governed.act({ amount: 1 })).status, 200);
  assert.match((await governed.act({ amount: 1 })).json.error.message, /Five calls/);
});

test('a stricter policy next to a limit, and its withdrawal, apply at once', async () => {
  const governed = await governedBy({ max_calls: 100, window_seconds: 3600 });
  assert.equal((await governed.act({})).status, 200);
  await activateRules(governed.tenant, 'stop', [{ id: 'stop', effect: 'BLOCK', reason: 'Stop.' }]);
  assert.equal((await governed.act({})).json.error.code, 'ACTION_BLOCKED');
  assert.equal(await readUses(governed), 1);
});

test('another agent of the same tenant has its own count', async () => {
  const governed = await governedBy({ max_calls: 1, window_seconds: 3600 });
  const other = await newAgent(governed.tenant, { capabilities: ['pay'] });
  await governed.owner('POST', `/v1/tools/${governed.tool.id}/agents`, { agent_id: other.id });
  const token = await mintToken(planes.gatewayUrl, other);
  assert.equal((await governed.act({})).status, 200);
  assert.equal((await governed.act({}, { token })).status, 200);
  assert.equal((await governed.act({}, { token })).status, 403);
});

test('a killed gateway leaves exactly as much used as was recorded', longOnly, async () => {
  const own = await startPlanes({ gateways: 2 });
  const look = await own.database.client();
  try {
    const governed = await newGoverned(own, { rules: limited({ max_calls: 60, window_seconds: 3600 }), tests: limitTest });
    await governed.act({}, { gateway: 1 });
    const flood = Array.from({ length: 100 }, (_, index) => governed.act({ parameters: { index } }).catch(() => undefined));
    await Promise.race(flood);
    own.gateways[0]?.kill('SIGKILL');
    await Promise.all(flood);
    const count = async () =>
      (
        await look.query(
          `select (select total::int from counters where organization_id = $1) as total, (select count(*)::int from counter_uses
             where organization_id = $1) as uses, (select count(*)::int from actions where organization_id = $1 and status = 'ALLOWED') as allowed`,
          [governed.tenant.organization_id],
        )
      ).rows[0];
    // The server completes what the killed gateway had sent.
    const busy =
      "select from pg_stat_activity where datname = current_database() and application_name = 'svc_recorder' and state <> 'idle'";
    while (((await look.query(busy)).rowCount ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const { allowed } = await count();
    assert.deepEqual(await count(), { total: allowed, uses: allowed, allowed });
    const rest = await Promise.all(Array.from({ length: 70 }, () => governed.act({}, { gateway: 1 })));
    assert.equal(rest.filter(({ status }) => status === 200).length, 60 - allowed);
    assert.deepEqual(await count(), { total: 60, uses: 60, allowed: 60 });
  } finally {
    await look.end();
    await own.stop();
  }
});
