import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';
import { LARGEST_TOOL } from '../../largest-tool.ts';

type Prepared = { readonly gatewayUrl: string; readonly tokens: readonly string[] };

/** With so many tools each they exceed a gateway's cache. */
const ENVIRONMENTS = 24;
const COPIES = 85;

/** Each decision is in another environment, which is no longer cached by then. */
export const attack: Attack<Prepared> = {
  title: 'a tenant acts in one after the other of many environments with large tools, of which a gateway keeps no more than some',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant } = await scene.newHostile();
    const { controlUrl, token, workspace_id } = tenant;
    const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
    const database = await scene.planes.database.client();
    try {
      const tokens: string[] = [];
      for (let n = 0; n < ENVIRONMENTS; n += 1) {
        const { id: environment_id } = await post('/v1/environments', { workspace_id, name: `Many ${n}`, type: 'STAGING' });
        const agent = await newAgent({ ...tenant, environment_id }, { capabilities: ['pay'] });
        const tool = await post('/v1/tools', { ...LARGEST_TOOL, name: 'large', environment_id, required_capability: 'pay' });
        await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
        await database.query(
          `insert into tools select (t).* from (
             select json_populate_record(t, json_build_object('id', left(t.id, 26) || lpad(n::text, 4, '0'), 'name', 'large-' || n)) as t
               from tools t, generate_series(1, $2) n where t.id = $1) made`,
          [tool.id, COPIES],
        );
        tokens.push(await mintToken(scene.gatewayUrl, agent));
      }
      return { gatewayUrl: scene.gatewayUrl, tokens };
    } finally {
      await database.end();
    }
  },
  spend: async ({ gatewayUrl, tokens }, signal) => {
    const agent = createUnauthenticatedAgent(32);
    const body = JSON.stringify({ tool: 'nothing-of-that-name', parameters: {} });
    await runInParallel(32, signal, (turn) => {
      const token = tokens[turn % tokens.length] ?? '';
      return ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body });
    });
  },
};
