import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

const DEPTH = 14;
const WIDTH = 900;

type Prepared = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly owner: string;
  readonly token: string;
  readonly root: string;
  readonly leaf: string;
};

/** The chains are read again after each change at the top, which happens constantly. */
export const attack: Attack<Prepared> = {
  title: `a tenant decides under ${WIDTH} delegations, each ${DEPTH} deep, and changes the one above all of them all the time`,
  longOnly: true,
  prepare: async ({ controlUrl, gatewayUrl, planes, newHostile }) => {
    const { tenant, tool } = await newHostile();
    const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token: tenant.token, body });
    let parent_id: string | null = null;
    let root = '';
    let last = await newAgent(tenant, { capabilities: ['pay'] });
    for (let depth = 0; depth <= DEPTH; depth += 1) {
      if (depth > 0) last = await newAgent(tenant, { capabilities: ['pay'] });
      const below = DEPTH - depth;
      const body = {
        delegate_agent_id: last.id,
        parent_id,
        ceiling: { max_calls: 1_000_000 },
        can_redelegate: below > 0,
        max_depth: below,
      };
      const made: { readonly id: string } = await post('/v1/delegations', body);
      parent_id = made.id;
      if (depth === 0) root = made.id;
    }
    const database = await planes.database.client();
    await database.query(
      `insert into delegations select (c.r).* from (select jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object('id', t.id || n)) as r
         from delegations t, generate_series(1, $2::int) as g (n) where t.id = $1) c`,
      [parent_id, WIDTH],
    );
    await database.end();
    await post(`/v1/tools/${tool.id}/agents`, { agent_id: last.id });
    return { controlUrl, gatewayUrl, owner: tenant.token, token: await mintToken(gatewayUrl, last), root, leaf: parent_id ?? '' };
  },
  spend: async ({ controlUrl, gatewayUrl, owner, token, root, leaf }, signal) => {
    const agent = createUnauthenticatedAgent(34);
    const reduce = (turn: number) =>
      ask(agent, controlUrl, {
        method: 'PATCH',
        path: `/v1/delegations/${root}`,
        token: owner,
        body: JSON.stringify({ ceiling: { max_calls: 999_999 - turn } }),
      });
    const decide = (turn: number) =>
      ask(agent, gatewayUrl, {
        method: 'POST',
        path: '/gateway/v1/actions',
        token,
        body: JSON.stringify({ tool: 'pay', parameters: {}, delegation_id: `${leaf}${1 + (turn % WIDTH)}` }),
      });
    await Promise.all([runInParallel(2, signal, reduce), runInParallel(32, signal, decide)]);
  },
};
