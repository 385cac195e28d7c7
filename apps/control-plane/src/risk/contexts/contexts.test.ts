import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertContext } from '@svc/testing/records/insert-context.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });
const reason = 'test';
const newKey = async (): Promise<string> => {
  const body = { name: 'Key', role_id: getBuiltInRole('admin').id };
  return (await newControlClient(s.planes.controlUrl, s.tenant.token).createApiKey({ body })).token;
};

test('declareToolFlow tightens for anyone and loosens for a person alone, and getToolFlow returns it', async () => {
  const body = { name: 'crm.read', environment_id: s.tenant.environment_id, required_capability: 'x', kind: 'SDK' };
  const path = `/v1/tools/${(await s.send('POST', '/v1/tools', body)).json.id}/flow`;
  const key = await newKey();
  const keys = { store_key_from: '/path', load_key_from: '/path' };
  const tightened = await s.send('PUT', path, { labels: ['personal_data'], reach: 'PUBLIC', ...keys, reason }, key);
  assert.equal(tightened.status, 200, tightened.text);
  for (const looser of [
    { labels: [] },
    { reach: 'INTERNAL' },
    { reach: null },
    { readers: ['evil.example'] },
    { side_effects: 'NONE' },
    { recipient_from: '/to' },
    { store_key_from: null },
    { load_key_from: '/other' },
  ]) {
    const refused = await s.send('PUT', path, { ...looser, reason }, key);
    assert.equal(refused.json.error?.code, 'STEP_UP_REQUIRED', `${JSON.stringify(looser)} ${refused.text}`);
  }
  assert.equal((await s.send('PUT', path, { labels: ['Not a label'], reason })).json.error?.code, 'VALIDATION_FAILED');
  const loosened = await s.send('PUT', path, { labels: [], reason });
  assert.deepEqual([loosened.status, (await s.send('GET', path)).json], [200, loosened.json]);
});

test('declassifyContext needs a person, and listFlowContexts shows the rest', async () => {
  const agent = await newAgent(s.tenant);
  const { contextId } = await insertContext(s.planes.database, agent.id, 'crm.read');
  const path = `/v1/agents/${agent.id}/contexts`;
  const [context] = (await s.send('GET', path)).json;
  assert.deepEqual([context.id, context.labels, context.sources[0].tool], [contextId, ['personal_data'], 'crm.read']);
  const refused = await s.send('POST', `${path}/${contextId}/declassify`, { labels: ['personal_data'], reason }, await newKey());
  assert.equal(refused.json.error?.code, 'PERMISSION_DENIED', refused.text);
  const cleared = await s.send('POST', `${path}/${contextId}/declassify`, { labels: ['personal_data'], reason });
  assert.deepEqual([cleared.json.labels, cleared.json.sources], [[], []], cleared.text);
  assert.equal((await s.eventsOf(contextId))[0]?.type, 'context.labels_cleared');
});
