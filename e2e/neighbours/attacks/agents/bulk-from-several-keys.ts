import { type InsertedPerson, insertPerson } from '@svc/testing/records/insert-person.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';
import { makeMany } from '../../many-agents.ts';

type Prepared = { readonly controlUrl: string; readonly tokens: readonly string[]; readonly ids: readonly string[] };

const AGENTS = 1_000;

export const attack: Attack<Prepared> = {
  title: 'four people of a tenant suspend and resume the same thousand agents at once, preview that, and filter lists of them by labels',
  prepare: async (scene) => {
    const { agent, tenant } = await scene.newHostile();
    const ids = await makeMany(scene, agent.id, AGENTS);
    const database = await scene.planes.database.client();
    try {
      const people: InsertedPerson[] = [];
      while (people.length < 4) people.push(await insertPerson(database, tenant.organization_id, 'owner', { steppedUp: true }));
      return { controlUrl: scene.controlUrl, tokens: [tenant.token, ...people.map(({ token }) => token)], ids };
    } finally {
      await database.end();
    }
  },
  spend: async ({ controlUrl, tokens, ids }, signal) => {
    const agent = createUnauthenticatedAgent(40);
    const token = (turn: number) => tokens[turn % tokens.length] ?? '';
    const changing = runInParallel(10, signal, async (turn) => {
      const body = JSON.stringify({
        agent_ids: turn % 3 === 0 ? ids.toReversed() : ids,
        operation: turn % 2 === 0 ? 'suspend' : 'resume',
        reason: 'r',
      });
      await ask(agent, controlUrl, { method: 'POST', path: '/v1/agents/bulk', token: token(turn), body });
    });
    const previewing = runInParallel(10, signal, async (turn) => {
      const body = JSON.stringify({ agent_ids: ids, operation: 'revoke' });
      await ask(agent, controlUrl, { method: 'POST', path: '/v1/agents/bulk/preview', token: token(turn), body });
    });
    const listing = runInParallel(10, signal, (turn) =>
      ask(agent, controlUrl, {
        method: 'GET',
        path: turn % 2 ? '/v1/agents?limit=200&label=a,b,c,d,e&q=x' : '/v1/agents/client-libraries',
        token: token(turn),
      }),
    );
    await Promise.all([changing, previewing, listing]);
  },
};
