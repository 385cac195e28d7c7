import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertRiskEvent } from '@svc/testing/records/insert-risk-event.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene();
const newEvent = async () => {
  const agent = await newAgent(s.tenant);
  const { riskEventId } = await insertRiskEvent(s.planes.database, agent.id, 'somewhere new');
  return { agent, path: `/v1/risk-events/${riskEventId}`, id: riskEventId };
};

test('listRiskEvents and getRiskEvent return findings, by agent and status', async () => {
  const { agent, path, id } = await newEvent();
  const listed = await s.send('GET', `/v1/risk-events?agent_id=${agent.id}&status=OPEN`);
  assert.deepEqual([listed.json.length, listed.json[0].id, listed.json[0].count], [1, id, 1], listed.text);
  assert.deepEqual((await s.send('GET', path)).json, listed.json[0]);
  assert.deepEqual((await s.send('GET', `/v1/risk-events?agent_id=${agent.id}&status=STALE`)).json, []);
});

test('acknowledgeRiskEvent accepts a verdict of a key, and an exception of a person only', async () => {
  const { agent, path } = await newEvent();
  const body = { name: 'Key', role_id: getBuiltInRole('admin').id };
  const { token } = await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({ body });
  const muted = await s.send('POST', `${path}/acknowledge`, { verdict: 'EXPECTED', mute_hours: 1 }, token);
  assert.equal(muted.json.error?.code, 'PERMISSION_DENIED', muted.text);
  const told = await s.send('POST', `${path}/acknowledge`, { verdict: 'CONFIRMED', comment: 'It did.' }, token);
  assert.deepEqual([told.json.status, told.json.verdict, told.json.comment], ['ACKNOWLEDGED', 'CONFIRMED', 'It did.'], told.text);
  const risk = await s.send('GET', `/v1/agents/${agent.id}/risk`);
  assert.deepEqual([risk.json.mutes, risk.json.learning], [[], true], risk.text);
});

test('getAgentRisk of an agent without a history is 0, with an explanation', async () => {
  const { agent } = await newEvent();
  const { json } = await s.send('GET', `/v1/agents/${agent.id}/risk`);
  assert.deepEqual([json.risk, json.level, json.families, json.baseline.permitted_actions], [0, 'LOW', [], 0]);
  assert.equal((await s.send('GET', '/v1/agents/agt_01J8Z3V7Q2N4M6K8P0R2T4W6Y8/risk')).status, 404);
});

test('summarizeRiskEvents counts open events by agent and signal, and verdicts by signal', async () => {
  const { agent, path } = await newEvent();
  const summary = async () => (await s.send('GET', `/v1/risk-events/summary?environment_id=${s.tenant.environment_id}`)).json;
  const before = await summary();
  const row = before.agents.find(({ agent_id }: { agent_id: string }) => agent_id === agent.id);
  assert.deepEqual([row.name, row.open_events, row.score, row.risk], [agent.name, 1, 45, 0]);
  const signal = before.signals.find(({ signal: name }: { signal: string }) => name === 'new_destination');
  await s.send('POST', `${path}/acknowledge`, { verdict: 'FALSE_ALARM' });
  const after = await summary();
  assert.ok(!after.agents.some(({ agent_id }: { agent_id: string }) => agent_id === agent.id));
  const judged = after.signals.find(({ signal: name }: { signal: string }) => name === 'new_destination');
  assert.equal(judged.open_events, signal.open_events - 1);
  assert.equal(judged.verdicts.FALSE_ALARM, signal.verdicts.FALSE_ALARM + 1);
  assert.deepEqual((await s.send('GET', '/v1/risk-events/summary?environment_id=env_01J8Z3V7Q2N4M6K8P0R2T4W6Y8')).json, {
    agents: [],
    signals: [],
  });
});
