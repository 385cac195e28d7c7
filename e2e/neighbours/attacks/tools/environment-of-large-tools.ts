import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { type Calling, callWithoutPause } from '../../calling-tool.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';
import { LARGEST_TOOL } from '../../largest-tool.ts';

type Prepared = { readonly calling: Calling; readonly controlUrl: string; readonly session: string; readonly toolId: string };

/** With the called one, about the maximum of an environment. */
const COPIES = 85;

export const attack: Attack<Prepared> = {
  title: 'a tenant whose environment holds as much of tools as it may changes one of them without pause, and acts',
  longOnly: true,
  prepare: async (scene) => {
    const { token, tool, tenant } = await scene.newHostile();
    const { controlUrl, environment_id } = tenant;
    const body = { ...LARGEST_TOOL, name: 'large', environment_id, required_capability: 'pay' };
    const large = await mustCall(controlUrl, 'POST', '/v1/tools', { token: tenant.token, body });
    const database = await scene.planes.database.client();
    try {
      await database.query(
        `insert into tools select (t).* from (
           select json_populate_record(t, json_build_object('id', left(t.id, 20) || lpad(n::text, 10, '0'), 'name', 'large-' || n)) as t
             from tools t, generate_series(1, $2) n where t.id = $1) made`,
        [large.id, COPIES],
      );
    } finally {
      await database.end();
    }
    return { calling: { gatewayUrl: scene.gatewayUrl, token, tool: tool.name }, controlUrl, session: tenant.token, toolId: large.id };
  },
  spend: async ({ calling, controlUrl, session, toolId }, signal) => {
    const agent = createUnauthenticatedAgent(1);
    const change = (turn: number) => {
      const path = `/v1/tools/${toolId}/${turn % 2 === 0 ? 'disable' : 'enable'}`;
      return ask(agent, controlUrl, { method: 'POST', path, token: session, body: JSON.stringify({ reason: 'again' }) });
    };
    await Promise.all([callWithoutPause(calling, 8, signal), runInParallel(1, signal, change)]);
  },
};
