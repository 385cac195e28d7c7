import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

/** More keys give no more budget. */
export const attack: Attack<{ readonly controlUrl: string; readonly tokens: readonly string[] }> = {
  title: 'a tenant reads lists with five API keys over 25 connections without pause',
  prepare: async (scene) => {
    const { controlUrl, token } = (await scene.newHostile()).tenant;
    const newKey = async (name: string): Promise<string> =>
      (await newControlClient(controlUrl, token).createApiKey({ body: { name, role_id: getBuiltInRole('admin').id } })).token;
    return { controlUrl, tokens: await Promise.all(['a', 'b', 'c', 'd', 'e'].map(newKey)) };
  },
  spend: async ({ controlUrl, tokens }, signal) => {
    const agent = createUnauthenticatedAgent(25);
    await runInParallel(25, signal, (turn) => ask(agent, controlUrl, { method: 'GET', path: '/v1/agents', token: tokens[turn % 5] ?? '' }));
  },
};
