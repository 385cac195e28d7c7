import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { type Calling, callWithoutPause, HOSTILE_DOWNSTREAM, startHostileDownstream } from '../../calling-tool.ts';

/** Characters that every encoding escapes, so that it may appear in a response in very many forms. */
const SECRET = '\\"'.repeat(2_048);
const ANSWER = '\\\\"'.repeat(21_600);

export const attack: Attack<Calling> = {
  title: 'a tenant calls a tool with a secret of 4 KiB whose answers are as like it as can be, sixteen at once',
  env: { SVC_CREDENTIALS_OVER_HTTP: 'true' },
  prepare: async (scene) => {
    const { tenant, agent, token } = await scene.newHostile();
    const { host } = new URL(HOSTILE_DOWNSTREAM);
    const { environment_id } = tenant;
    const post = (path: string, body: object) => mustCall(scene.controlUrl, 'POST', path, { token: tenant.token, body });
    const bound = { name: 'Alike', environment_id, destinations: [host], tools: ['alike'] };
    const { id } = await post('/v1/credentials', { ...bound, scheme: 'BEARER', secret: SECRET });
    const execution = { method: 'POST', url: HOSTILE_DOWNSTREAM, credential_id: id };
    const declared = { name: 'alike', environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [host], execution };
    const tool = await post('/v1/tools', declared);
    await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    return { gatewayUrl: scene.gatewayUrl, token, tool: 'alike' };
  },
  spend: async (calling, signal) => {
    const answer = Buffer.from(ANSWER);
    await startHostileDownstream((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end(answer));
    });
    await callWithoutPause(calling, 16, signal);
  },
};
