import type { ServerResponse } from 'node:http';
import { mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { HOSTILE_DOWNSTREAM, startHostileDownstream } from '../../calling-tool.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly owner: string;
  readonly token: string;
  readonly ids: readonly string[];
};

const CREDENTIALS = 60;
const SECRET = 'client-secret-of-the-application';

const drip = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 1_000);
  response.once('close', () => clearInterval(timer));
};
const flood = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (let mebibytes = 0; mebibytes < 10; mebibytes += 1) response.write(' '.repeat(1_048_576));
  response.end('{}');
};

/** Misbehaviours of a token endpoint. */
const LIES: readonly ((response: ServerResponse) => void)[] = [
  () => undefined,
  drip,
  flood,
  (response) => response.destroy(),
  // An access token that expires at once.
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token: 'access-token-of-the-application', token_type: 'Bearer', expires_in: 1 })),
];

export const attack: Attack<Prepared> = {
  title:
    'a tenant calls tools with sixty credentials whose token servers hang, drip, flood and lie, and rotates and tries them without pause',
  longOnly: true,
  env: { SVC_CREDENTIALS_OVER_HTTP: 'true' },
  prepare: async (scene) => {
    const { tenant, agent, token } = await scene.newHostile();
    const { controlUrl, environment_id } = tenant;
    const { host } = new URL(HOSTILE_DOWNSTREAM);
    const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token: tenant.token, body });
    const ids: string[] = [];
    for (let n = 0; n < CREDENTIALS; n += 1) {
      const oauth = { grant: 'CLIENT_CREDENTIALS', token_url: `${HOSTILE_DOWNSTREAM}token/${n % LIES.length}`, client_id: 'the-service' };
      const named = { name: `Lying ${n}`, environment_id, scheme: 'BEARER', destinations: [host], tools: [`lying-${n}`] };
      const { id } = await post('/v1/credentials', { ...named, oauth, client_secret: SECRET });
      const execution = { method: 'POST', url: HOSTILE_DOWNSTREAM, credential_id: id };
      const declared = { name: `lying-${n}`, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [host] };
      const tool = await post('/v1/tools', { ...declared, execution });
      await post(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
      ids.push(id);
    }
    return { controlUrl, gatewayUrl: scene.gatewayUrl, owner: tenant.token, token, ids };
  },
  spend: async ({ controlUrl, gatewayUrl, owner, token, ids }, signal) => {
    await startHostileDownstream((request, response) => {
      request.resume();
      const lie = /\/token\/(\d)/.exec(request.url ?? '')?.[1];
      if (lie === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}');
      else LIES[Number(lie)]?.(response);
    });
    const calls = createUnauthenticatedAgent(100);
    const calling = runInParallel(100, signal, (turn) =>
      ask(calls, gatewayUrl, {
        method: 'POST',
        path: '/gateway/v1/actions',
        token,
        body: JSON.stringify({ tool: `lying-${turn % CREDENTIALS}`, parameters: {} }),
      }),
    );
    const changes = createUnauthenticatedAgent(16);
    const changing = runInParallel(16, signal, (turn) => {
      const operation = turn % 2 === 0 ? 'rotate' : 'test';
      const body = operation === 'rotate' ? { client_secret: SECRET } : { url: HOSTILE_DOWNSTREAM };
      const path = `/v1/credentials/${ids[(turn >> 1) % ids.length]}/${operation}`;
      return ask(changes, controlUrl, { method: 'POST', path, token: owner, body: JSON.stringify(body) });
    });
    await Promise.all([calling, changing]);
  },
};
