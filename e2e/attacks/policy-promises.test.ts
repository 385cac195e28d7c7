import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

/* Two control planes and two gateways on one database, which do not notify each other. */
let planes: Planes;
let replica: Planes;
let db: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
  replica = await startPlanes({ gateways: 0, database: planes.database });
  db = await planes.database.client();
});
after(async () => {
  await db.end();
  await replica.stop();
  await planes.stop();
});

const over = (value: number) => ({ field: 'amount', op: 'gt', value });
const held = (value: number) => ({ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.', when: over(value) });
const INVARIANT = { name: 'large amounts need a person', when: over(100), at_least: 'REQUIRE_APPROVAL' };
const holding = [{ name: 'much', given: { amount: 1_000_000 }, then: { effect: 'REQUIRE_APPROVAL' } }];

const asks = (governed: Governed) => {
  let asked = 0;
  /** Alternates between the two control planes. */
  return (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<TestResponse> => {
    asked += 1;
    const { controlUrl } = asked % 2 ? planes : replica;
    return call(controlUrl, method, path, { token: governed.tenant.token, headers, ...(body ? { body } : {}) });
  };
};

const must = async (answer: Promise<TestResponse>): Promise<TestResponse['json']> => {
  const { status, json, text } = await answer;
  assert.ok(status < 300, text);
  return json;
};

test('of two concurrent changes on two control planes that together break an invariant, one is refused', async () => {
  for (let round = 0; round < countRepetitions({ short: 2, long: 4 }); round += 1) {
    const governed = await newGoverned(planes);
    const ask = asks(governed);
    const made = await Promise.all(
      [10, 20].map(async (value) => {
        const policy = await must(ask('POST', '/v1/policies', { name: `p${value}`, rules: [held(value)], tests: holding }));
        return must(ask('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'x' }));
      }),
    );
    await must(ask('POST', '/v1/policies/invariants', INVARIANT));
    const answers = await Promise.all([
      ask('POST', `/v1/policies/${made[0].id}/suspend`, { reason: 'x', accept_warnings: true }),
      ask('DELETE', `/v1/policies/${made[1].id}/bindings/${made[1].bindings[0].id}?accept_warnings=true`),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422], answers.map(({ text }) => text).join('\n'));
    for (const gateway of [0, 1])
      assert.equal((await governed.act({ amount: 101, currency: 'USD' }, { gateway })).json.error.code, 'APPROVAL_REQUIRED');
  }
});

test('concurrent policy changes on two control planes leave active policies that pass their tests and invariants, and both gateways apply them', async () => {
  const governed = await newGoverned(planes);
  const ask = asks(governed);
  const policy = await must(ask('POST', '/v1/policies', { name: 'p', rules: [held(50)], tests: holding }));
  const path = `/v1/policies/${policy.id}`;
  await must(ask('POST', `${path}/activate`, { version_id: policy.versions[0].version_id, reason: 'x' }));
  await must(ask('POST', '/v1/policies/invariants', INVARIANT));
  const failing = [{ name: 'much', given: { amount: 1_000_000 }, then: { effect: 'ALLOW' } }];
  const moves: readonly ((n: number) => Promise<TestResponse>)[] = [
    (n) => ask('PATCH', path, { rules: [held(10 + n)], tests: holding }),
    (n) => ask('PATCH', path, { rules: [held(1_000 + n)], tests: holding }),
    () => ask('PATCH', path, { tests: failing }),
    async () => {
      const { versions } = (await ask('GET', path)).json;
      return ask('POST', `${path}/activate`, { version_id: versions[0].version_id, reason: 'x' });
    },
    (n) => ask('POST', `${path}/rollback`, { target_version_number: 1 + (n % 3), reason: 'x', accept_warnings: true }),
    () => ask('POST', `${path}/suspend`, { reason: 'x', accept_warnings: true }),
    () => ask('POST', `${path}/bindings`, { scope: 'ENVIRONMENT', id: governed.tenant.environment_id, reason: 'x' }),
    async () => {
      const [binding] = (await ask('GET', path)).json.bindings;
      return ask('DELETE', `${path}/bindings/${binding?.id}?accept_warnings=true`);
    },
    () => ask('DELETE', path),
  ];
  for (let round = 0; round < countRepetitions({ short: 3, long: 6 }); round += 1) {
    const answers = await Promise.all(moves.map((move, n) => move(round * 7 + n)));
    assert.deepEqual(
      answers.filter(({ status }) => status >= 500).map(({ text }) => text),
      [],
    );
    const { rows } = await db.query("select version_number, id from policy_versions where policy_id = $1 and status = 'ACTIVE'", [
      policy.id,
    ]);
    assert.equal(rows.length, 1, 'the invariant keeps it in force');
    const report = await must(ask('POST', `${path}/tests/run`, { version_id: rows[0].id }));
    assert.deepEqual([report.failed, report.passed], [0, 1]);
    const { name: _, ...stated } = INVARIANT;
    assert.equal((await must(ask('POST', '/v1/policies/invariants/check', stated))).verdict, 'PROVED');
    for (const gateway of [0, 1])
      assert.equal((await governed.act({ amount: 101, currency: 'USD' }, { gateway })).json.error.code, 'APPROVAL_REQUIRED');
  }
});

test('a limited call sees every policy that binds there, and nothing next to it', async () => {
  const governed = await newGoverned(planes);
  const ask = asks(governed);
  const { tenant } = governed;
  const workspace = await must(ask('POST', '/v1/workspaces', { name: 'Elsewhere' }));
  const body = { workspace_id: workspace.id, name: 'Hidden place', type: 'STAGING' };
  const elsewhere = await must(ask('POST', '/v1/environments', body));
  const binding = { scope: 'ENVIRONMENT', id: elsewhere.id };
  const hidden = await must(ask('POST', '/v1/policies', { name: 'Hidden policy', rules: [held(1)], tests: holding, binding }));
  const headers = { 'x-svc-workspace': tenant.workspace_id, 'x-svc-environment': tenant.environment_id };
  const check = (more: object) => ask('POST', '/v1/policies/invariants/check', { at_least: 'BLOCK', ...more }, headers);
  const scope = { scope: 'ENVIRONMENT', id: tenant.environment_id };
  const inside = await check({ scope });
  assert.equal(inside.json.verdict, 'VIOLATED', inside.text);
  assert.equal(inside.json.counter_example.matched_rule.id, 'allow');
  const asked = [
    await check({ scope, version_id: hidden.versions[0].version_id }),
    await check({ scope: { scope: 'ENVIRONMENT', id: elsewhere.id } }),
    await ask('GET', `/v1/policies/${hidden.id}/diff?from=1&to=1`, undefined, headers),
    await ask('POST', `/v1/policies/${hidden.id}/tests/run`, {}, headers),
  ];
  for (const answer of asked) {
    assert.equal(answer.json.error.code, 'NOT_FOUND', answer.text);
    assert.doesNotMatch(answer.text, /Hidden/);
  }
});

test('an expensive invariant that is checked repeatedly delays no one, and another organization gets its proof meanwhile', async () => {
  const [greedy, other] = [await newGoverned(planes), await newGoverned(planes)];
  const piece = (field: string, value: string, n: number) => ({
    id: `r${n}`,
    effect: 'BLOCK',
    reason: 'x',
    when: { field, op: 'contains', value },
  });
  const digits = [...'012345678'].map((digit, n) => piece('destination.host', digit, n));
  const nets = Array.from({ length: 5 }, (_, k) => ({
    id: `n${k}`,
    effect: 'ALLOW',
    reason: 'x',
    when: { field: 'destination.ip', op: 'cidr', value: Array.from({ length: 200 }, (_v, i) => `${k * 40 + 1}.${i}.0.0/16`) },
  }));
  const who = [...'abcdefgh'].flatMap((letter, n) => [piece('principal.id', letter, 20 + n), piece('agent.id', String(n), 40 + n)]);
  const ask = (governed: Governed, method: string, path: string, body?: object) =>
    call(planes.controlUrl, method, path, { token: governed.tenant.token, ...(body ? { body } : {}) });
  const tests = [{ name: 'none', given: {}, then: { effect: 'BLOCK' } }];
  const policy = await must(ask(greedy, 'POST', '/v1/policies', { name: 'costly', rules: [...digits, ...nets, ...who], tests }));
  const costly = { when: { field: 'tool.name', op: 'eq', value: 'q' }, at_least: 'BLOCK', version_id: policy.versions[0].version_id };
  /** Returns a high percentile of the waiting time of a caller with cheap requests. */
  const longestWait = async (): Promise<number> => {
    const waits: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      const start = performance.now();
      assert.equal((await ask(other, 'GET', '/health/live')).status, 200);
      waits.push(performance.now() - start);
      await sleep(5);
    }
    return waits.toSorted((a, b) => a - b)[57] ?? 0;
  };
  const quietMs = await longestWait();
  let open = 2;
  const checkAgainAndAgain = async (): Promise<void> => {
    do assert.match((await must(ask(greedy, 'POST', '/v1/policies/invariants/check', costly))).verdict, /^(VIOLATED|UNDECIDED)$/);
    while (open === 2);
  };
  const checks = Array.from({ length: open }, checkAgainAndAgain);
  await sleep(300);
  const busyMs = await longestWait();
  const proof = await must(ask(other, 'POST', '/v1/policies/invariants/check', { at_most: 'ALLOW' }));
  open = 0;
  assert.equal(proof.verdict, 'PROVED');
  assert.ok(busyMs < Math.max(150, 8 * quietMs), `${busyMs} ms, and ${quietMs} ms when it is quiet`);
  await Promise.all(checks);
});
