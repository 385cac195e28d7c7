import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

const wrong = (email: string) => ({ method: 'POST', path: '/v1/auth/login', body: JSON.stringify({ email, password: 'a guess' }) });

/** The account is locked before the neighbour re-authenticates for an emergency stop. */
export const attack: Attack<{ readonly controlUrl: string; readonly email: string }> = {
  title: 'a stranger guesses the password of an owner who has to step up and stop an environment',
  prepare: async ({ controlUrl, victim }) => {
    const { email } = victim.governed.tenant;
    const agent = createUnauthenticatedAgent(4);
    for (let n = 0; n < 12; n += 1) await ask(agent, controlUrl, wrong(email));
    agent.destroy();
    return { controlUrl, email };
  },
  spend: async ({ controlUrl, email }, signal) => {
    const agent = createUnauthenticatedAgent(32);
    await runInParallel(32, signal, (turn) => ask(agent, controlUrl, wrong(turn % 2 ? email : `nobody-${turn}@example.com`)));
  },
};
