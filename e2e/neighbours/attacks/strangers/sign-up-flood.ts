import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** Each costs a password hash and an organization. */
export const attack: Attack<{ readonly controlUrl: string }> = {
  title: 'a stranger signs up organizations over 40 connections without pause',
  longOnly: true,
  alone: true,
  env: { SVC_RATE_CONTROL_PLANE_PER_MINUTE: '100000' },
  prepare: async (scene) => ({ controlUrl: scene.controlUrl }),
  spend: async ({ controlUrl }, signal) => {
    const agent = createUnauthenticatedAgent(40);
    await runInParallel(40, signal, (turn) => {
      const person = { email: `s${process.pid}-${turn}@example.com`, password: 'correct horse battery', name: 'S', organizationName: 'S' };
      return ask(agent, controlUrl, { method: 'POST', path: '/v1/auth/signup', body: JSON.stringify(person) });
    });
  },
};
