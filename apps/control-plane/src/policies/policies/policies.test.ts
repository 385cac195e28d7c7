import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });
const { send } = s;

const rule = (id: string, effect: Effect, more: object = {}) => ({ id, effect, reason: `Because of ${id}.`, ...more });
const large = rule('large', 'BLOCK', { when: { field: 'amount', op: 'gt', value: 1000 } });
const expects = (name: string, given: object, effect: Effect, ruleId?: string) => ({
  name,
  given,
  then: { effect, ...(ruleId ? { rule: ruleId } : {}) },
});
const rules = [rule('base', 'ALLOW'), large];
const tests = [expects('small passes', { amount: 1 }, 'ALLOW'), expects('large stops', { amount: 2000 }, 'BLOCK', 'large')];

let made = 0;
const draft = (more: object = {}) => {
  made += 1;
  return { name: `Policy ${made}`, rules, tests, ...more };
};
const create = async (more: object = {}) =>
  mustCall(s.planes.controlUrl, 'POST', '/v1/policies', { token: s.tenant.token, body: draft(more) });
const activate = (policy: { id: string }, versionId: string) =>
  send('POST', `/v1/policies/${policy.id}/activate`, { version_id: versionId, reason: 'reviewed' });
const activated = async (more: object = {}) => {
  const policy = await create(more);
  const answer = await activate(policy, policy.versions[0].version_id);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const listEvents = (subject: string) => s.eventsOf(subject, 'type', 'actor_id', 'workspace_id', 'data');
const epoch = async () =>
  Number((await s.owner.query('select epoch from environment_epochs where environment_id = $1', [s.tenant.environment_id])).rows[0].epoch);
const faultPointers = (answer: TestResponse) => answer.json.error.details.faults.map((fault: { pointer: string }) => fault.pointer);

test('createPolicy creates a draft, bound to the organization by default, and activates nothing', async () => {
  const answer = await send('POST', '/v1/policies', draft({ description: 'What for.' }));
  assert.equal(answer.status, 201, answer.text);
  const policy = answer.json;
  assert.deepEqual(
    policy.bindings.map(({ scope, target_id }: Record<string, string>) => [scope, target_id]),
    [['ORGANIZATION', s.tenant.organization_id]],
  );
  const [version] = policy.versions;
  assert.deepEqual([policy.active_version, version.version_number, version.status], [null, 1, 'DRAFT']);
  assert.deepEqual([version.rules, version.tests, version.created_by], [rules, tests, s.tenant.user.id]);
  assert.deepEqual(
    (await listEvents(policy.id)).map((event) => event.type),
    ['policy.created', 'policy.bound'],
  );
  const { warnings, analysis, untested_rules, ...kept } = policy;
  assert.deepEqual([warnings.length, analysis, untested_rules], [0, { complete: true, note: null }, []]);
  assert.deepEqual((await send('GET', `/v1/policies/${policy.id}`)).json, kept);
});

test('a response holds a bounded number of versions', async () => {
  const policy = await activated();
  await s.owner.query(
    `insert into policy_versions (organization_id, id, policy_id, version_number, rules, tests, created_by)
     select organization_id, 'pvr_' || n, policy_id, n, rules, tests, created_by from policy_versions, generate_series(2, 80) n where policy_id = $1`,
    [policy.id],
  );
  const numbers = (await send('GET', `/v1/policies/${policy.id}`)).json.versions.map(
    (version: { version_number: number }) => version.version_number,
  );
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-2), numbers.at(-1)], [51, 80, 31, 1]);
});

test('createPolicy reports every fault of the rules with its pointer and stores nothing', async () => {
  const count = async () => (await s.owner.query('select count(*)::int as n from policies')).rows[0].n;
  const earlier = await count();
  const answer = await send(
    'POST',
    '/v1/policies',
    draft({ rules: [{ ...large, when: { field: 'amonut', op: 'gt', value: 1 } }, { id: 'x' }] }),
  );
  assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_POLICY']);
  assert.ok(faultPointers(answer).includes('/rules/0/when/field'), answer.text);
  assert.ok(
    faultPointers(answer).some((pointer: string) => pointer.startsWith('/rules/1')),
    answer.text,
  );
  assert.equal(await count(), earlier);
});

