import type { Attack } from '../../attack.ts';
import { HOSTILE_DOWNSTREAM } from '../../calling-tool.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };

/** Each part may begin a token, and none is one. */
const LOOK_ALIKES = '-eyJ'.repeat(15_000);

export const attack: Attack<Prepared> = {
  title: 'a tenant registers tools whose bodies are full of what tokens begin with, over 8 connections',
  prepare: async (scene) => {
    const { tenant } = await scene.newHostile();
    return { controlUrl: scene.controlUrl, token: tenant.token, environment_id: tenant.environment_id };
  },
  spend: async ({ controlUrl, token, environment_id }, signal) => {
    const agent = createUnauthenticatedAgent(8);
    await runInParallel(8, signal, (turn) => {
      const execution = { method: 'POST', url: HOSTILE_DOWNSTREAM, body: { note: LOOK_ALIKES } };
      const declared = { name: `look-alike-${turn}`, environment_id, required_capability: 'pay', kind: 'HTTP', execution };
      const body = JSON.stringify({ ...declared, destination_allowlist: [new URL(HOSTILE_DOWNSTREAM).host] });
      return ask(agent, controlUrl, { method: 'POST', path: '/v1/tools', token, body });
    });
  },
};
