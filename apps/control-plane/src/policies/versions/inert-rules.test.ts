import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });
const { send } = s;

/** Makes the names of labels, parameters and environments real, so that rules can miss them. */
s.before(async () => {
  await newAgent(s.tenant, { labels: { team: 'payments' } });
  const closed = { type: 'object', properties: { country: { type: 'string' } }, additionalProperties: false };
  const tool = await send('POST', '/v1/tools', {
    name: 'refund.create',
    environment_id: s.tenant.environment_id,
    required_capability: 'payments.refund',
    kind: 'SDK',
    risk_rating: 'LOW',
    parameters_schema: closed,
  });
  assert.equal(tool.status, 201, tool.text);
});

let made = 0;
const save = async (rule: object, test: object): Promise<TestResponse['json']> => {
  made += 1;
  const rules = [{ id: 'r', reason: 'r', ...rule }];
  const saved = await send('POST', '/v1/policies', { name: `Inert ${made}`, rules, tests: [{ name: 't', ...test }] });
  assert.equal(saved.status, 201, saved.text);
  return saved.json;
};
const activate = (policy: TestResponse['json'], more: object = {}): Promise<TestResponse> =>
  send('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'test', ...more });

const somebody = {
  rule: { effect: 'BLOCK', when: { field: 'principal.id', op: 'eq', value: 'somebody@example.com' } },
  test: { given: { principal: { id: 'somebody@example.com' } }, then: { effect: 'BLOCK', rule: 'r' } },
};
const asks = (approval: object) => ({
  rule: { effect: 'REQUIRE_APPROVAL', approval },
  test: { given: {}, then: { effect: 'REQUIRE_APPROVAL' } },
});

const blocks = (field: string, op: string, value: unknown, then: object = { effect: 'BLOCK', rule: null }) => ({
  rule: {
    effect: 'BLOCK',
    when: {
      all: [
        { field: 'tool.name', op: 'eq', value: 'refund.create' },
        { field, op, value },
      ],
    },
  },
  test: { given: {}, then },
});

for (const [what, { rule, test: one }, pointers] of [
  ['an address of mail where ids are', somebody, { no_such_value: ['/rules/0/when/value', '/tests/0/given/principal/id'] }],
  ['a role that is none', asks({ approver_role: 'finance' }), { no_such_role: ['/rules/0/approval/approver_role'] }],
  [
    'the id of a role without members',
    asks({ approver_role: 'rol_01M80DGVF7R5AWT0NXV8W5Y3BY' }),
    { no_such_role: ['/rules/0/approval/approver_role'] },
  ],
  ['a wildcard that is compared as it stands', blocks('capability', 'eq', 'mail.*'), { no_such_value: ['/rules/0/when/all/1/value'] }],
  ['a placeholder', blocks('parameters.country', 'in', ['DE', '{{country}}']), { no_such_value: ['/rules/0/when/all/1/value/1'] }],
  ['a depth that no chain has', blocks('delegation.depth', 'gt', 99), { no_such_value: ['/rules/0/when/all/1/value'] }],
  ['a parameter that the tool does not have', blocks('parameters.land', 'eq', 'DE'), { unknown_parameter: ['/rules/0/when/all/1'] }],
  ['a label that no agent has', blocks('agent.labels.squad', 'eq', 'payments'), { no_such_label: ['/rules/0/when/all/1/field'] }],
  ['a value of a label that no agent has', blocks('agent.labels.team', 'eq', 'paymnts'), { no_such_label: ['/rules/0/when/all/1/value'] }],
  ['conditions that contradict each other', blocks('tool.name', 'eq', 'other'), { never_matches: ['/rules/0/when'] }],
  ['three people where there is one', asks({ quorum: 3 }), { quorum_too_large: ['/rules/0/approval/quorum'] }],
] as const) {
  test(`${what} is reported when it is saved, and activated only if that is accepted, which the event records`, async () => {
    const policy = await save(rule, one);
    const warnings = policy.warnings as { kind: string; rule_id: string; pointer: string }[];
    const [kind, places] = Object.entries(pointers)[0] as [string, readonly string[]];
    const told = warnings.filter((each) => each.kind === kind);
    assert.deepEqual(
      told.map(({ rule_id, pointer }) => [rule_id, pointer]),
      places.map((pointer) => ['r', pointer]),
    );
    for (const more of [{}, { accept_warnings: false }]) {
      const refused = await activate(policy, more);
      assert.deepEqual([refused.status, refused.json.error.code], [400, 'INVALID_POLICY'], refused.text);
      assert.deepEqual(
        refused.json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer),
        places,
      );
    }
    const accepted = await activate(policy, { accept_warnings: true });
    assert.equal(accepted.json.status, 'ACTIVE', accepted.text);
    const binding = { scope: 'ENVIRONMENT', id: s.tenant.environment_id, reason: 'more' };
    assert.equal((await send('POST', `/v1/policies/${policy.id}/bindings`, binding)).json.error.code, 'INVALID_POLICY');
    assert.equal((await send('POST', `/v1/policies/${policy.id}/bindings`, { ...binding, accept_warnings: true })).status, 201);
    const db = await s.planes.database.client();
    const { rows } = await db.query(
      "select data::jsonb - 'record_digests' as data from audit_events where type = 'policy.activated' and subject_id = $1",
      [policy.id],
    );
    await db.end();
    assert.deepEqual(
      rows[0]?.data.accepted_warnings.map(({ pointer }: { pointer: string }) => pointer),
      places,
    );
  });
}

