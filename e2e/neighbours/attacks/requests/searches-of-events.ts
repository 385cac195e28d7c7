import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';
import { newSearched, type SearchedOrganization } from '../../searched.ts';

/** More than any connection pool, and each searches for something that does not exist. */
export const attack: Attack<SearchedOrganization> = {
  title: 'a tenant searches 400,000 of its events for a text 40 at a time',
  longOnly: true,
  prepare: (scene) => newSearched(scene, 200_000),
  spend: async ({ controlUrl, tokens }, signal) => {
    const agent = createUnauthenticatedAgent(40);
    const queries = ['q=nowhere', 'type=none', 'actor_id=none', 'severity=critical'];
    await runInParallel(40, signal, (turn) =>
      ask(agent, controlUrl, {
        method: 'GET',
        path: `/v1/audit-events?${queries[turn % queries.length]}`,
        token: tokens[turn % tokens.length] ?? '',
      }),
    );
  },
};
