import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { HOSTILE_DOWNSTREAM, startHostileDownstream } from '../../calling-tool.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly ids: readonly string[] };

const CREDENTIALS = 7;
const PASSWORD = '\\"'.repeat(2_000);

export const attack: Attack<Prepared> = {
  title: 'a tenant tries seven credentials in rotation against a downstream whose answers are as like them as can be',
  env: { SVC_CREDENTIALS_OVER_HTTP: 'true' },
  prepare: async (scene) => {
    const { tenant } = await scene.newHostile();
    const { host } = new URL(HOSTILE_DOWNSTREAM);
    const { environment_id } = tenant;
    const post = (path: string, body: object) => mustCall(scene.controlUrl, 'POST', path, { token: tenant.token, body });
    const ids: string[] = [];
    for (let n = 0; n < CREDENTIALS; n += 1) {
      const bound = { name: `Tried ${n}`, environment_id, destinations: [host], tools: [`tried-${n}`] };
      const { id } = await post('/v1/credentials', { ...bound, scheme: 'BASIC', placement: { username: `user-${n}` }, secret: PASSWORD });
      await post(`/v1/credentials/${id}/rotate`, { secret: `${PASSWORD}${n}`, overlap_seconds: 3_600 });
      ids.push(id);
    }
    return { controlUrl: scene.controlUrl, token: tenant.token, ids };
  },
  spend: async ({ controlUrl, token, ids }, signal) => {
    const answer = Buffer.from('\\\\"'.repeat(21_600));
    await startHostileDownstream((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end(answer));
    });
    const agent = createUnauthenticatedAgent(CREDENTIALS);
    await runInParallel(CREDENTIALS, signal, (turn) =>
      ask(agent, controlUrl, {
        method: 'POST',
        path: `/v1/credentials/${ids[turn % ids.length]}/test`,
        token,
        body: JSON.stringify({ url: HOSTILE_DOWNSTREAM }),
      }),
    );
  },
};
