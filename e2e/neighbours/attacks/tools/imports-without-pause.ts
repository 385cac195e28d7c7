import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };

const operation = (turn: number) => ({
  post: {
    operationId: `op${turn}`,
    summary: 's'.repeat(200),
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: 12 }, (_, n) => [`field_${n}`, { type: 'string', description: 'd'.repeat(120), enum: ['a', 'b', 'c'] }]),
            ),
          },
        },
      },
    },
    responses: {},
  },
});

const getDocument = (operations: number, title: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: 'https://api.large.example' }],
    paths: Object.fromEntries(Array.from({ length: operations }, (_, turn) => [`/things/${turn}`, operation(turn)])),
  });

/** The largest accepted document, from several sources, read repeatedly; and all lists of its stored proposals. */
export const attack: Attack<Prepared> = {
  title: 'a tenant imports documents of 1,900 operations without pause, and lists and compares what is kept of them',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant } = await scene.newHostile();
    const agent = createUnauthenticatedAgent(1);
    for (let source = 0; source < 8; source += 1) {
      const path = `/v1/tool-imports/files?environment_id=${tenant.environment_id}&source=kept${source}`;
      await ask(agent, scene.controlUrl, {
        method: 'POST',
        path,
        token: tenant.token,
        body: getDocument(1_900, 'Kept'),
        headers: { 'content-type': 'application/octet-stream' },
      });
    }
    return { controlUrl: scene.controlUrl, token: tenant.token, environment_id: tenant.environment_id };
  },
  spend: async ({ controlUrl, token, environment_id }, signal) => {
    const agent = createUnauthenticatedAgent(24);
    const document = getDocument(1_900, 'Large');
    const ids: string[] = [];
    const importing = runInParallel(8, signal, async (turn) => {
      const path = `/v1/tool-imports/files?environment_id=${environment_id}&source=large${turn % 30}`;
      await ask(agent, controlUrl, {
        method: 'POST',
        path,
        token,
        body: document,
        headers: { 'content-type': 'application/octet-stream' },
      });
    });
    const listing = runInParallel(12, signal, async (turn) => {
      if (turn % 4 === 0 || ids.length === 0) {
        const answer = await fetch(`${controlUrl}/v1/tool-imports?limit=100`, { headers: { authorization: `Bearer ${token}` } });
        const { items = [] } = (await answer.json()) as { items?: { id: string }[] };
        for (const { id } of items) if (!ids.includes(id)) ids.push(id);
        return;
      }
      await ask(agent, controlUrl, { method: 'GET', path: `/v1/tool-imports/${ids[turn % ids.length]}/proposals?limit=200&q=e`, token });
    });
    const taking = runInParallel(4, signal, async (turn) => {
      if (ids.length === 0) return void (await new Promise((resolve) => setTimeout(resolve, 50)));
      await ask(agent, controlUrl, {
        method: 'POST',
        path: `/v1/tool-imports/${ids[turn % ids.length]}/apply`,
        token,
        body: JSON.stringify({ states: ['NEW', 'CHANGED'], accept_warnings: true }),
      });
    });
    await Promise.all([importing, listing, taking]);
  },
};
