import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly id: string };

const POLICIES = 50;
const VERSIONS = 11;
const RULES = Array.from({ length: 150 }, (_, n) => ({
  id: `r${n}`,
  effect: 'BLOCK',
  reason: 'x',
  description: 'words '.repeat(200),
  when: { field: 'tool.name', op: 'eq', value: `tool-${n}` },
}));

export const attack: Attack<Prepared> = {
  title: 'a tenant lists policies with all their versions, each as large as one may be, many lists at once',
  prepare: async (scene) => {
    const { tenant } = await scene.newHostile();
    const { controlUrl, token } = tenant;
    const { id } = await newControlClient(controlUrl, token).createPolicy({ body: { name: 'Large', rules: RULES } });
    const database = await scene.planes.database.client();
    try {
      const copies = (table: string, of: string, as: string, count: number) =>
        database.query(
          `insert into ${table} select (t).* from (
             select json_populate_record(t, ${as}) as t from ${table} t, generate_series(1, ${count}) n where ${of}) made`,
          [id],
        );
      const numbered =
        "json_build_object('id', left(t.id, 20) || lpad((n + 1000 * t.version_number)::text, 10, '0'), 'version_number', n + 1)";
      await copies('policy_versions', 't.policy_id = $1', numbered, VERSIONS - 1);
      const named = "json_build_object('id', left(t.id, 20) || lpad(n::text, 10, '0'), 'name', 'large-' || n)";
      await copies('policies', 't.id = $1', named, POLICIES - 1);
      const ofCopies =
        "json_build_object('id', left(t.id, 12) || lpad((n * 100 + t.version_number)::text, 18, '0'), 'policy_id', left(t.policy_id, 20) || lpad(n::text, 10, '0'))";
      await copies('policy_versions', 't.policy_id = $1', ofCopies, POLICIES - 1);
    } finally {
      await database.end();
    }
    return { controlUrl, token, id };
  },
  spend: async ({ controlUrl, token, id }, signal) => {
    const agent = createUnauthenticatedAgent(16);
    const paths = ['/v1/policies?limit=200', `/v1/policies/${id}`, `/v1/policies/${id}/versions?limit=200`];
    await runInParallel(16, signal, async (turn) => {
      await ask(agent, controlUrl, { method: 'GET', path: paths[turn % 3] ?? '', token });
    });
  },
};
