import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly path: string };

/** A request whose key another request holds waits for it, with a database connection. */
export const attack: Attack<Prepared> = {
  title: 'a tenant changes one environment over 64 connections, many at once under the same idempotency key',
  prepare: async (scene) => {
    const { controlUrl, token, environment_id } = (await scene.newHostile()).tenant;
    return { controlUrl, token, path: `/v1/environments/${environment_id}` };
  },
  spend: async ({ controlUrl, token, path }, signal) => {
    const agent = createUnauthenticatedAgent(64);
    await runInParallel(64, signal, (turn) =>
      ask(agent, controlUrl, {
        method: 'PATCH',
        path,
        token,
        body: JSON.stringify({ name: `Name ${Math.floor(turn / 200)}` }),
        headers: { 'idempotency-key': `key-${Math.floor(turn / 200)}` },
      }),
    );
  },
};
