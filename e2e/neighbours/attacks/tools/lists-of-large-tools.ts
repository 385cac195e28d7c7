import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';
import { LARGEST_TOOL } from '../../largest-tool.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly id: string };

export const attack: Attack<Prepared> = {
  title: 'a tenant lists hundreds of tools whose declarations are as large as they may be, many lists at once',
  prepare: async (scene) => {
    const { tenant, tool } = await scene.newHostile({ tool: LARGEST_TOOL });
    const { controlUrl, token } = tenant;
    const database = await scene.planes.database.client();
    try {
      await database.query(
        `insert into tools select (t).* from (
           select json_populate_record(t, json_build_object('id', left(t.id, 20) || lpad(n::text, 10, '0'), 'name', 'large-' || n)) as t
             from tools t, generate_series(1, 400) n where t.id = $1) made`,
        [tool.id],
      );
    } finally {
      await database.end();
    }
    return { controlUrl, token, id: tool.id };
  },
  spend: async ({ controlUrl, token }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    await runInParallel(64, signal, (turn) =>
      ask(agent, controlUrl, { method: 'GET', path: `/v1/tools?limit=200&offset=${(turn % 2) * 200}`, token }),
    );
  },
};
