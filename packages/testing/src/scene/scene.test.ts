import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScene } from './scene.ts';

const s = createScene({ agents: 1, steppedUp: true });

test('a scene has an agent, and a client and requests in the name of its owner', async () => {
  const { items } = await s.client.listAgents();
  assert.deepEqual(
    items.map(({ id }) => id),
    s.agents.map(({ id }) => id),
  );
  assert.equal((await s.send('GET', '/v1/agents')).json.items[0].id, s.agents[0]?.id);
  assert.equal((await s.send('GET', '/v1/agents', undefined, 'svc_other')).status, 401);
  const [created] = await s.eventsOf(s.agents[0]?.id ?? '');
  assert.deepEqual([created?.type, created?.actor_id], ['agent.created', s.tenant.user.id]);
});

test('passing time ends an agent and a step-up, and keeps a session that lasts longer', async () => {
  const agentId = s.agents[0]?.id ?? '';
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  assert.equal((await s.send('PATCH', `/v1/agents/${agentId}`, { expires_at })).status, 200);
  const suspend = () => s.send('POST', `/v1/agents/${agentId}/revoke`, { reason: 'test' });
  await s.clock.advance(3_000);
  assert.equal((await s.send('GET', `/v1/agents/${agentId}`)).json.status, 'ACTIVE');
  assert.equal((await suspend()).json.error?.code, 'STEP_UP_REQUIRED');
  await s.clock.advance(601);
  assert.equal((await s.send('GET', `/v1/agents/${agentId}`)).json.status, 'EXPIRED');
});