test('a policy binds only to objects of the tenant', async () => {
  const stranger = await newTenant(s.planes);
  const agent = await newAgent(s.tenant);
  const bind = (scope: string, id: string) => send('POST', '/v1/policies', draft({ binding: { scope, id } }));
  for (const [scope, own, foreign] of [
    ['ORGANIZATION', s.tenant.organization_id, stranger.organization_id],
    ['WORKSPACE', s.tenant.workspace_id, stranger.workspace_id],
    ['ENVIRONMENT', s.tenant.environment_id, stranger.environment_id],
    ['AGENT', agent.id, (await newAgent(stranger)).id],
  ] as const) {
    const mine = await bind(scope, own);
    assert.deepEqual([mine.status, mine.json.bindings?.[0]?.target_id], [201, own], scope);
    assert.deepEqual((await bind(scope, foreign)).json.error.code, 'NOT_FOUND', scope);
    assert.deepEqual((await bind(scope, `${own.slice(0, -1)}!`)).json.error.code, 'NOT_FOUND', scope);
  }
  const [, bound] = await listEvents((await bind('ENVIRONMENT', s.tenant.environment_id)).json.id);
  assert.equal(bound?.workspace_id, s.tenant.workspace_id);
});

test('getPolicy and listPolicyVersions find nothing of another tenant', async () => {
  const policy = await create();
  const stranger = await newTenant(s.planes);
  for (const path of [`/v1/policies/${policy.id}`, `/v1/policies/${policy.id}/versions`, `/v1/policies/${policy.id}/diff?from=1&to=1`]) {
    assert.equal((await send('GET', path)).status, 200, path);
    assert.equal((await send('GET', path, undefined, stranger.token)).json.error.code, 'NOT_FOUND', path);
  }
  assert.deepEqual((await send('GET', '/v1/policies', undefined, stranger.token)).json, []);
});

test('two policies never have the same name', async () => {
  const { name } = await create();
  assert.equal((await send('POST', '/v1/policies', draft({ name }))).json.error.code, 'ALREADY_EXISTS');
  const other = await create();
  assert.equal((await send('PATCH', `/v1/policies/${other.id}`, { name })).json.error.code, 'ALREADY_EXISTS');
  assert.equal((await send('GET', `/v1/policies/${other.id}`)).json.versions.length, 1);
});

test('updatePolicy saves a draft on the newest version and keeps the active one', async () => {
  const policy = await activated();
  const before = await epoch();
  const answer = await send('PATCH', `/v1/policies/${policy.id}`, { rules: [large], description: 'Narrower.' });
  assert.equal(answer.status, 200, answer.text);
  const [newest, first] = answer.json.versions;
  assert.deepEqual([newest.version_number, newest.status, newest.rules, newest.tests], [2, 'DRAFT', [large], tests]);
  assert.deepEqual([first.status, answer.json.description, answer.json.name], ['ACTIVE', 'Narrower.', policy.name]);
  assert.deepEqual(answer.json.active_version, { version_id: first.version_id, version_number: 1 });
  assert.equal(await epoch(), before);
  const events = await listEvents(policy.id);
  assert.deepEqual(events.at(-1)?.data.after.description, 'Narrower.');
  assert.equal((await send('PATCH', `/v1/policies/${policy.id}`, {})).json.error.code, 'VALIDATION_FAILED');
});

test('concurrently saved drafts get consecutive numbers', async () => {
  const policy = await create();
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => send('PATCH', `/v1/policies/${policy.id}`, { description: `${index}` })),
  );
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  const { json } = await send('GET', `/v1/policies/${policy.id}/versions`);
  assert.deepEqual(
    json.map((version: { version_number: number }) => version.version_number),
    Array.from({ length: 17 }, (_, index) => 17 - index),
  );
});

