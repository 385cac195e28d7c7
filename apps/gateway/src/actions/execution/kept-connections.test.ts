import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { OAUTH_ENV } from '@svc/testing/agents/oauth-scene.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { startTokenServer } from '@svc/testing/peers/token-server.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

/** Calls in order, with their connection and authentication. */
const calls: { readonly who: string; readonly proof: string; readonly socket: Socket }[] = [];
/** Proofs that are no longer valid. */
const refused = new Set<string>();
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { 'x-who': who, authorization: proof = '' } = request.headers;
    calls.push({ who: String(who), proof, socket: request.socket });
    response.writeHead(refused.has(proof) ? 401 : 200, { 'content-type': 'application/json' }).end('{}');
  });
});
// The server keeps connections as long as possible: the gateway closes them earlier.
server.keepAliveTimeout = 0;

let planes: Planes;
before(async () => {
  planes = await leasePlanes({ env: OAUTH_ENV });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await planes.stop();
});

/** Creates an organization with a tool that calls the shared destination and states its name. */
const newCaller = async (who: string): Promise<Governed> => {
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const execution = { method: 'POST', url: `http://${at}/`, headers: { 'x-who': who } };
  return newGoverned(planes, { tool: { kind: 'HTTP', destination_allowlist: [at], execution } });
};

const ROUNDS = countRepetitions({ short: 10, long: 30 });

test('calls of one organization share one connection, never that of another, and it is closed soon after the last', async () => {
  const [one, other] = [await newCaller('one'), await newCaller('other')];
  const callOver = async ({ act }: Governed): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) assert.equal((await act({ parameters: {} })).status, 200);
  };
  await Promise.all([one, other].map(callOver));
  const getSockets = (who: string): Set<Socket> => new Set(calls.filter((call) => call.who === who).map(({ socket }) => socket));
  assert.deepEqual(
    [...getSockets('one')].filter((socket) => getSockets('other').has(socket)),
    [],
  );
  for (const who of ['one', 'other']) assert.ok(getSockets(who).size < ROUNDS, 'no connection was used again');
  await waitUntil('the connections are closed', () => calls.every(({ socket }) => socket.destroyed));
});

test('no connection carries two credentials of one organization, or two secrets or tokens of one credential', async () => {
  const tokens = await startTokenServer();
  const governed = await newGoverned(planes);
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = async (path: string, body: object) => {
    const { status, json, text } = await governed.owner('POST', path, body);
    assert.ok(status < 300, text);
    return json;
  };
  const { environment_id, organization_id } = governed.tenant;
  /** Creates a tool that calls the same destination with a credential of its own. */
  const newTool = async (name: string, credential: object) => {
    const bound = { name, environment_id, scheme: 'BEARER', destinations: [at], tools: [name] };
    const { id } = await post('/v1/credentials', { ...bound, ...credential });
    const execution = { method: 'POST', url: `http://${at}/`, headers: { 'x-who': 'keyed' }, credential_id: id };
    const declared = { name, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [at], execution };
    const tool = await post('/v1/tools', declared);
    await post(`/v1/tools/${tool.id}/agents`, { agent_id: governed.agent.id });
    return id;
  };
  const oauth = { grant: 'CLIENT_CREDENTIALS', token_url: tokens.url, client_id: 'the-service', scope: 'orders' };
  const one = await newTool('one', { secret: 'the-secret-of-one' });
  await newTool('two', { secret: 'the-secret-of-two' });
  for (const name of ['three', 'four']) await newTool(name, { oauth, client_secret: 'client-secret' });
  const callEach = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const tool of ['one', 'two', 'three', 'four']) {
        const answer = await governed.act({ tool });
        assert.equal(answer.status, 200, answer.text);
      }
  };
  await callEach();
  await post(`/v1/credentials/${one}/rotate`, { secret: 'the-next-secret-of-one' });
  const database = await planes.database.client();
  await database.query('update credential_tokens set lease_began_at = null where organization_id = $1', [organization_id]);
  await database.end();
  refused.add(calls.findLast(({ proof }) => proof.startsWith('Bearer access-token-'))?.proof ?? '');
  await callEach();
  const proofsOf = new Map<Socket, Set<string>>();
  for (const { proof, socket } of calls.filter(({ who }) => who === 'keyed'))
    proofsOf.set(socket, (proofsOf.get(socket) ?? new Set()).add(proof));
  assert.deepEqual(
    [...proofsOf.values()].filter(({ size }) => size > 1),
    [],
  );
  assert.equal(new Set([...proofsOf.values()].flatMap((proofs) => [...proofs])).size, 6);
  assert.ok(proofsOf.size < 8 * ROUNDS, 'no connection was used again');
  await tokens.close();
});
