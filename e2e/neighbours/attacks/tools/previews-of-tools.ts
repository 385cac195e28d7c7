import { activateRules } from '@svc/testing/agents/governed.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly id: string; readonly environment_id: string };

const contains = (field: string, texts: string) => ({ any: [...texts].map((value) => ({ field, op: 'contains', value })) });

/** Distinguishes very many cases. */
const COSTLY = { all: [contains('principal.id', 'abcdefgh'), contains('agent.id', '01234567')] };

export const attack: Attack<Prepared> = {
  title: 'a tenant previews what a change of a tool would do to twenty policies that are dear to analyse, and declares tools beside them',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, tool } = await scene.newHostile();
    const rules = Array.from({ length: 3 }, (_, n) => ({
      id: `r${n}`,
      effect: n % 2 === 0 ? 'BLOCK' : 'ALLOW',
      reason: 'r',
      when: COSTLY,
    }));
    for (let n = 0; n < 20; n += 1)
      await activateRules(tenant, `dear ${n}`, rules, [{ name: 'none', given: {}, then: { effect: 'BLOCK' } }]);
    return { controlUrl: scene.controlUrl, token: tenant.token, id: tool.id, environment_id: tenant.environment_id };
  },
  spend: async ({ controlUrl, token, id, environment_id }, signal) => {
    const agent = createUnauthenticatedAgent(48);
    const schema = (turn: number) => ({ type: 'object', properties: { [`note${turn}`]: { type: 'string' } } });
    await runInParallel(48, signal, (turn) =>
      turn % 4 === 0
        ? ask(agent, controlUrl, {
            method: 'POST',
            path: '/v1/tools',
            token,
            body: JSON.stringify({
              name: `more-${turn}`,
              environment_id,
              required_capability: 'pay',
              kind: 'SDK',
              parameters_schema: schema(turn),
            }),
          })
        : ask(agent, controlUrl, {
            method: 'POST',
            path: `/v1/tools/${id}/preview`,
            token,
            body: JSON.stringify({ parameters_schema: schema(turn), risk_rating: 'HIGH' }),
          }),
    );
  },
};