test('activatePolicy activates a draft, supersedes the previous one and increments the epoch of its bindings', async () => {
  const policy = await activated();
  const { versions } = (await send('PATCH', `/v1/policies/${policy.id}`, { rules: [large, rules[0]] })).json;
  const before = await epoch();
  const answer = await activate(policy, versions[0].version_id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    answer.json.versions.map((version: { status: string }) => version.status),
    ['ACTIVE', 'SUPERSEDED'],
  );
  assert.deepEqual(answer.json.active_version, { version_id: versions[0].version_id, version_number: 2 });
  assert.ok((await epoch()) > before);
  const event = (await listEvents(policy.id)).at(-1);
  assert.deepEqual(
    [event?.type, event?.data.reason, event?.data.before, event?.data.after.active_version_number],
    ['policy.activated', 'reviewed', { active_version_number: 1 }, 2],
  );
});

test('activatePolicy runs the recorded tests at that moment, and refuses if there are none or one fails', async () => {
  const untested = await create({ tests: [] });
  const none = await activate(untested, untested.versions[0].version_id);
  assert.deepEqual([none.status, none.json.error.code, faultPointers(none)], [400, 'INVALID_POLICY', ['/tests']]);
  assert.deepEqual(none.json.error.details.failing_cases, []);
  const wrong = await create({ tests: [...tests, expects('wrong', { amount: 5 }, 'BLOCK', 'large')] });
  const failing = await activate(wrong, wrong.versions[0].version_id);
  assert.deepEqual([failing.status, failing.json.error.code, faultPointers(failing)], [400, 'INVALID_POLICY', ['/tests/2']]);
  assert.deepEqual(
    failing.json.error.details.failing_cases.map(({ index, name }: { index: number; name: string }) => [index, name]),
    [[2, 'wrong']],
  );
  assert.match(
    failing.json.error.details.faults[0].message,
    /"wrong" fails.*Expected BLOCK by rule "large", got ALLOW by rule "base", because amount 5 is not more than 1000/,
  );
  assert.equal((await send('GET', `/v1/policies/${wrong.id}`)).json.active_version, null);
  assert.deepEqual(
    (await listEvents(wrong.id)).map((event) => event.type),
    ['policy.created', 'policy.bound'],
  );
});

test('activatePolicy accepts only a draft of this policy', async () => {
  const policy = await activated();
  const other = await create();
  assert.equal((await activate(policy, other.versions[0].version_id)).json.error.code, 'NOT_FOUND');
  const again = await activate(policy, policy.versions[0].version_id);
  assert.deepEqual(
    [again.json.error.code, again.json.error.details],
    ['INVALID_STATE_TRANSITION', { operation: 'activate', from: 'ACTIVE', allowed_from: ['DRAFT'] }],
  );
  const { versions } = (await send('PATCH', `/v1/policies/${policy.id}`, { description: 'two' })).json;
  await activate(policy, versions[0].version_id);
  const old = await activate(policy, policy.versions[0].version_id);
  assert.deepEqual([old.json.error.code, old.json.error.details.from], ['INVALID_STATE_TRANSITION', 'SUPERSEDED']);
});

test('one of several concurrent activations wins for each version, and one version is active at the end', async () => {
  const policy = await create();
  for (const description of ['two', 'three', 'four']) await send('PATCH', `/v1/policies/${policy.id}`, { description });
  const { json: versions } = await send('GET', `/v1/policies/${policy.id}/versions`);
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, index) => activate(policy, versions[index % versions.length].version_id)),
  );
  assert.equal(answers.filter((answer) => answer.status === 200).length, 4);
  assert.ok(answers.every((answer) => answer.status === 200 || answer.json.error.code === 'INVALID_STATE_TRANSITION'));
  const statuses = (await send('GET', `/v1/policies/${policy.id}`)).json.versions.map((version: { status: string }) => version.status);
  assert.deepEqual(statuses.toSorted(), ['ACTIVE', 'SUPERSEDED', 'SUPERSEDED', 'SUPERSEDED']);
});

