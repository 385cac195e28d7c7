import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

const BYTES = 16_000;
const NESTED = `${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}`;
const FAULTS = `{${Array.from({ length: BYTES / 8 }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`.slice(0, BYTES);

/** The deepest nesting and the most faults that an unauthenticated client may send. */
export const attack: Attack<{ readonly gatewayUrl: string; readonly controlUrl: string }> = {
  title: 'a stranger sends the costliest bodies to every row without a credential',
  longOnly: true,
  alone: true,
  prepare: async ({ gatewayUrl, controlUrl }) => ({ gatewayUrl, controlUrl }),
  spend: async ({ gatewayUrl, controlUrl }, signal) => {
    const agent = createUnauthenticatedAgent(16);
    const rows = [
      [gatewayUrl, '/gateway/v1/token'],
      [gatewayUrl, '/gateway/v1/handshake'],
      [controlUrl, '/v1/auth/login'],
      [controlUrl, '/v1/auth/signup'],
    ] as const;
    await runInParallel(16, signal, (turn) => {
      const [base, path] = rows[turn % rows.length] ?? rows[0];
      return ask(agent, base, { method: 'POST', path, body: turn % 3 === 0 ? NESTED : FAULTS });
    });
  },
};
