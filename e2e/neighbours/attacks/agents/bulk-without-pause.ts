import type { Attack } from '../../attack.ts';
import { ask, inParallel, strangerAgent } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly ids: readonly string[] };

const AGENTS = 1_000;

export const attack: Attack<Prepared> = {
  title: 'one person of a tenant suspends and resumes a thousand agents, over and over, one call after the other',
  prepare: async (scene) => {
    const { agent, tenant } = await scene.newHostile();
    const database = await scene.planes.database.client();
    try {
      const { rows } = await database.query(
        `insert into agents select (a).* from (
           select json_populate_record(a, json_build_object('id', left(a.id, 20) || lpad(n::text, 10, '0'), 'name', 'many-' || n)) as a
             from agents a, generate_series(1, ${AGENTS}) n where a.id = $1) made returning id`,
        [agent.id],
      );
      return { controlUrl: scene.controlUrl, token: tenant.token, ids: rows.map(({ id }: { id: string }) => id) };
    } finally {
      await database.end();
    }
  },
  spend: async ({ controlUrl, token, ids }, signal) => {
    const agent = strangerAgent(1);
    await inParallel(1, signal, async (turn) => {
      const body = JSON.stringify({ agent_ids: ids, operation: turn % 2 === 0 ? 'suspend' : 'resume', reason: 'r' });
      await ask(agent, controlUrl, { method: 'POST', path: '/v1/agents/bulk', token, body });
    });
  },
};
