import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** Read, parsed, validated and verified before the sender is known. */
export const attack: Attack<{ readonly gatewayUrl: string; readonly agentId: string }> = {
  title: 'a stranger sends 43 bodies of 256 KiB a second for tokens',
  prepare: async (scene) => ({ gatewayUrl: scene.gatewayUrl, agentId: scene.victim.governed.agent.id }),
  spend: async ({ gatewayUrl, agentId }, signal) => {
    const agent = createUnauthenticatedAgent(8);
    const members = Array.from({ length: 20_000 }, (_, index) => `"m${index}":[]`).join(',');
    const body = `{"agent_id":"${agentId}","assertion":"a.b.c",${members.slice(0, 261_000)}`.replace(/,[^,]*$/, '}');
    await runInParallel(8, signal, async () => {
      await ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/token', body });
      await sleep(8_000 / 43);
    });
  },
};
