import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ tenantPerTest: true });
const reason = 'test';
const newBody = (more: object = {}) => ({
  ...{ environment_id: s.tenant.environment_id, name: 'Many refusals', condition: 'REFUSALS', severity: 'HIGH', reason },
  ...more,
});
const create = (more: object = {}, token?: string) => s.send('POST', '/v1/incident-rules', newBody(more), token);

test('createIncidentRule, getIncidentRule, listIncidentRules, updateIncidentRule, deleteIncidentRule: a rule has defaults, is listed by environment, and each change is an event', async () => {
  const { json: rule, status, text } = await create();
  assert.equal(status, 201, text);
  assert.deepEqual(
    [rule.key, rule.count, rule.within_seconds, rule.reopen_minutes, rule.contain, rule.enabled],
    ['AGENT', 1, 300, 30, null, true],
  );
  const listed = await s.send('GET', `/v1/incident-rules?environment_id=${s.tenant.environment_id}`);
  assert.deepEqual(listed.json, [rule]);
  assert.deepEqual((await s.send('GET', `/v1/incident-rules/${rule.id}`)).json, rule);
  await stepUp(s.planes.controlUrl, s.tenant);
  const changed = await s.send('PATCH', `/v1/incident-rules/${rule.id}`, { enabled: false, reason });
  assert.deepEqual([changed.json.enabled, changed.json.name], [false, rule.name], changed.text);
  assert.equal((await s.send('DELETE', `/v1/incident-rules/${rule.id}`, { reason })).status, 200);
  assert.equal((await s.send('GET', `/v1/incident-rules/${rule.id}`)).status, 404);
  const events = (await s.eventsOf(rule.id)).filter(({ type }) => type === 'risk.configuration_updated');
  assert.deepEqual(
    events.map(({ data }) => [data.before.enabled, data.after.enabled]),
    [
      [undefined, true],
      [true, false],
      [false, undefined],
    ],
  );
});

test('refuses a rule without effect, with a pointer', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  for (const [more, pointer] of [
    [{ condition: 'RISK_SCORE' }, '/score'],
    [{ condition: 'REFUSAL_CODE' }, '/code'],
    [{ score: 40 }, '/score'],
    [{ code: 'ACTION_BLOCKED' }, '/code'],
    [{ condition: 'RISK_HIGH', key: 'TOOL' }, '/key'],
    [{ key: 'TOOL', contain: 'PAUSE_AGENT' }, '/contain'],
    [{ condition: 'MCP_SERVER_QUARANTINED', contain: 'PAUSE_AGENT' }, '/contain'],
    [{ count: 101 }, '/count'],
  ] as const) {
    const { json, status } = await create(more);
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, pointer], JSON.stringify(more));
  }
  assert.equal((await create({ environment_id: 'env_01J8Z3V7Q2N4M6K8P0R2T4W6Y8' })).status, 404);
});

test('only a person who stepped up lets a rule pause agents, and changes or deletes a rule', async () => {
  const body = { name: 'Key', role_id: getBuiltInRole('admin').id };
  const { token } = await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({ body });
  const { json: rule, text } = await create({}, token);
  assert.ok(rule.id, text);
  for (const by of [token, undefined]) {
    assert.equal((await create({ contain: 'PAUSE_AGENT' }, by)).json.error.code, 'STEP_UP_REQUIRED');
    const path = `/v1/incident-rules/${rule.id}`;
    assert.equal((await s.send('PATCH', path, { enabled: false, reason }, by)).json.error.code, 'STEP_UP_REQUIRED');
    assert.equal((await s.send('DELETE', path, { reason }, by)).json.error.code, 'STEP_UP_REQUIRED');
  }
  await stepUp(s.planes.controlUrl, s.tenant);
  assert.equal((await create({ contain: 'PAUSE_AGENT' })).json.contain, 'PAUSE_AGENT');
});
