import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildId } from '@svc/contract/tables/ids.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ tenantPerTest: true });
const reason = 'test';
const updateRiskSettings = (body: object, token?: string) =>
  s.send('PUT', `/v1/environments/${s.tenant.environment_id}/risk-settings`, { reason, ...body }, token);
const getRiskSettings = async () => (await s.send('GET', `/v1/environments/${s.tenant.environment_id}/risk-settings`)).json;
const newKey = async (): Promise<string> => {
  const body = { name: 'Key', role_id: getBuiltInRole('admin').id };
  return (await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({ body })).token;
};

test('an environment has defaults by its type until a person chooses', async () => {
  const settings = await getRiskSettings();
  assert.deepEqual([settings.updated_at, settings.signals, settings.internal_destinations], [null, {}, []]);
  assert.ok(settings.thresholds.high > settings.thresholds.elevated);
});

test('only a person after a step-up can loosen, and each change is an event with what it loosened', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  const key = await newKey();
  const tightened = await updateRiskSettings({ signals: { new_destination: 60 }, internal_destinations: [] }, key);
  assert.equal(tightened.status, 200, tightened.text);
  for (const looser of [
    { signals: { new_destination: 59 } },
    { signals: { new_destination: 60 }, thresholds: { elevated: 90, high: 95 } },
    { signals: { new_destination: 60 }, internal_destinations: ['*.example.com'] },
    { signals: { new_destination: 60 }, known_networks: ['10.0.0.0/8'] },
    { signals: { new_destination: 60 }, processors: [{ host: 'translate.example', labels: ['personal_data'] }] },
  ]) {
    const refused = await updateRiskSettings(looser, key);
    assert.equal(refused.json.error?.code, 'STEP_UP_REQUIRED', `${JSON.stringify(looser)} ${refused.text}`);
  }
  assert.equal((await updateRiskSettings({ internal_destinations: ['*.example.com'] })).status, 200);
  const events = (await s.eventsOf(s.tenant.environment_id)).filter(({ type }) => type === 'risk.configuration_updated');
  assert.deepEqual(
    events.map(({ severity, data }) => [severity, data.loosened]),
    [
      ['warning', []],
      ['critical', ['signals', 'internal_destinations']],
    ],
  );
  assert.deepEqual((await getRiskSettings()).internal_destinations, ['*.example.com']);
});

test('the audit event shows the points of a signal whose name contains the word secret', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  assert.equal((await updateRiskSettings({ signals: { secret_in_parameters: 33 } })).status, 200);
  const events = (await s.eventsOf(s.tenant.environment_id)).filter(({ type }) => type === 'risk.configuration_updated');
  assert.deepEqual(events.at(-1)?.data.after.signals.secret_in_parameters, 33);
});

test('updateRiskSettings with expected_version changes nothing that someone else changed since', async () => {
  assert.equal((await getRiskSettings()).version, 0);
  assert.equal((await updateRiskSettings({ signals: { new_destination: 60 }, expected_version: 0 })).json.version, 1);
  const stale = await updateRiskSettings({ signals: { new_destination: 61 }, expected_version: 0 });
  assert.equal(stale.json.error?.code, 'VERSION_CONFLICT', stale.text);
  assert.deepEqual(stale.json.error.details, { expected_version: 0, version: 1 });
  const both = await Promise.all(
    [62, 63].map((points) => updateRiskSettings({ signals: { new_destination: points }, expected_version: 1 })),
  );
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
  const { version, signals } = await getRiskSettings();
  assert.equal(version, 2);
  assert.ok([62, 63].includes(signals.new_destination));
  assert.equal((await updateRiskSettings({ signals: { new_destination: 64 } })).json.version, 3, 'without it, the last change holds');
});

test('settings without effect are refused with a pointer', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  for (const [body, pointer] of [
    [{ thresholds: { elevated: 70, high: 70 } }, '/thresholds/high'],
    [{ known_networks: ['10.0.0.1/8'] }, '/known_networks/0'],
    [{ internal_destinations: ['https://example.com'] }, '/internal_destinations/0'],
    [{ processors: [{ host: 'a.example', labels: ['secret'] }] }, '/processors/0/labels/0'],
    [{ hours: { from: 9, to: 9, weekdays_only: false } }, '/hours/to'],
    [{ signals: { no_such_signal: 1 } }, '/signals/no_such_signal'],
    [{ signals: { new_destination: 101 } }, '/signals/new_destination'],
  ] as const) {
    const answer = await updateRiskSettings(body);
    assert.equal(answer.json.error?.code, 'VALIDATION_FAILED', `${JSON.stringify(body)} ${answer.text}`);
    assert.ok(answer.text.includes(pointer), answer.text);
  }
});

test('listRiskSignals returns the points of an environment', async () => {
  await updateRiskSettings({ signals: { unusual_amount: 50 } });
  const { environment_id } = s.tenant;
  const { json: listed } = await s.send('GET', `/v1/risk-signals?environment_id=${environment_id}`);
  const amount = listed.find(({ name }: { name: string }) => name === 'unusual_amount');
  assert.deepEqual([listed.length, amount?.points, amount?.higher_points, amount?.default_points], [16, 50, 80, 25]);
  const other = await s.send('GET', '/v1/risk-signals?environment_id=env_01J8Z3V7Q2N4M6K8P0R2T4W6Y8');
  assert.equal(other.status, 404);
});

test('countRiskScores counts decisions of the last 24 hours in this environment by score', async () => {
  const path = `/v1/environments/${s.tenant.environment_id}/risk-settings/scores`;
  const client = await s.planes.database.client();
  try {
    const explained = (score: number) => ({ explanation: JSON.stringify({ risk: { score, signals: [] } }) });
    for (const score of [75, 40, 40]) await insertAction(client, s.tenant, explained(score));
    await insertAction(client, s.tenant);
    const long = new Date(Date.now() - 2 * 86_400_000);
    await insertAction(client, s.tenant, { ...explained(90), id: buildId('action', newUlid(long.getTime())), created_at: long });
  } finally {
    await client.end();
  }
  const { json } = await s.send('GET', path);
  assert.deepEqual([json.decisions, json.counted_all], [4, true]);
  assert.deepEqual(json.scores, [
    { score: 75, decisions: 1 },
    { score: 40, decisions: 2 },
  ]);
  assert.equal((await s.send('GET', '/v1/environments/env_01J8Z3V7Q2N4M6K8P0R2T4W6Y8/risk-settings/scores')).status, 404);
});
