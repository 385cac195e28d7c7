import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { Answer } from '@svc/testing/people/client.ts';
import { scene } from '@svc/testing/scene/scene.ts';

const s = scene({ steppedUp: true });
const { send } = s;

let made = 0;
const save = async (rule: object, test: object): Promise<Answer['json']> => {
  made += 1;
  const rules = [{ id: 'r', reason: 'r', ...rule }];
  const saved = await send('POST', '/v1/policies', { name: `Inert ${made}`, rules, tests: [{ name: 't', ...test }] });
  assert.equal(saved.status, 201, saved.text);
  return saved.json;
};
const activate = (policy: Answer['json'], more: object = {}): Promise<Answer> =>
  send('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'test', ...more });

const somebody = {
  rule: { effect: 'BLOCK', when: { field: 'principal.id', op: 'eq', value: 'somebody@example.com' } },
  test: { given: { principal: { id: 'somebody@example.com' } }, then: { effect: 'BLOCK', rule: 'r' } },
};
const asks = (approval: object) => ({
  rule: { effect: 'REQUIRE_APPROVAL', approval },
  test: { given: {}, then: { effect: 'REQUIRE_APPROVAL' } },
});

for (const [what, { rule, test: one }, pointers] of [
  ['an address of mail where ids are', somebody, { no_such_value: ['/rules/0/when/value', '/tests/0/given/principal/id'] }],
  ['a role that is none', asks({ approver_role: 'finance' }), { no_such_role: ['/rules/0/approval/approver_role'] }],
  [
    'the id of a role that nobody holds',
    asks({ approver_role: 'rol_01M80DGVF7R5AWT0NXV8W5Y3BY' }),
    { no_such_role: ['/rules/0/approval/approver_role'] },
  ],
  ['three people where there is one', asks({ quorum: 3 }), { quorum_too_large: ['/rules/0/approval/quorum'] }],
] as const) {
  test(`${what} is told when it is saved, and comes into force only where that is accepted, which the record tells`, async () => {
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

test('a rollback to what does nothing is refused too, and what does something asks nobody', async () => {
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

test('people who could approve are counted when the version comes into force', async () => {
  const policy = await save(asks({ approver_role: 'security', quorum: 2 }).rule, asks({}).test);
  assert.equal((await activate(policy)).json.error.code, 'INVALID_POLICY');
  const db = await s.planes.database.client();
  await db.query("insert into users (id, email, name, password_hash) values ('usr_second', 'second@example.com', 'Second', 'x')");
  await db.query("insert into members (organization_id, id, user_id, role_id) values ($1, 'mem_second', 'usr_second', $2)", [
    s.tenant.organization_id,
    builtInRole('security').id,
  ]);
  await db.end();
  const active = await activate(policy);
  assert.equal(active.json.status, 'ACTIVE', active.text);
});