test('concurrent activations of different policies all succeed, though each increments the epoch of every environment', async () => {
  const other = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, other);
  const post = (path: string, body: object) => mustCall(s.planes.controlUrl, 'POST', path, { token: other.token, body });
  for (let index = 0; index < 30; index += 1) {
    await post('/v1/environments', { workspace_id: other.workspace_id, name: `Environment ${index}`, type: 'STAGING' });
  }
  for (let round = 0; round < 2; round += 1) {
    const policies = await Promise.all(Array.from({ length: 12 }, () => post('/v1/policies', draft())));
    const answers = await Promise.all(
      policies.map((policy) =>
        send('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'all' }, other.token),
      ),
    );
    assert.deepEqual(
      answers.map((answer) => answer.status),
      answers.map(() => 200),
      answers.map((answer) => answer.text.slice(0, 200)).join('\n'),
    );
  }
});

test('rollbackPolicy restores a former version as a new active one', async () => {
  const policy = await activated();
  const { versions } = (await send('PATCH', `/v1/policies/${policy.id}`, { rules: [large, rules[0]] })).json;
  await activate(policy, versions[0].version_id);
  const before = await epoch();
  const answer = await send('POST', `/v1/policies/${policy.id}/rollback`, { target_version_number: 1, reason: 'worse' });
  assert.equal(answer.status, 200, answer.text);
  const [third, second, first] = answer.json.versions;
  assert.deepEqual([third.version_number, third.status, second.status, first.status], [3, 'ACTIVE', 'SUPERSEDED', 'SUPERSEDED']);
  assert.deepEqual([third.rules, third.tests], [first.rules, first.tests]);
  assert.ok((await epoch()) > before);
  const event = (await listEvents(policy.id)).at(-1);
  assert.deepEqual([event?.type, event?.data.reason, event?.data.target_version_number], ['policy.rolled_back', 'worse', 1]);
});

test('rollbackPolicy is refused for a draft, the active version and an unknown number', async () => {
  const policy = await activated();
  await send('PATCH', `/v1/policies/${policy.id}`, { description: 'draft' });
  const to = async (number: number) =>
    (await send('POST', `/v1/policies/${policy.id}/rollback`, { target_version_number: number, reason: 'x' })).json.error.code;
  assert.deepEqual([await to(1), await to(2), await to(3)], ['INVALID_STATE_TRANSITION', 'INVALID_STATE_TRANSITION', 'NOT_FOUND']);
  assert.deepEqual([await to(2_147_483_647), await to(2_147_483_648)], ['NOT_FOUND', 'VALIDATION_FAILED']);
});

test('rollbackPolicy requires the tests of the old content to pass', async () => {
  const policy = await create({ tests: [expects('wrong', { amount: 1 }, 'BLOCK')] });
  for (const status of ['ACTIVE', 'SUPERSEDED']) {
    await s.owner.query('update policy_versions set status = $1 where policy_id = $2', [status, policy.id]);
  }
  const answer = await send('POST', `/v1/policies/${policy.id}/rollback`, { target_version_number: 1, reason: 'x' });
  assert.deepEqual([answer.status, faultPointers(answer)], [400, ['/tests/0']]);
});

test('diffPolicy returns added, removed and changed rules and tests', async () => {
  const policy = await create();
  const edited = { ...large, reason: 'Too large.' };
  await send('PATCH', `/v1/policies/${policy.id}`, { rules: [edited, rule('new', 'ALLOW')], tests: [tests[1]] });
  const answer = await send('GET', `/v1/policies/${policy.id}/diff?from=1&to=2&days=0`);
  assert.deepEqual(answer.json, {
    from: 1,
    to: 2,
    rules: {
      added: [rule('new', 'ALLOW')],
      removed: [rules[0]],
      changed: [{ id: 'large', patch: [{ op: 'replace', path: '/reason', value: 'Too large.' }] }],
    },
    tests: { added: [], removed: [tests[0]], changed: [] },
    replay: null,
    replay_note: 'No days were asked for.',
  });
  const readCode = async (query: string) => (await send('GET', `/v1/policies/${policy.id}/diff${query}`)).json.error.code;
  assert.deepEqual(
    [await readCode('?from=1&to=9'), await readCode('?from=1&to=2147483648'), await readCode('')],
    ['NOT_FOUND', 'VALIDATION_FAILED', 'VALIDATION_FAILED'],
  );
});

