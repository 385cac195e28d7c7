import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** Each costs a password hash, for any account. */
export const attack: Attack<{ readonly controlUrl: string }> = {
  title: 'a stranger signs in as people who do not exist over 100 connections',
  alone: true,
  env: { SVC_RATE_LOGIN_PER_MINUTE: '1000000', MAX_LOGIN_ATTEMPTS: '1000' },
  prepare: async (scene) => ({ controlUrl: scene.controlUrl }),
  spend: async ({ controlUrl }, signal) => {
    const agent = createUnauthenticatedAgent(100);
    await runInParallel(100, signal, (turn) => {
      const body = JSON.stringify({ email: `nobody-${process.pid}-${turn}@example.com`, password: 'x'.repeat(256) });
      return ask(agent, controlUrl, { method: 'POST', path: '/v1/auth/login', body });
    });
  },
};
