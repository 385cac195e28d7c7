import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

let planes: Planes;
let governed: Governed;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const BLOCKS = [{ id: 'stop', effect: 'BLOCK', reason: 'Not here.' }];
const PASSING = [{ name: 'stops', given: {}, then: { effect: 'BLOCK' } }];
let made = 0;
const post = (path: string, body?: unknown) => governed.owner('POST', path, body);
const ok = async (asked: Promise<TestResponse>): Promise<TestResponse['json']> => {
  const answer = await asked;
  assert.ok(answer.status < 300, answer.text);
  return answer.json;
};
const nowhere = async () => {
  const elsewhere = await ok(post('/v1/workspaces', { name: `Workspace ${++made}` }));
  return { scope: 'WORKSPACE', id: elsewhere.id };
};
const create = async (more: object = {}) =>
  ok(post('/v1/policies', { name: `Lifecycle ${++made}`, rules: BLOCKS, tests: PASSING, binding: await nowhere(), ...more }));
const activated = async (more: object = {}) => {
  const policy = await create(more);
  return ok(post(`/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'now' }));
};
const lastEvents = async (id: string, count: number) =>
  (
    await database.query(
      "select type, workspace_id, environment_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id",
      [id],
    )
  ).rows.slice(-count);
const here = () => governed.tenant;
const actsWith = async () => (await governed.act({})).json?.error?.code ?? 'ALLOWED';

describe('bindPolicy and unbindPolicy', () => {
  test('an active policy applies wherever it is bound from that response on, and only while it is bound', async () => {
    const policy = await activated();
    const targets = [
      { scope: 'AGENT', id: governed.agent.id },
      { scope: 'ENVIRONMENT', id: here().environment_id },
      { scope: 'WORKSPACE', id: here().workspace_id },
      { scope: 'ORGANIZATION', id: here().organization_id },
    ];
    for (const target of targets) {
      assert.equal(await actsWith(), 'ALLOWED');
      const bound = await ok(post(`/v1/policies/${policy.id}/bindings`, { ...target, reason: 'test' }));
      const binding = bound.bindings.find((each: { target_id: string }) => each.target_id === target.id);
      assert.equal(binding.scope, target.scope);
      assert.equal(await actsWith(), 'ACTION_BLOCKED', target.scope);
      const freed = await ok(governed.owner('DELETE', `/v1/policies/${policy.id}/bindings/${binding.id}?accept_warnings=true`));
      assert.equal(freed.bindings.length, 1);
      assert.equal(await actsWith(), 'ALLOWED', target.scope);
    }
    const [bound, unbound] = await lastEvents(policy.id, 2);
    assert.deepEqual([bound.type, bound.data.reason, bound.data.after.scope], ['policy.bound', 'test', 'ORGANIZATION']);
    assert.deepEqual([unbound.type, unbound.data.before.target_id], ['policy.unbound', here().organization_id]);
  });

  test('an event of a binding belongs to the bound scope', async () => {
    const policy = await create();
    await ok(post(`/v1/policies/${policy.id}/bindings`, { scope: 'AGENT', id: governed.agent.id, reason: 'x' }));
    const [event] = await lastEvents(policy.id, 1);
    assert.deepEqual([event.workspace_id, event.environment_id], [here().workspace_id, here().environment_id]);
  });

  test('a policy is bound once to one thing, and not to a foreign or unknown one', async () => {
    const policy = await create();
    const stranger = await newTenant(planes);
    const bind = async (scope: string, id: string) => (await post(`/v1/policies/${policy.id}/bindings`, { scope, id, reason: 'x' })).json;
    await bind('ENVIRONMENT', here().environment_id);
    assert.equal((await bind('ENVIRONMENT', here().environment_id)).error.code, 'ALREADY_EXISTS');
    for (const [scope, id] of [
      ['ENVIRONMENT', stranger.environment_id],
      ['ORGANIZATION', stranger.organization_id],
      ['AGENT', (await newAgent(stranger)).id],
      ['AGENT', here().environment_id],
    ] as const)
      assert.equal((await bind(scope, id)).error.code, 'NOT_FOUND', `${scope} ${id}`);
    const foreign = (await create()).bindings[0].id;
    assert.equal((await governed.owner('DELETE', `/v1/policies/${policy.id}/bindings/${foreign}`)).json.error.code, 'NOT_FOUND');
  });

  test('one of several concurrent bindings to the same thing succeeds', async () => {
    const policy = await create();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(`/v1/policies/${policy.id}/bindings`, { scope: 'AGENT', id: governed.agent.id, reason: 'x' })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array.from({ length: 11 }, () => 409)]);
  });

  test('a call limited to part of the organization binds nothing outside it and still sees the policy', async () => {
    const headers = { 'x-svc-environment': here().environment_id };
    const limited = (method: string, path: string, body?: unknown) =>
      call(planes.controlUrl, method, path, { token: here().token, headers, ...(body === undefined ? {} : { body }) });
    const policy = await create({ binding: { scope: 'ENVIRONMENT', id: here().environment_id } });
    const bind = async (scope: string, id: string) =>
      (await limited('POST', `/v1/policies/${policy.id}/bindings`, { scope, id, reason: 'x' })).json;
    assert.equal((await bind('WORKSPACE', here().workspace_id)).error.code, 'VALIDATION_FAILED');
    assert.equal((await bind('AGENT', governed.agent.id)).bindings.length, 2);
    const [first, second] = (await governed.owner('GET', `/v1/policies/${policy.id}`)).json.bindings;
    assert.equal((await limited('DELETE', `/v1/policies/${policy.id}/bindings/${first.id}`)).status, 200);
    assert.equal((await limited('DELETE', `/v1/policies/${policy.id}/bindings/${second.id}`)).json.error.code, 'PERMISSION_DENIED');
    assert.equal((await governed.owner('GET', `/v1/policies/${policy.id}`)).json.bindings.length, 1);
  });
});

describe('suspendPolicy', () => {
  test('a suspended policy decides nothing, is reported as such, and is restored by a rollback', async () => {
    const policy = await activated({ binding: { scope: 'AGENT', id: governed.agent.id } });
    assert.equal(policy.status, 'ACTIVE');
    assert.equal(await actsWith(), 'ACTION_BLOCKED');
    const suspended = await ok(post(`/v1/policies/${policy.id}/suspend`, { reason: 'too strict', accept_warnings: true }));
    assert.deepEqual([suspended.status, suspended.active_version, suspended.versions[0].status], ['SUSPENDED', null, 'SUPERSEDED']);
    assert.equal(await actsWith(), 'ALLOWED');
    const [event] = await lastEvents(policy.id, 1);
    assert.deepEqual([event.type, event.data.reason, event.data.before], ['policy.suspended', 'too strict', { active_version_number: 1 }]);
    const again = await post(`/v1/policies/${policy.id}/suspend`, { reason: 'x', accept_warnings: true });
    assert.deepEqual(
      [again.json.error.code, again.json.error.details],
      ['INVALID_STATE_TRANSITION', { operation: 'suspend', from: 'SUSPENDED', allowed_from: ['ACTIVE'] }],
    );
    const back = await ok(post(`/v1/policies/${policy.id}/rollback`, { target_version_number: 1, reason: 'again' }));
    assert.deepEqual([back.status, back.active_version.version_number], ['ACTIVE', 2]);
    assert.equal(await actsWith(), 'ACTION_BLOCKED');
    await ok(post(`/v1/policies/${policy.id}/suspend`, { reason: 'end', accept_warnings: true }));
  });

  test('a draft that was never active cannot be suspended', async () => {
    const draft = await create();
    const answer = await post(`/v1/policies/${draft.id}/suspend`, { reason: 'x', accept_warnings: true });
    assert.deepEqual([draft.status, answer.json.error.details?.from], ['DRAFT', 'DRAFT']);
  });
});

describe('deletePolicy', () => {
  test('an active policy cannot be deleted; another one is gone with its name free, and cannot be restored', async () => {
    const policy = await activated({ name: 'To be deleted' });
    const refused = await governed.owner('DELETE', `/v1/policies/${policy.id}`);
    assert.deepEqual([refused.json.error.code, refused.json.error.details.from], ['INVALID_STATE_TRANSITION', 'ACTIVE']);
    await ok(post(`/v1/policies/${policy.id}/suspend`, { reason: 'x', accept_warnings: true }));
    const deleted = await ok(governed.owner('DELETE', `/v1/policies/${policy.id}`));
    assert.deepEqual([deleted.id, deleted.name], [policy.id, 'To be deleted']);
    const [event] = await lastEvents(policy.id, 1);
    assert.deepEqual([event.type, event.data.before.name, event.data.before.bindings.length], ['policy.deleted', 'To be deleted', 1]);
    const [version] = policy.versions;
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/versions'],
      ['GET', '/diff?from=1&to=1'],
      ['DELETE', ''],
      ['PATCH', '', { description: 'x' }],
      ['POST', '/activate', { version_id: version.version_id, reason: 'x' }],
      ['POST', '/rollback', { target_version_number: 1, reason: 'x' }],
      ['POST', '/suspend', { reason: 'x' }],
      ['POST', '/bindings', { scope: 'AGENT', id: governed.agent.id, reason: 'x' }],
      ['POST', '/tests/run', {}],
    ] as const) {
      const answer = await governed.owner(method, `/v1/policies/${policy.id}${path}`, body);
      assert.equal(answer.json.error?.code, 'NOT_FOUND', `${method} ${path}: ${answer.text.slice(0, 200)}`);
    }
    const listed = (await governed.owner('GET', '/v1/policies')).json;
    assert.ok(!listed.some((each: { id: string }) => each.id === policy.id));
    assert.equal((await create({ name: 'To be deleted' })).status, 'DRAFT');
  });
});

describe('two concurrent editors', () => {
  const edited = (reason: string) => ({ rules: [{ ...BLOCKS[0], reason }] });

  test('an editor of an outdated version gets who changed what and when, and nothing is lost', async () => {
    const policy = await create();
    const patch = (body: object) => governed.owner('PATCH', `/v1/policies/${policy.id}`, body);
    assert.equal((await patch({ ...edited('first'), expected_version: 1 })).status, 200);
    const late = await patch({ ...edited('second'), expected_version: 1 });
    assert.deepEqual([late.status, late.json.error.code], [409, 'VERSION_CONFLICT']);
    const { expected_version, newest_version, rules } = late.json.error.details;
    assert.deepEqual(
      [expected_version, newest_version.version_number, newest_version.created_by, rules],
      [1, 2, here().user.id, { added: [], removed: [], changed: ['stop'] }],
    );
    assert.equal((await patch({ ...edited('second'), expected_version: 2 })).status, 200);
    const versions = (await governed.owner('GET', `/v1/policies/${policy.id}/versions`)).json;
    assert.deepEqual(
      versions.map((version: { rules: { reason: string }[] }) => version.rules[0]?.reason),
      ['second', 'first', 'Not here.'],
    );
    for (const expected of [1, 9]) assert.equal((await patch({ description: 'x', expected_version: expected })).status, 409);
    assert.equal((await patch({ expected_version: 3 })).json.error.code, 'VALIDATION_FAILED');
  });

  test('one of several concurrent saves on the same version succeeds', async () => {
    const policy = await create();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        governed.owner('PATCH', `/v1/policies/${policy.id}`, { ...edited(`${index}`), expected_version: 1 }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 15 }, () => 409)]);
  });

  test('concurrent rules without a version number never overwrite each other silently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const policy = await create();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => governed.owner('PATCH', `/v1/policies/${policy.id}`, edited(`${index}`))),
      );
      const saved = answers.filter(({ status }) => status === 200);
      assert.ok(saved.length >= 1 && answers.every(({ status, json }) => status === 200 || json.error.code === 'VERSION_CONFLICT'));
      const versions = (await governed.owner('GET', `/v1/policies/${policy.id}/versions`)).json;
      assert.equal(versions.length, saved.length + 1);
    }
  });

  test('an activation that races with edits activates exactly the version that it names', async () => {
    for (let round = 0; round < 5; round += 1) {
      const policy = await create();
      const [version] = policy.versions;
      const [activation] = await Promise.all([
        post(`/v1/policies/${policy.id}/activate`, { version_id: version.version_id, reason: 'race' }),
        ...Array.from({ length: 6 }, (_, index) => governed.owner('PATCH', `/v1/policies/${policy.id}`, edited(`${index}`))),
      ]);
      assert.equal(activation.status, 200, activation.text);
      const after = (await governed.owner('GET', `/v1/policies/${policy.id}`)).json;
      assert.deepEqual(after.active_version, { version_id: version.version_id, version_number: 1 });
      const active = after.versions.filter((each: { status: string }) => each.status === 'ACTIVE');
      assert.deepEqual([active.length, active[0].rules], [1, BLOCKS]);
    }
  });
});

describe('the database', () => {
  const refuses = (sql: string, values: unknown[] = []) => assert.rejects(database.query(sql, values), { code: '23001' }, sql);

  test('prevents changes of versions, drafts included: only their status moves, and only forward', async () => {
    const policy = await activated();
    await ok(governed.owner('PATCH', `/v1/policies/${policy.id}`, { description: 'a draft' }));
    for (const number of [1, 2]) {
      const where = `where policy_id = '${policy.id}' and version_number = ${number}`;
      for (const change of [
        "rules = '[]'",
        "tests = '[]'",
        'version_number = 9',
        "created_by = 'me'",
        "id = 'pvr_x'",
        'created_at = now()',
        "activated_at = '2000-01-01'",
      ]) {
        await refuses(`update policy_versions set ${change} ${where}`);
      }
    }
    const first = `where policy_id = '${policy.id}' and version_number = 1`;
    await refuses(`update policy_versions set status = 'DRAFT' ${first}`);
    await refuses(`update policy_versions set status = 'SUPERSEDED' where policy_id = '${policy.id}' and version_number = 2`);
    await refuses(`delete from policy_versions ${first}`);
    await refuses('truncate policy_versions cascade');
    await database.query(`update policy_versions set status = 'SUPERSEDED' ${first}`);
    await refuses(`update policy_versions set status = 'ACTIVE' ${first}`);
  });

  test('prevents the activation of a deleted policy and the deletion of an active one', async () => {
    const active = await activated();
    await refuses('update policies set deleted_at = now() where id = $1', [active.id]);
    const policy = await create();
    await ok(governed.owner('DELETE', `/v1/policies/${policy.id}`));
    await refuses("update policy_versions set status = 'ACTIVE' where policy_id = $1", [policy.id]);
    await refuses('update policies set deleted_at = null where id = $1', [policy.id]);
    await refuses(
      "insert into policy_bindings (organization_id, id, policy_id, scope, target_id) values ($1, 'bnd_x', $2, 'ORGANIZATION', $1)",
      [here().organization_id, policy.id],
    );
  });
});

test('an activation records that the tests of this version were run, and that it was checked', async () => {
  const policy = await activated();
  const [run, check, activation] = await lastEvents(policy.id, 3);
  const version = { version_id: policy.versions[0].version_id, version_number: 1 };
  assert.deepEqual([run.type, run.data], ['policy.test_run', { ...version, passed: 1, failed: 0 }]);
  assert.deepEqual([check.type, check.data, activation.type], ['policy.validated', { ...version, rules: 1 }, 'policy.activated']);
});
