import type { Attack } from '../../attack.ts';
import { ask, inParallel, strangerAgent } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly organization_id: string };

/** A list of sessions looks at every one that goes on, and whether what it rests on has ended. */
export const attack: Attack<Prepared> = {
  title: 'somebody opens sessions by switching into their own organization, and lists them over 32 connections',
  prepare: async (scene) => {
    const { controlUrl, token, organization_id } = (await scene.newHostile()).tenant;
    return { controlUrl, token, organization_id };
  },
  spend: async ({ controlUrl, token, organization_id }, signal) => {
    const agent = strangerAgent(32);
    await inParallel(32, signal, (turn) =>
      turn % 2 === 0
        ? ask(agent, controlUrl, { method: 'POST', path: '/v1/auth/switch', token, body: JSON.stringify({ organization_id }) })
        : ask(agent, controlUrl, { method: 'GET', path: '/v1/auth/sessions', token }),
    );
  },
};
