import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ tenantPerTest: true, steppedUp: true });
const { send } = s;
beforeEach(async () => {
  await activated('Fine', [{ id: 'all', effect: 'ALLOW', reason: 'r' }]);
});

const ok = async (answer: Promise<TestResponse>): Promise<TestResponse['json']> => {
  const { status, text, json } = await answer;
  assert.ok(status < 300, text);
  return json;
};
const DROP = { field: 'parameters.sql', op: 'matches', value: '(?i)drop' };
const STOP = { id: 'stop', effect: 'BLOCK', reason: 'r', when: DROP };
const NARROW = { ...STOP, when: { ...DROP, value: '^drop$' } };
const tests = [{ name: 't', given: { 'parameters.sql': 'drop' }, then: { effect: 'BLOCK' } }];
const activated = async (name: string, rules: object[], more: object = {}) => {
  const one = rules.some((rule) => 'when' in rule) ? tests : [{ name: 't', given: {}, then: { effect: 'ALLOW' } }];
  const policy = await ok(send('POST', '/v1/policies', { name, rules, tests: one, ...more }));
  return ok(send('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'r' }));
};
const kinds = ({ warnings }: { warnings: { kind: string; rule_id: string }[] }) =>
  warnings.map(({ kind, rule_id }) => `${kind} ${rule_id}`);
const readEvents = async (id: string, type: string) =>
  (
    await s.owner.query("select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = $2 order by id", [
      id,
      type,
    ])
  ).rows.map(({ data }) => data);
const assertRefused = (answer: TestResponse) => {
  assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_POLICY'], answer.text);
  const { warnings, analysis } = answer.json.error.details;
  assert.deepEqual(kinds({ warnings }), ['newly_permits stop']);
  assert.deepEqual(analysis, { complete: true, note: null });
  assert.match(warnings[0].example.parameters.sql, /drop/i);
};

test('saving a version without a block by a pattern warns of what it permits', async () => {
  const policy = await activated('Saved', [STOP]);
  const saved = await ok(send('PATCH', `/v1/policies/${policy.id}`, { rules: [NARROW] }));
  assert.deepEqual([kinds(saved), saved.analysis], [['newly_permits stop'], { complete: true, note: null }]);
});

test('suspending a policy that blocks needs the openings to be accepted, and the event records them', async () => {
  const policy = await activated('Suspended', [STOP]);
  const path = `/v1/policies/${policy.id}/suspend`;
  assertRefused(await send('POST', path, { reason: 'r' }));
  const dry = await ok(send('POST', path, { reason: 'r', dry_run: true }));
  assert.deepEqual([dry.status, kinds(dry)], ['SUSPENDED', ['newly_permits stop']]);
  assert.equal((await ok(send('GET', `/v1/policies/${policy.id}`))).status, 'ACTIVE');
  assert.deepEqual(await readEvents(policy.id, 'policy.suspended'), []);
  const suspended = await ok(send('POST', path, { reason: 'r', accept_warnings: true }));
  assert.deepEqual([suspended.status, kinds(suspended)], ['SUSPENDED', ['newly_permits stop']]);
  const [event] = await readEvents(policy.id, 'policy.suspended');
  assert.deepEqual(kinds({ warnings: event.accepted_warnings }), ['newly_permits stop']);
});

test('suspending a policy that only allows needs no acceptance', async () => {
  const policy = await activated('Allows', [{ id: 'all', effect: 'ALLOW', reason: 'r' }]);
  const suspended = await ok(send('POST', `/v1/policies/${policy.id}/suspend`, { reason: 'r' }));
  assert.deepEqual([suspended.status, suspended.warnings, suspended.analysis.complete], ['SUSPENDED', [], true]);
});

test('suspending a policy needs no acceptance where another one blocks the same', async () => {
  const other = await activated('Same', [STOP]);
  const policy = await activated('Twice', [STOP]);
  const suspended = await ok(send('POST', `/v1/policies/${policy.id}/suspend`, { reason: 'r' }));
  assert.deepEqual(suspended.warnings, []);
  await ok(send('POST', `/v1/policies/${other.id}/suspend`, { reason: 'r', accept_warnings: true }));
});

test('releasing a binding needs the openings of that scope to be accepted', async () => {
  const policy = await activated('Bound', [STOP]);
  const bound = await ok(
    send('POST', `/v1/policies/${policy.id}/bindings`, { scope: 'ENVIRONMENT', id: s.tenant.environment_id, reason: 'r' }),
  );
  const [everywhere, here] = ['ORGANIZATION', 'ENVIRONMENT'].map((scope) =>
    bound.bindings.find((one: { scope: string }) => one.scope === scope),
  );
  const path = (id: string) => `/v1/policies/${policy.id}/bindings/${id}`;
  assert.deepEqual((await ok(send('DELETE', path(here.id)))).warnings, []);
  assertRefused(await send('DELETE', path(everywhere.id)));
  const dry = await ok(send('DELETE', `${path(everywhere.id)}?dry_run=true`));
  assert.deepEqual([dry.bindings, kinds(dry)], [[], ['newly_permits stop']]);
  assert.equal((await ok(send('GET', `/v1/policies/${policy.id}`))).bindings.length, 1);
  assert.deepEqual(kinds(await ok(send('DELETE', `${path(everywhere.id)}?accept_warnings=true`))), ['newly_permits stop']);
});

test('a rollback to a version that permits more requires accepting the openings', async () => {
  const policy = await activated('Rolled back', [NARROW]);
  const path = `/v1/policies/${policy.id}`;
  const strict = await ok(send('PATCH', path, { rules: [STOP] }));
  await ok(send('POST', `${path}/activate`, { version_id: strict.versions[0].version_id, reason: 'r' }));
  const back = { target_version_number: 1, reason: 'r' };
  assertRefused(await send('POST', `${path}/rollback`, back));
  const dry = await ok(send('POST', `${path}/rollback`, { ...back, dry_run: true }));
  assert.deepEqual([dry.active_version.version_number, kinds(dry)], [3, ['newly_permits stop']]);
  assert.equal((await ok(send('GET', path))).active_version.version_number, 2);
  assert.equal((await ok(send('POST', `${path}/rollback`, { ...back, accept_warnings: true }))).active_version.version_number, 3);
  const forth = await ok(send('POST', `${path}/rollback`, { target_version_number: 2, reason: 'r' }));
  assert.deepEqual([forth.active_version.version_number, forth.warnings], [4, []]);
});

test('deleting a policy permits nothing, since it was not active', async () => {
  const policy = await activated('Deleted', [STOP]);
  assert.equal((await send('DELETE', `/v1/policies/${policy.id}`)).json.error.code, 'INVALID_STATE_TRANSITION');
  await ok(send('POST', `/v1/policies/${policy.id}/suspend`, { reason: 'r', accept_warnings: true }));
  await ok(send('DELETE', `/v1/policies/${policy.id}`));
});
