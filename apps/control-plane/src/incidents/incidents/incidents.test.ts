import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ agents: 1, steppedUp: true });
const reason = 'because';
const getCode = ({ status, json }: { status: number; json: { error?: { code?: string } } }): string => json?.error?.code ?? String(status);
const agentId = (): string => s.agents[0]?.id ?? '';
const open = async (more: object = {}): Promise<string> => {
  const { status, json, text } = await s.send('POST', '/v1/incidents', {
    title: 'Unexpected refunds',
    severity: 'HIGH',
    subjects: [{ type: 'agent', id: agentId() }],
    ...more,
  });
  assert.equal(status, 201, text);
  return json.id;
};

test('an incident is opened, contained, resolved, reopened and closed (createIncident, getIncident, updateIncident, previewContainment, containIncident, resolveIncident, reopenIncident, closeIncident, getIncidentReport)', async () => {
  const id = await open();
  const steps = [{ control: 'isolate-agent', target: agentId(), confirm_blast_radius: 1 }];
  const preview = await s.send('POST', `/v1/incidents/${id}/contain/preview`, { steps: [{ control: 'isolate-agent', target: agentId() }] });
  assert.equal(preview.json.steps[0].blast_radius.number, 1, preview.text);
  const contained = await s.send('POST', `/v1/incidents/${id}/contain`, { reason, steps });
  assert.equal(contained.json.steps[0].outcome, 'CHANGED', contained.text);
  assert.deepEqual([contained.json.incident.status, contained.json.incident.is_contained], ['CONTAINED', true]);
  const held = await s.send('POST', `/v1/incidents/${id}/resolve`, { resolution: 'FIXED', summary: 'Rolled back' });
  assert.equal(getCode(held), 'UNPROCESSABLE');
  assert.equal((await s.send('POST', `/v1/agents/${agentId()}/resume`, { reason })).status, 200);
  assert.equal((await s.send('GET', `/v1/incidents/${id}`)).json.is_contained, false);
  const resolved = await s.send('POST', `/v1/incidents/${id}/resolve`, { resolution: 'FIXED', summary: 'Rolled back' });
  assert.equal(resolved.json.status, 'RESOLVED', resolved.text);
  assert.equal(getCode(await s.send('POST', `/v1/incidents/${id}/contain`, { reason })), 'INVALID_STATE_TRANSITION');
  assert.equal((await s.send('POST', `/v1/incidents/${id}/reopen`, { reason })).json.status, 'OPEN');
  await s.send('POST', `/v1/incidents/${id}/resolve`, { resolution: 'ACCEPTED', summary: 'Known' });
  assert.equal((await s.send('POST', `/v1/incidents/${id}/close`)).json.status, 'CLOSED');
  assert.equal(getCode(await s.send('PATCH', `/v1/incidents/${id}`, { title: 'Other' })), 'INVALID_STATE_TRANSITION');
  assert.deepEqual(
    (await s.eventsOf(id, 'type')).map(({ type }) => type),
    ['incident.created', 'incident.contained', 'incident.resolved', 'incident.updated', 'incident.resolved', 'incident.closed'],
  );
  const report = await s.send('GET', `/v1/incidents/${id}/report`);
  assert.equal(report.json.incident.status, 'CLOSED', report.text);
  assert.ok(report.json.markdown.includes('isolate-agent'));
});

test('each containment step has its own result, and an incident is not contained if all steps are refused', async () => {
  const id = await open();
  const { json } = await s.send('POST', `/v1/incidents/${id}/contain`, {
    reason,
    steps: [
      { control: 'disable-tool', target: 'tool_00000000000000000000000000', confirm_blast_radius: 0 },
      { control: 'block-destination', target: 'partner.example', confirm_blast_radius: 9 },
    ],
  });
  assert.deepEqual(
    json.steps.map(({ outcome, code }: { outcome: string; code: string }) => [outcome, code]),
    [
      ['REFUSED', 'NOT_FOUND'],
      ['REFUSED', 'CONFLICT'],
    ],
  );
  assert.equal(json.incident.status, 'OPEN');
  const without = await s.send('POST', `/v1/incidents/${id}/contain`, { reason: 'The partner stopped it.' });
  assert.deepEqual([without.json.incident.status, without.json.incident.is_contained], ['CONTAINED', false]);
});

test('an API key opens and changes incidents, and executes no containment step', async () => {
  const { controlUrl, token } = s.tenant;
  const made = await newControlClient(controlUrl, token).createApiKey({ body: { name: 'soc', role_id: BUILT_IN_ROLES[2].id } });
  const opened = await s.send('POST', '/v1/incidents', { title: 'By a key', severity: 'LOW' }, made.token);
  assert.deepEqual([opened.status, opened.json.acknowledged_at], [201, null]);
  const path = `/v1/incidents/${opened.json.id}/contain`;
  const steps = [{ control: 'isolate-agent', target: agentId(), confirm_blast_radius: 1 }];
  assert.equal(getCode(await s.send('POST', path, { reason, steps }, made.token)), 'STEP_UP_REQUIRED');
  assert.equal((await s.send('POST', path, { reason }, made.token)).status, 200);
});

test('lists filter, timelines page, and bad input is refused with a pointer (listIncidents, getIncidentTimeline, addIncidentEntry)', async () => {
  const id = await open({ severity: 'CRITICAL' });
  for (const note of ['one', 'two', 'three']) assert.equal((await s.send('POST', `/v1/incidents/${id}/entries`, { note })).status, 201);
  const first = await s.send('GET', `/v1/incidents/${id}/timeline?kind=NOTE&limit=2`);
  const rest = await s.send('GET', `/v1/incidents/${id}/timeline?kind=NOTE&limit=2&cursor=${first.json.page.next_cursor}`);
  assert.deepEqual(
    [...first.json.data, ...rest.json.data].map(({ data }) => data.note),
    ['one', 'two', 'three'],
  );
  const listed = await s.send('GET', `/v1/incidents?severity=CRITICAL&agent_id=${agentId()}`);
  assert.deepEqual(
    listed.json.map((incident: { id: string }) => incident.id),
    [id],
  );
  for (const [path, body, pointer] of [
    ['/entries', { note: 'x', at: '2099-01-01T00:00:00.000Z' }, '/at'],
    ['/resolve', { resolution: 'DUPLICATE', summary: 'x' }, '/duplicate_of'],
    ['/resolve', { resolution: 'FIXED', summary: 'x', leave_in_force: ['emx_0'] }, '/leave_in_force/0'],
  ] as const) {
    const { json, text } = await s.send('POST', `/v1/incidents/${id}${path}`, body);
    assert.equal(json.error.details.faults[0].pointer, pointer, text);
  }
  const foreign = await s.send('POST', '/v1/incidents', { title: 'x', severity: 'LOW', subjects: [{ type: 'tool', id: agentId() }] });
  assert.equal(foreign.json.error.details.faults[0].pointer, '/subjects/0/id');
});
