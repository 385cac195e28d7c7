import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { readTables } from '@svc/testing/records/read-tables.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const amountOver = (value: number) => ({ field: 'amount', op: 'gt', value });
const LARGE = { name: 'large amounts need a person', when: amountOver(100_000), at_least: 'REQUIRE_APPROVAL' };
const allow = { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' };
const heldOver = (value: number) => ({ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.', when: amountOver(value) });

const newScene = async () => {
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  return openScene(tenant);
};
let made = 0;
const openScene = (tenant: Tenant, token = tenant.token) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
    call(planes.controlUrl, method, path, { token, headers, ...(body === undefined ? {} : { body }) });
  const create = async (rules: readonly object[], more: object = {}) => {
    made += 1;
    const told = rules as readonly { effect: string; when?: { field?: string } }[];
    const { effect } = told.find(({ when }) => when?.field === 'amount') ?? (told[0] as { effect: string });
    const tests = [{ name: 'some', given: { amount: 10_000_000 }, then: { effect } }];
    return mustCall(planes.controlUrl, 'POST', '/v1/policies', { token, body: { name: `Policy ${made}`, rules, tests, ...more } });
  };
  const activate = (policy: { id: string; versions: { version_id: string }[] }) =>
    send('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0]?.version_id, reason: 'now' });
  const inForce = async (rules: readonly object[], more: object = {}) => {
    const answer = await activate(await create(rules, more));
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const state = (body: object) => send('POST', '/v1/policies/invariants', body);
  const check = async (body: object) => (await send('POST', '/v1/policies/invariants/check', body)).json;
  return { tenant, send, create, activate, inForce, state, check };
};

const assertBroken = (answer: TestResponse, name: string): TestResponse['json'] => {
  assert.equal(answer.status, 422, answer.text);
  assert.equal(answer.json.error.code, 'UNPROCESSABLE');
  assert.equal(answer.json.error.details.invariant.name, name);
  return answer.json.error.details;
};

describe('suspending', () => {
  test('a policy that only allows is suspended at once if it affects only upper bounds, and lower bounds stay proven', async () => {
    const { inForce, state, send, check, create, activate } = await newScene();
    const holds = await inForce([heldOver(100_000)]);
    const allows = await inForce([allow]);
    const open = { name: 'small amounts go on', when: { field: 'amount', op: 'lte', value: 100_000 }, at_most: 'ALLOW' };
    assert.equal((await state(LARGE)).status, 201);
    assert.equal((await state(open)).status, 201);
    assertBroken(await send('POST', `/v1/policies/${holds.id}/suspend`, { reason: 'x' }), LARGE.name);
    const stopped = await send('POST', `/v1/policies/${allows.id}/suspend`, { reason: 'an emergency' });
    assert.deepEqual([stopped.status, stopped.json.status], [200, 'SUSPENDED'], stopped.text);
    const { name: _, ...large } = LARGE;
    const { name: __, ...small } = open;
    assert.deepEqual([(await check(large)).verdict, (await check(small)).verdict], ['PROVED', 'VIOLATED']);
    assert.equal((await activate(await create([allow]))).status, 200);
    assert.equal((await check(small)).verdict, 'PROVED');
  });
});

describe('creating', () => {
  test('createInvariant stores a statement that holds, listInvariants returns it, and it is recorded; a false one is refused with a counterexample', async () => {
    const { inForce, state, send, tenant } = await newScene();
    await inForce([allow, heldOver(50_000)]);
    const stated = await state({ ...LARGE, description: 'The auditors ask for it.' });
    assert.equal(stated.status, 201, stated.text);
    const { id, created_at: _, ...said } = stated.json;
    assert.match(id, /^pin_/);
    assert.deepEqual(said, {
      ...LARGE,
      description: 'The auditors ask for it.',
      if_missing: null,
      at_most: null,
      currency: 'USD',
      scope: { scope: 'ORGANIZATION', id: tenant.organization_id },
      created_by: tenant.user.id,
    });
    assert.deepEqual((await send('GET', '/v1/policies/invariants')).json, [stated.json]);
    const details = assertBroken(await state({ name: 'all', when: amountOver(10), at_least: 'REQUIRE_APPROVAL' }), 'all');
    assert.equal(details.verdict, 'VIOLATED');
    assert.equal(details.decision, 'ALLOW');
    assert.equal(details.counter_example.matched_rule.id, 'allow');
    assert.ok(details.counter_example.given.amount > 10 && details.counter_example.given.amount <= 50_000);
    const events = await database.query(
      "select data::jsonb - 'record_digests' as data from audit_events where type = 'compliance.control_updated' and subject_id = $1",
      [id],
    );
    assert.equal(events.rows[0].data.after.at_least, 'REQUIRE_APPROVAL');
    assert.equal((await send('GET', '/v1/policies/invariants')).json.length, 1);
  });

  test('a fault in the condition is reported with its pointer, and an empty statement is refused', async () => {
    const { state } = await newScene();
    const cases: readonly [object, string][] = [
      [{ when: { field: 'amuont', op: 'gt', value: 1 }, at_least: 'BLOCK' }, '/when/field'],
      [{ when: { all: [amountOver(1), { field: 'amount', op: 'matches', value: 'x' }] }, at_least: 'BLOCK' }, '/when/all/1/op'],
      [{ when: amountOver(1) }, ''],
      [{ when: amountOver(1), at_least: 'ALLOW' }, ''],
    ];
    for (const [body, pointer] of cases) {
      const answer = await state({ name: 'x', ...body });
      assert.equal(answer.json?.error?.code, 'INVALID_POLICY', answer.text);
      assert.equal(answer.json.error.details.faults[0].pointer, pointer);
    }
    assert.equal((await state({ name: 'x', at_least: 'NEVER' })).json.error.code, 'VALIDATION_FAILED');
    assert.equal((await state({ name: 'x', at_least: 'BLOCK', scope: { scope: 'WORKSPACE', id: 'wsp_0' } })).json.error.code, 'NOT_FOUND');
  });

  test('an organization has at most a hundred invariants', async () => {
    const { state, tenant } = await newScene();
    await database.query(
      `insert into policy_invariants (organization_id, id, name, at_least, currency, created_by)
       select $1, 'pin_' || n, 'stated ' || n, 'BLOCK', 'USD', 'usr_1' from generate_series(1, 99) n`,
      [tenant.organization_id],
    );
    assert.equal((await state(LARGE)).status, 201);
    const more = await state({ ...LARGE, name: 'one more' });
    assert.equal(more.json.error.code, 'UNPROCESSABLE', more.text);
    assert.match(more.json.error.message, /at most 100/);
  });

  test('a statement sent twice under one idempotency key is proved, created and recorded once, with the same response', async () => {
    const { send, inForce, tenant } = await newScene();
    await inForce([allow, heldOver(50_000)]);
    const headers = { 'idempotency-key': 'stated-once' };
    const [first, second] = [
      await send('POST', '/v1/policies/invariants', LARGE, headers),
      await send('POST', '/v1/policies/invariants', LARGE, headers),
    ];
    assert.equal(first.status, 201, first.text);
    assert.deepEqual([second.status, second.json], [first.status, first.json]);
    const { rows } = await database.query(
      "select count(*)::int as told from audit_events where organization_id = $1 and type = 'compliance.control_updated'",
      [tenant.organization_id],
    );
    assert.deepEqual(rows, [{ told: 1 }]);
  });

  test('a name is unique, and deleteInvariant frees it', async () => {
    const { state, send } = await newScene();
    const { json } = await state(LARGE);
    assert.equal((await state(LARGE)).json.error.code, 'ALREADY_EXISTS');
    const removed = await send('DELETE', `/v1/policies/invariants/${json.id}`);
    assert.equal(removed.status, 200, removed.text);
    assert.equal(removed.json.name, LARGE.name);
    assert.equal((await send('DELETE', `/v1/policies/invariants/${json.id}`)).json.error.code, 'NOT_FOUND');
    assert.equal((await state(LARGE)).status, 201);
  });
});

describe('a change of active policies cannot break an invariant', () => {
  test('a breaking activation is refused and changes nothing, and its counterexample behaves as stated at the gateway', async () => {
    const governed = await newGoverned(planes, { rules: [allow, heldOver(50_000)] });
    const { state, create, activate, send } = openScene(governed.tenant);
    assert.equal((await state(LARGE)).status, 201);
    const weaker = await send('PATCH', `/v1/policies/${governed.policyId}`, { rules: [allow, heldOver(100_001)] });
    const details = assertBroken(await activate(weaker.json), LARGE.name);
    assert.equal(details.counter_example.given.amount, 100_001);
    assert.equal((await governed.act({ amount: details.counter_example.given.amount })).json.error.code, 'APPROVAL_REQUIRED');
    assert.equal((await send('GET', `/v1/policies/${governed.policyId}`)).json.active_version.version_number, 1);
    const stricter = await create([{ ...allow, id: 'stop', effect: 'BLOCK' }]);
    assert.equal((await activate(stricter)).status, 200);
  });

  test('a suspension, a release, a new binding or a rollback cannot either', async () => {
    const { inForce, state, create, activate, send, tenant } = await newScene();
    await inForce([allow]);
    const policy = await create([heldOver(100_000)]);
    const [binding] = policy.bindings;
    assert.equal((await activate(policy)).status, 200);
    assert.equal((await state(LARGE)).status, 201);
    assertBroken(await send('POST', `/v1/policies/${policy.id}/suspend`, { reason: 'x' }), LARGE.name);
    assertBroken(await send('DELETE', `/v1/policies/${policy.id}/bindings/${binding.id}`), LARGE.name);
    const other = { scope: 'ENVIRONMENT', id: tenant.environment_id, reason: 'more' };
    assert.equal((await send('POST', `/v1/policies/${policy.id}/bindings`, other)).status, 201);
    assertBroken(await send('DELETE', `/v1/policies/${policy.id}/bindings/${binding.id}`), LARGE.name);

    const loose = await newScene();
    const first = await loose.inForce([allow]);
    const tests = [{ name: 'little', given: { amount: 1 }, then: { effect: 'ALLOW' } }];
    const second = await loose.send('PATCH', `/v1/policies/${first.id}`, { rules: [allow, heldOver(5)], tests });
    assert.equal((await loose.activate(second.json)).status, 200);
    assert.equal((await loose.state(LARGE)).status, 201);
    const back = await loose.send('POST', `/v1/policies/${first.id}/rollback`, { target_version_number: 1, reason: 'x' });
    assertBroken(back, LARGE.name);
    assert.equal((await loose.send('GET', `/v1/policies/${first.id}`)).json.versions.length, 2);
  });

  test('a rollback that keeps it is activated once, with its events', async () => {
    const { inForce, state, send, activate } = await newScene();
    const first = await inForce([allow, heldOver(5)]);
    assert.equal((await state(LARGE)).status, 201);
    const second = await send('PATCH', `/v1/policies/${first.id}`, { rules: [allow, heldOver(50)] });
    assert.equal((await activate(second.json)).status, 200);
    const back = await send('POST', `/v1/policies/${first.id}/rollback`, { target_version_number: 1, reason: 'x' });
    assert.equal(back.status, 200, back.text);
    assert.equal(back.json.active_version.version_number, 3);
    const { rows } = await database.query("select type from audit_events where subject_id = $1 and type = 'policy.rolled_back'", [
      first.id,
    ]);
    assert.equal(rows.length, 1);
  });

  test('one of two concurrent changes that break it together is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { inForce, state, send } = await newScene();
      await inForce([allow]);
      const [one, two] = [await inForce([heldOver(10)]), await inForce([heldOver(20)])];
      assert.equal((await state(LARGE)).status, 201);
      const answers = await Promise.all(
        [one, two].map(({ id }) => send('POST', `/v1/policies/${id}/suspend`, { reason: 'x', accept_warnings: true })),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
    }
  });

  test('one of a concurrent statement and activation that contradict each other is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { inForce, state, create, activate } = await newScene();
      await inForce([{ ...heldOver(10), effect: 'BLOCK' }]);
      const policy = await create([
        allow,
        { ...heldOver(10), id: 'none', effect: 'BLOCK', when: { field: 'currency', op: 'eq', value: 'CHF' } },
      ]);
      const body = { name: 'nothing is allowed', at_least: 'BLOCK' };
      const answers = await Promise.all([state(body), activate(policy)]);
      assert.equal(answers.filter(({ status }) => status === 422).length, 1, JSON.stringify(answers.map(({ text }) => text)));
    }
  });

  test('a change that cannot be proved is refused with the reason and a remedy', async () => {
    const { inForce, state } = await newScene();
    const looks = [...'abcde'].map((letter, index) => ({
      id: `r${index}`,
      effect: 'BLOCK',
      reason: 'x',
      when: {
        all: [
          { field: 'parameters.a.*.b.*', op: 'matches', value: `${letter}.*x` },
          { field: 'parameters.a.*', op: 'contains', value: letter },
        ],
      },
    }));
    await inForce([allow, ...looks]);
    const answer = await state({
      name: 'odd',
      when: { not: { field: 'parameters.a.*.b.*', op: 'matches', value: '^(a|b)*c(a|b){9}d(a|c){9}$', quantifier: 'all' } },
      at_least: 'BLOCK',
    });
    assert.equal(answer.status, 422, answer.text);
    if (answer.json.error.details.verdict === 'UNDECIDED') assert.match(answer.json.error.message, /counts as not proved/);
    else assert.ok(answer.json.error.details.counter_example.given);
  });
});

describe('scopes', () => {
  test('an invariant of one environment applies there, also to policies bound to an agent in it', async () => {
    const { inForce, state, check, create, activate, tenant } = await newScene();
    await inForce([allow]);
    await inForce([heldOver(100_000)], { binding: { scope: 'ENVIRONMENT', id: tenant.environment_id } });
    const scope = { scope: 'ENVIRONMENT', id: tenant.environment_id };
    const everywhere = await check(LARGE_BODY);
    assert.equal(everywhere.verdict, 'VIOLATED');
    assert.equal(everywhere.counter_example.place, 'any other environment');
    assert.equal((await check({ ...LARGE_BODY, scope })).verdict, 'PROVED');
    assert.equal((await check({ ...LARGE_BODY, scope: { scope: 'WORKSPACE', id: tenant.workspace_id } })).verdict, 'VIOLATED');
    assert.equal((await state({ ...LARGE, scope })).status, 201);
    const free = await state({
      name: 'reading is free',
      when: { field: 'tool.name', op: 'eq', value: 'read' },
      at_most: 'REQUIRE_APPROVAL',
      scope,
    });
    assert.equal(free.status, 201, free.text);
    const agent = await newAgent(tenant, { capabilities: ['x'] });
    const own = await create([{ ...allow, effect: 'BLOCK' }], { binding: { scope: 'AGENT', id: agent.id } });
    const details = assertBroken(await activate(own), 'reading is free');
    assert.equal(details.counter_example.given['agent.id'], agent.id);
    assert.match(details.counter_example.place, /^agent /);
  });

  test('a caller limited to a workspace creates and removes invariants inside it, and must keep those around it', async () => {
    const { inForce, state, send, tenant } = await newScene();
    await inForce([allow, heldOver(100_000)]);
    const around = await state(LARGE);
    const headers = { 'x-svc-workspace': tenant.workspace_id };
    const limited = (method: string, path: string, body?: unknown) => send(method, path, body, headers);
    assert.equal((await limited('GET', '/v1/policies/invariants')).json.length, 1);
    assert.equal((await limited('DELETE', `/v1/policies/invariants/${around.json.id}`)).json.error.code, 'PERMISSION_DENIED');
    assert.equal((await limited('POST', '/v1/policies/invariants', { ...LARGE, name: 'mine' })).json.error.code, 'VALIDATION_FAILED');
    const scope = { scope: 'WORKSPACE', id: tenant.workspace_id };
    const mine = await limited('POST', '/v1/policies/invariants', { ...LARGE, name: 'mine', scope });
    assert.equal(mine.status, 201, mine.text);
    assert.equal((await limited('DELETE', `/v1/policies/invariants/${mine.json.id}`)).status, 200);
    const other = await newScene();
    assert.equal((await other.send('DELETE', `/v1/policies/invariants/${around.json.id}`)).json.error.code, 'NOT_FOUND');
    assert.deepEqual((await other.send('GET', '/v1/policies/invariants')).json, []);
  });
});

const { name: _, ...LARGE_BODY } = LARGE;

describe('checking', () => {
  test('checkInvariant reports the result with a draft, and writes nothing', async () => {
    const { inForce, check, create, activate, tenant } = await newScene();
    await inForce([allow]);
    const draft = await create([heldOver(100_000)]);
    const before = await readTables(database);
    assert.equal((await check(LARGE_BODY)).verdict, 'VIOLATED');
    const with_draft = await check({ ...LARGE_BODY, version_id: draft.versions[0].version_id });
    assert.deepEqual(with_draft, { verdict: 'PROVED', places: 1, counter_example: null, undecided: null });
    assert.deepEqual(await readTables(database), before);
    assert.equal((await activate(draft)).status, 200);
    assert.equal((await check(LARGE_BODY)).verdict, 'PROVED');
    const foreign = await newScene();
    assert.equal((await foreign.check({ ...LARGE_BODY, version_id: draft.versions[0].version_id })).error.code, 'NOT_FOUND');
    assert.equal(
      (await foreign.check({ ...LARGE_BODY, scope: { scope: 'ENVIRONMENT', id: tenant.environment_id } })).error.code,
      'NOT_FOUND',
    );
  });
});
