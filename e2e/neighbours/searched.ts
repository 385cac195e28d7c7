import { BUILT_IN_ROLES } from '@svc/contract/tables/built-in-roles.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { NeighbourScene } from './scene.ts';

/** An organization with a long record, and its searchers: the owner and four API keys. */
export type SearchedOrganization = { readonly controlUrl: string; readonly tokens: readonly string[] };

/** Creates an organization with so many actions of two events each. */
export const newSearched = async (scene: NeighbourScene, actions: number): Promise<SearchedOrganization> => {
  const { controlUrl, planes } = scene;
  const { act, tenant } = await scene.newHostile();
  const { json } = await act({});
  const database = await planes.database.client();
  try {
    const copies = (table: string, key: string) =>
      `insert into ${table} select (a).* from (
         select json_populate_record(a, json_build_object('id', left(a.id, 20) || lpad((n * 8 + place)::text, 10, '0'))) as a
           from ${table} a, generate_series(1, ${actions}) n,
                lateral (select count(*) as place from ${table} b where b.organization_id = $1 and b.${key} = $2 and b.id < a.id) placed
          where a.organization_id = $1 and a.${key} = $2) made`;
    await database.query(copies('actions', 'id'), [tenant.organization_id, json.action_id]);
    await database.query(copies('audit_events', 'subject_id'), [tenant.organization_id, json.action_id]);
    await database.query('analyze actions, audit_events');
  } finally {
    await database.end();
  }
  await stepUp(controlUrl, tenant);
  const keys = await Promise.all(
    Array.from({ length: 4 }, (_, turn) =>
      newControlClient(controlUrl, tenant.token).createApiKey({ body: { name: `Searcher ${turn}`, role_id: BUILT_IN_ROLES[1]?.id } }),
    ),
  );
  return { controlUrl, tokens: [tenant.token, ...keys.map(({ token }) => token as string)] };
};
