import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly body: string };

/** All of them wait for one count, and most exceed it. */
export const attack: Attack<Prepared> = {
  title: 'a tenant makes delegations between two agents over 48 connections, at the limit of how many there may be',
  prepare: async ({ controlUrl, planes, newHostile }) => {
    const { tenant, agent } = await newHostile();
    const { token } = tenant;
    const helper = await newAgent(tenant, { capabilities: ['pay'] });
    const ask = { delegator: { type: 'AGENT', id: agent.id }, delegate_agent_id: helper.id };
    const { id } = await mustCall(controlUrl, 'POST', '/v1/delegations', { token, body: ask });
    const owner = await planes.database.client();
    await owner.query(
      `insert into delegations select (c.r).* from (select jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object('id', t.id || n)) as r
         from delegations t, generate_series(1, $2::int) as g (n) where t.id = $1) c`,
      [id, LIMITS.delegations.perPairMax - 2],
    );
    await owner.end();
    return { controlUrl, token, body: JSON.stringify(ask) };
  },
  spend: async ({ controlUrl, token, body }, signal) => {
    const agent = createUnauthenticatedAgent(48);
    await runInParallel(48, signal, () => ask(agent, controlUrl, { method: 'POST', path: '/v1/delegations', token, body }));
  },
};
