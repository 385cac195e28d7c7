import { newSigningKey } from '../peers/a2a-agent.ts';
import { call, mustCall } from '../people/client.ts';
import type { Tenant } from '../people/tenant.ts';
import { newControlClient } from '../people/typed-client.ts';
import type { Planes } from '../planes/start-planes.ts';
import type { TestAgent } from './agent.ts';
import { mintPeerToken } from './inbound-scene.ts';

const CARD = { name: 'Partner', description: '', version: '1', organization: null, skills: [], tenant: null, streaming: false, hash: 'x' };

/**
 * Obtains a token of the remote agent of a connection to an agent, which is published. Nothing is fetched: the card is written to the
 * database.
 */
export const newPeerToken = async (planes: Planes, tenant: Tenant, agent: TestAgent): Promise<string> => {
  const { controlUrl, token, environment_id } = tenant;
  const key = newSigningKey('key-1');
  const skills = [{ id: 'book', name: 'Book', description: 'Books a room.', tags: ['rooms'] }];
  await newControlClient(controlUrl, token).publishAgent({ params: { agentId: agent.id }, body: { description: 'Books rooms.', skills } });
  const body = {
    ...{ name: `Inbound ${agent.id}`, environment_id, card_url: 'https://agent.example.com/card.json', keys: [key.jwk] },
    ...{ direction: 'INBOUND', agent_id: agent.id, agent_url: 'https://own.example.com/a2a' },
  };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/a2a/connections', { token, body });
  const client = await planes.database.client();
  await client.query(`update a2a_connections set status = 'VERIFIED', proof = 'CARD', verified_key = 'key-1', card = $2 where id = $1`, [
    id,
    { ...CARD, url: 'https://agent.example.com/a2a' },
  ]);
  await client.end();
  const { issuer } = (await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server', {})).json;
  return mintPeerToken(planes.gatewayUrl, { connectionId: id, key, audience: issuer });
};
