import { Agent } from 'node:http';
import type { Attack } from '../../attack.ts';
import { ask, runInParallel } from '../../hostile-client.ts';

const ADDRESSES = 200;

/** Each of them waits for one global lock. */
export const attack: Attack<{ readonly controlUrl: string }> = {
  title: 'strangers begin sign-ins of the command line from 200 addresses over 32 connections without pause',
  prepare: async ({ controlUrl }) => ({ controlUrl }),
  spend: async ({ controlUrl }, signal) => {
    const agents = Array.from({ length: ADDRESSES }, (_, n) => new Agent({ localAddress: `127.0.1.${n + 1}` }));
    const body = JSON.stringify({ flow: 'DEVICE', code_challenge: 'a'.repeat(43), client: {} });
    await runInParallel(32, signal, async (turn) => {
      const agent = agents[turn % ADDRESSES];
      if (agent) await ask(agent, controlUrl, { method: 'POST', path: '/v1/auth/cli/start', body });
    });
  },
};
