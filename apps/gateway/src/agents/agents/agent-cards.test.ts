import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { verifyAgentCardSignature } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { buildId } from '@svc/contract/tables/ids.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  governed = await newGoverned(planes);
});
after(() => planes.stop());

const SKILLS = [{ id: 'book', name: 'Book a room', description: 'Books a room for a day.', tags: ['rooms'] }];
const BODY = { description: 'Books rooms.', skills: SKILLS, provider: { organization: 'Demo', url: 'https://demo.example' } };

const cardPath = (agentId: string): string => `/gateway/v1/agents/${agentId}/.well-known/agent-card.json`;
const readCard = async (agentId: string, gateway = 0) => {
  const response = await fetch(`${planes.gatewayUrls[gateway] ?? planes.gatewayUrl}${cardPath(agentId)}`);
  return { status: response.status, cache: response.headers.get('cache-control'), text: await response.text() };
};

test('publishAgent, getAgentListing, getAgentCard: the official SDK reads a published card and verifies it with the published keys', async () => {
  const { owner, agent } = governed;
  const published = await owner('POST', `/v1/agents/${agent.id}/publish`, BODY);
  assert.equal(published.status, 200, published.text);
  assert.deepEqual((await owner('GET', `/v1/agents/${agent.id}/listing`)).json, published.json);
  const { card_url, keys_url, endpoint } = published.json;
  const { status, cache } = await readCard(agent.id);
  assert.deepEqual([status, cache], [200, 'public, max-age=60']);
  const resolver = new DefaultAgentCardResolver();
  const card = await resolver.resolve(card_url.slice(0, card_url.indexOf('.well-known')));
  assert.deepEqual([card.description, card.supportedInterfaces[0]?.url, card.skills[0]?.id], ['Books rooms.', endpoint, 'book']);
  const { keys } = (await (await fetch(keys_url)).json()) as { keys: { kid: string }[] };
  const verify = verifyAgentCardSignature(async (kid) => {
    const key = keys.find((each) => each.kid === kid);
    assert.ok(key, kid);
    return createPublicKey({ key: key as never, format: 'jwk' });
  });
  // The resolver drops security schemes when it parses a card, so the card is verified as served.
  const served = await (await fetch(card_url)).json();
  await verify(served);
  await assert.rejects(verify({ ...served, description: 'Other.' }));
  const [event] = (await owner('GET', '/v1/audit-events?type=registry.listing_published')).json.data;
  assert.deepEqual([event.subject, event.data.skills], [{ type: 'agent', id: agent.id }, ['book']]);
});

test('unpublishAgent withdraws the card at every gateway, and an agent that ended has none', async () => {
  const { owner, tenant } = governed;
  const agent = await newAgent(tenant);
  const path = `/v1/agents/${agent.id}`;
  assert.equal((await owner('POST', `${path}/unpublish`, {})).json.error.code, 'INVALID_STATE_TRANSITION');
  await owner('POST', `${path}/publish`, BODY);
  for (const gateway of [0, 1]) assert.equal((await readCard(agent.id, gateway)).status, 200);
  const withdrawn = await owner('POST', `${path}/unpublish`, { reason: 'Not yet.' });
  assert.equal(withdrawn.status, 200, withdrawn.text);
  for (const gateway of [0, 1]) assert.equal((await readCard(agent.id, gateway)).status, 404);
  assert.equal((await owner('GET', `${path}/listing`)).json.published, false);
  await owner('POST', `${path}/publish`, BODY);
  assert.equal((await owner('POST', `${path}/revoke`, { reason: 'test' })).status, 200);
  assert.equal((await readCard(agent.id)).status, 404);
  assert.equal((await owner('POST', `${path}/publish`, BODY)).json.error.code, 'INVALID_STATE_TRANSITION');
});

test('getAgentCard answers for an agent that is not published as for one that does not exist, in the same time', async () => {
  const unpublished = await newAgent(governed.tenant);
  const shape = async (id: string) => {
    const { status, cache, text } = await readCard(id);
    const { error } = JSON.parse(text);
    return { status, cache, code: error.code, message: error.message, members: Object.keys(error).toSorted() };
  };
  const expected = await shape(buildId('agent', '01J00000000000000000000000'));
  assert.equal(expected.status, 404);
  assert.deepEqual(await shape(unpublished.id), expected);
  assert.deepEqual(await shape('nonsense'), expected);
  const startedAt = performance.now();
  await readCard('nonsense');
  assert.ok(performance.now() - startedAt >= 20, 'answers wait for their beat');
});

test('publishAgent refuses sites that are no address, cards that are too large', async () => {
  const { owner, agent } = governed;
  const publish = (more: object) => owner('POST', `/v1/agents/${agent.id}/publish`, { ...BODY, ...more });
  const pointer = async (more: object): Promise<string> => (await publish(more)).json.error.details.faults[0].pointer;
  assert.equal(await pointer({ provider: { organization: 'Demo', url: 'http://demo.example' } }), '/provider/url');
  assert.equal(await pointer({ provider: { organization: 'Demo', url: 'https://u:p@demo.example' } }), '/provider/url');
  assert.equal(await pointer({ skills: [] }), '/skills');
  const large = { ...SKILLS[0], description: '界'.repeat(500), examples: Array.from({ length: 5 }, () => '界'.repeat(500)) };
  assert.equal(await pointer({ skills: Array.from({ length: 20 }, () => large) }), '/skills');
});
