import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ agents: 1 });
const SKILLS = [{ id: 'book', name: 'Book a room', description: 'Books a room.', tags: ['rooms'] }];

test('publishAgent, getAgentListing, unpublishAgent: a person publishes a card, and an API key does not', async () => {
  const path = `/v1/agents/${s.agents[0]?.id}`;
  const body = { description: 'Books rooms.', skills: SKILLS };
  const { json: roles } = await s.send('GET', '/v1/roles');
  const role = roles.find(({ name }: { name: string }) => name === 'admin');
  const { json: key } = await s.send('POST', '/v1/api-keys', { name: 'automation', role_id: role.id });
  assert.equal((await s.send('POST', `${path}/publish`, body, key.token)).status, 403);
  assert.equal((await s.send('GET', `${path}/listing`)).json.published, false);
  const published = await s.send('POST', `${path}/publish`, body);
  assert.deepEqual([published.status, published.json.published, published.json.card.skills], [200, true, SKILLS], published.text);
  assert.equal((await s.send('POST', `${path}/unpublish`, {}, key.token)).status, 200);
  assert.equal((await s.send('GET', `${path}/listing`)).json.card, null);
});