test('a rollback to an ineffective version is refused too, and an effective one needs no acceptance', async () => {
  const policy = await save(somebody.rule, somebody.test);
  assert.equal((await activate(policy, { accept_warnings: true })).status, 200);
  const fine = await send('PATCH', `/v1/policies/${policy.id}`, {
    rules: [{ id: 'r', reason: 'r', effect: 'BLOCK' }],
    tests: [{ name: 't', given: {}, then: { effect: 'BLOCK' } }],
  });
  assert.deepEqual(fine.json.warnings, []);
  const active = await activate(fine.json);
  assert.equal(active.status, 200, active.text);
  const back = { target_version_number: 1, reason: 'back' };
  assert.equal((await send('POST', `/v1/policies/${policy.id}/rollback`, back)).json.error.code, 'INVALID_POLICY');
  assert.equal((await send('POST', `/v1/policies/${policy.id}/rollback`, { ...back, accept_warnings: true })).status, 200);
});

test('people who could approve are counted at the activation', async () => {
  const policy = await save(asks({ approver_role: 'security', quorum: 2 }).rule, asks({}).test);
  assert.equal((await activate(policy)).json.error.code, 'INVALID_POLICY');
  const db = await s.planes.database.client();
  await db.query("insert into users (id, email, name, password_hash) values ('usr_second', 'second@example.com', 'Second', 'x')");
  await db.query("insert into members (organization_id, id, user_id, role_id) values ($1, 'mem_second', 'usr_second', $2)", [
    s.tenant.organization_id,
    getBuiltInRole('security').id,
  ]);
  await db.end();
  const active = await activate(policy);
  assert.equal(active.json.status, 'ACTIVE', active.text);
});

test('an existing label and parameter need no acceptance', async () => {
  for (const { rule, test: one } of [blocks('agent.labels.team', 'in', ['payments']), blocks('parameters.country', 'eq', 'XX')]) {
    const active = await activate(await save(rule, one));
    assert.equal(active.status, 200, active.text);
  }
});

test('a limit per root principal warns while an environment lets agents act without a delegation, and can be activated', async () => {
  const limit = { window_seconds: 3600, max_calls: 5, per: 'root_principal' };
  const limited = (when?: object) =>
    save({ effect: 'LIMIT', limit, ...(when && { when }) }, { given: {}, then: { effect: 'BLOCK', rule: null } });
  const shared = (policy: TestResponse['json']): string[] =>
    policy.warnings.flatMap(({ kind, pointer }: { kind: string; pointer: string }) => (kind === 'undelegated_limit' ? [pointer] : []));
  const policy = await limited();
  assert.deepEqual(shared(policy), ['/rules/0/limit/per']);
  assert.deepEqual(shared(await limited({ field: 'delegation.root_principal', op: 'exists' })), []);
  const active = await activate(policy);
  assert.equal(active.status, 200, active.text);
  const set = (requires_delegation: boolean) =>
    send('PATCH', `/v1/environments/${s.tenant.environment_id}`, { requires_delegation, reason: 'test' });
  const required = await set(true);
  assert.equal(required.status, 200, required.text);
  assert.deepEqual(shared(await limited()), []);
  await set(false);
});

test('invisible and bidirectional characters in a policy are refused with their pointers', async () => {
  const body = { name: 'Unseen', rules: [{ id: 'r', effect: 'BLOCK', reason: 'Only \u202efdp.exe', description: 'a\u200bb' }] };
  const refused = await send('POST', '/v1/policies', body);
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'INVALID_POLICY'], refused.text);
  const pointers = refused.json.error.details.faults.map(({ pointer }: { pointer: string }) => pointer);
  assert.deepEqual(pointers.toSorted(), ['/rules/0/description', '/rules/0/reason']);
  const described = await send('POST', '/v1/policies', {
    ...body,
    rules: [{ id: 'r', effect: 'BLOCK', reason: 'r' }],
    description: 'a\u2066b',
  });
  assert.deepEqual([described.status, described.json.error.details.faults[0].pointer], [400, '/description'], described.text);
});
