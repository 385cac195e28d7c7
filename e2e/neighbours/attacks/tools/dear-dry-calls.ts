import { call, mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { HOSTILE_DOWNSTREAM } from '../../calling-tool.ts';
import { ask, inParallel, strangerAgent } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly id: string; readonly agentId: string };

const letters = (n: number, seed: number): string =>
  Array.from({ length: n }, (_, at) => ((at * 7_919 + seed * 31 + ((at * at) >> 3)) % 3 ? 'a' : 'b')).join('');

/** A dry call with an agent is a whole decision, made where people are answered. */
export const attack: Attack<Prepared> = {
  title: 'a tenant asks for dry calls that cost all that a decision may, over 64 connections',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, tool, agent } = await scene.newHostile({
      tool: {
        kind: 'HTTP',
        destination_allowlist: [new URL(HOSTILE_DOWNSTREAM).host],
        execution: { method: 'POST', url: HOSTILE_DOWNSTREAM },
      },
    });
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
    return { controlUrl: scene.controlUrl, token: tenant.token, id: tool.id, agentId: agent.id };
  },
  spend: async ({ controlUrl, token, id, agentId }, signal) => {
    const agent = strangerAgent(64);
    const parameters = { l: Array.from({ length: 7 }, (_, n) => letters(8_192, n)) };
    const body = JSON.stringify({ agent_id: agentId, parameters });
    await inParallel(64, signal, () => ask(agent, controlUrl, { method: 'POST', path: `/v1/tools/${id}/dry-call`, token, body }));
  },
};
