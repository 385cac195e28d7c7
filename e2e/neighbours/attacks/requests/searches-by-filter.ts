import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';
import { newSearched, type SearchedOrganization } from '../../searched.ts';

const FILTERS = [
  'tool=none',
  'code=NONE',
  'status=EXPIRED',
  'decision=MASK',
  'request_id=none',
  'to=2020-01-01T00:00:00.000Z',
  'agent_id=none',
];

/** Each filter matches nothing, so every row would have to be read. */
export const attack: Attack<SearchedOrganization> = {
  title: 'a tenant searches 100,000 of its actions by each filter over 12 connections, with five API keys',
  longOnly: true,
  prepare: (scene) => newSearched(scene, 100_000),
  spend: async ({ controlUrl, tokens }, signal) => {
    const agent = createUnauthenticatedAgent(12);
    await runInParallel(12, signal, (turn) =>
      ask(agent, controlUrl, {
        method: 'GET',
        path: `/v1/actions?${FILTERS[turn % FILTERS.length]}`,
        token: tokens[turn % tokens.length] ?? '',
      }),
    );
  },
};