/** Counts the rows that can be written in the organization. */
const written = async () =>
  (
    await s.owner.query(
      `select (select count(*) from audit_events where organization_id = $1) as events,
        (select count(*) from actions where organization_id = $1) as actions,
        (select count(*) from policy_versions where organization_id = $1) as versions,
        (select max(updated_at) from policies where organization_id = $1) as updated`,
      [s.tenant.organization_id],
    )
  ).rows[0];

test('runPolicyTests and previewPolicyTests report what passed and what differs, and write nothing', async () => {
  const policy = await create({ tests: [...tests, expects('wrong', { amount: 5 }, 'BLOCK', 'large')] });
  const before = await written();
  const run = (await send('POST', `/v1/policies/${policy.id}/tests/run`)).json;
  assert.deepEqual([run.version_number, run.passed, run.failed], [1, 2, 1]);
  const failed = run.results[2];
  assert.deepEqual([failed.passed, failed.actual], [false, { effect: 'ALLOW', rule: 'base' }]);
  assert.match(failed.difference, /Expected BLOCK by rule "large", got ALLOW by rule "base", because amount 5 is not more than 1000/);
  assert.equal(failed.trace.find((each: { id: string }) => each.id === 'large').conditions[0].outcome, 'false');
  const cases = [expects('a', { amount: 1001 }, 'BLOCK'), expects('b', {}, 'ALLOW', 'base')];
  const preview = (await send('POST', `/v1/policies/${policy.id}/tests/preview`, { cases, version_id: policy.versions[0].version_id }))
    .json;
  assert.deepEqual([preview.passed, preview.failed, preview.results.length], [2, 0, 2]);
  assert.deepEqual(await written(), before);
});

test('previewPolicyTests accepts 1 to 50 cases and reports faults in each with their pointers', async () => {
  const policy = await create();
  const preview = (cases: unknown) => send('POST', `/v1/policies/${policy.id}/tests/preview`, { cases });
  for (const cases of [[], Array.from({ length: 51 }, (_, index) => expects(`${index}`, {}, 'ALLOW'))]) {
    assert.equal((await preview(cases)).json.error.code, 'VALIDATION_FAILED');
  }
  const wrong = await preview([expects('a', {}, 'ALLOW'), 7, expects('c', { amount: 'much' }, 'ALLOW'), expects('d', {}, 'ALLOW', 'nope')]);
  assert.equal(wrong.json.error.code, 'INVALID_POLICY');
  assert.deepEqual(faultPointers(wrong), ['/cases/1', '/cases/2/given/amount', '/cases/3/then/rule']);
  const stranger = await send('POST', `/v1/policies/${policy.id}/tests/preview`, {
    cases: [expects('a', {}, 'ALLOW')],
    version_id: (await create()).versions[0].version_id,
  });
  assert.equal(stranger.json.error.code, 'NOT_FOUND');
});

test('listPolicies shows the newest versions of each policy and the active one; listPolicyVersions shows all', async () => {
  const policy = await activated();
  for (let index = 0; index < 11; index += 1) await send('PATCH', `/v1/policies/${policy.id}`, { description: `${index}` });
  const listed = (await send('GET', '/v1/policies')).json.find((each: { id: string }) => each.id === policy.id);
  assert.deepEqual(
    listed.versions.map((version: { version_number: number }) => version.version_number),
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1],
  );
  assert.equal(listed.active_version.version_number, 1);
  const versions = async (query: string) =>
    (await send('GET', `/v1/policies/${policy.id}/versions${query}`)).json.map(
      (version: { version_number: number }) => version.version_number,
    );
  assert.equal((await versions('')).length, 12);
  assert.deepEqual(await versions('?limit=2&offset=3'), [9, 8]);
  assert.equal((await send('GET', '/v1/policies?limit=1')).json[0].id, policy.id);
});

