import { call, mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { ask, inParallel, strangerAgent } from '../../hostile-client.ts';

type Prepared = { readonly gatewayUrl: string; readonly token: string };

const letters = (n: number, seed: number): string =>
  Array.from({ length: n }, (_, at) => ((at * 7_919 + seed * 31 + ((at * at) >> 3)) % 3 ? 'a' : 'b')).join('');

/** As many policies as are accepted, each searching every text of the largest request for a pattern made to be slow. */
export const attack: Attack<Prepared> = {
  title: 'a tenant whose policies cost all that one decision may asks for the dearest decisions',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, token } = await scene.newHostile();
    const owner = { token: tenant.token };
    for (let n = 0; n < 40; n += 1) {
      const when = { field: 'parameters.l.*', op: 'matches', value: `a[ab]{${20 + n}}[^ab]` };
      const tests = [{ name: 'none', given: {}, then: { effect: 'BLOCK' } }];
      const body = { name: `Dear ${n}`, rules: [{ id: 'r', effect: 'BLOCK', reason: 'x', when }], tests };
      const policy = await mustCall(tenant.controlUrl, 'POST', '/v1/policies', { ...owner, body });
      const activation = { version_id: policy.versions[0].version_id, reason: 'dear' };
      const answer = await call(tenant.controlUrl, 'POST', `/v1/policies/${policy.id}/activate`, { ...owner, body: activation });
      if (answer.status !== 200) break;
    }
    return { gatewayUrl: scene.gatewayUrl, token };
  },
  spend: async ({ gatewayUrl, token }, signal) => {
    const agent = strangerAgent(8);
    const parameters = { l: Array.from({ length: 7 }, (_, n) => letters(8_192, n)) };
    const body = JSON.stringify({ tool: 'pay', parameters });
    await inParallel(8, signal, () => ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body }));
  },
};