const ADMIN = 'rol_00000000000000000000000002';
const limitedKey = async (workspaceId: string) =>
  (await send('POST', '/v1/api-keys', { name: `key ${workspaceId}`, role_id: ADMIN, workspace_id: workspaceId })).json.token as string;

test('a caller limited to a workspace sees what applies there, and binds and changes only inside it', async () => {
  const elsewhere = (await send('POST', '/v1/workspaces', { name: 'Elsewhere' })).json.id;
  const key = await limitedKey(s.tenant.workspace_id);
  const wide = await create();
  const own = await create({ binding: { scope: 'WORKSPACE', id: s.tenant.workspace_id } });
  const inside = await create({ binding: { scope: 'ENVIRONMENT', id: s.tenant.environment_id } });
  const foreign = await create({ binding: { scope: 'WORKSPACE', id: elsewhere } });
  const seen = (await send('GET', '/v1/policies', undefined, key)).json.map((policy: { id: string }) => policy.id);
  assert.deepEqual(
    [wide, own, inside, foreign].map((policy) => seen.includes(policy.id)),
    [true, true, true, false],
  );

  const patch = async (policy: { id: string }) => (await send('PATCH', `/v1/policies/${policy.id}`, { description: 'x' }, key)).json;
  assert.equal((await patch(wide)).error.code, 'PERMISSION_DENIED');
  assert.equal((await patch(foreign)).error.code, 'NOT_FOUND');
  assert.equal((await patch(own)).versions.length, 2);
  assert.equal((await patch(inside)).versions.length, 2);

  const bind = async (binding?: object) => send('POST', '/v1/policies', draft(binding ? { binding } : {}), key);
  for (const binding of [undefined, { scope: 'ORGANIZATION', id: s.tenant.organization_id }]) {
    const answer = await bind(binding);
    assert.deepEqual([answer.json.error.code, faultPointers(answer)], ['VALIDATION_FAILED', ['/binding']]);
  }
  assert.equal((await bind({ scope: 'WORKSPACE', id: elsewhere })).json.error.code, 'NOT_FOUND');
  assert.equal((await bind({ scope: 'WORKSPACE', id: s.tenant.workspace_id })).status, 201);
});

test('a person who narrows the scope by a header cannot activate a policy that reaches beyond it', async () => {
  const headers = { 'x-svc-environment': s.tenant.environment_id };
  const wide = await create();
  const attempt = (policy: { id: string; versions: { version_id: string }[] }) =>
    send(
      'POST',
      `/v1/policies/${policy.id}/activate`,
      { version_id: policy.versions[0]?.version_id, reason: 'x' },
      s.tenant.token,
      headers,
    );
  assert.equal((await attempt(wide)).json.error.code, 'PERMISSION_DENIED');
  assert.equal(
    (await attempt(await create({ binding: { scope: 'WORKSPACE', id: s.tenant.workspace_id } }))).json.error.code,
    'PERMISSION_DENIED',
  );
  assert.equal((await attempt(await create({ binding: { scope: 'ENVIRONMENT', id: s.tenant.environment_id } }))).status, 200);
});

test('the same idempotency key and body create one policy', async () => {
  const body = draft();
  const headers = { 'idempotency-key': `key-${made}` };
  const [one, two] = await Promise.all([
    send('POST', '/v1/policies', body, s.tenant.token, headers),
    send('POST', '/v1/policies', body, s.tenant.token, headers),
  ]);
  assert.deepEqual([one.status, two.status, one.json], [201, 201, two.json]);
});
