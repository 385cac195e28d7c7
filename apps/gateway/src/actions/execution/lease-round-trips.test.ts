import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { type KeyedService, startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { call } from '@svc/testing/people/client.ts';
import { type RestartableGateway, startRestartableGateway } from '@svc/testing/planes/restartable-gateway.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

const ACTIONS = 40;
const HEADER_BYTES = 5;
/** Sync and simple query of PostgreSQL's protocol: each is answered before the connection is free again. */
const ROUND_TRIPS = ['S', 'Q'];
const env = { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SVC_CREDENTIALS_OVER_HTTP: 'true' };

/** Proxies a gateway's database connection, and counts round trips. */
const startCountingRelay = async (database: URL) => {
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  const count = (): ((chunk: Buffer) => void) => {
    let left = Buffer.alloc(0);
    let begun = false;
    return (chunk) => {
      left = Buffer.concat([left, chunk]);
      // The first message has no type byte.
      for (let head = begun ? HEADER_BYTES : HEADER_BYTES - 1; left.length >= head; head = HEADER_BYTES) {
        const end = left.readUInt32BE(head - 4) + head - 4;
        if (left.length < end) break;
        if (begun && ROUND_TRIPS.includes(String.fromCharCode(left[0] ?? 0))) roundTrips += 1;
        left = left.subarray(end);
        begun = true;
      }
    };
  };
  const server = createServer((from) => {
    const [folder, port] = ['host', 'port'].map((name) => database.searchParams.get(name));
    const to = folder === null ? connect(Number(database.port), database.hostname) : connect(`${folder}/.s.PGSQL.${port}`);
    for (const each of [from, to]) {
      sockets.add(each);
      each.setNoDelay(true).on('error', () => undefined);
    }
    from.on('data', count());
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `postgres://127.0.0.1:${port}${database.pathname}`;
  const close = (): void => {
    for (const each of sockets) each.destroy();
    server.close();
  };
  return { url, roundTrips: () => roundTrips, close };
};

let planes: StartedPlanes;
let service: KeyedService;
let relay: Awaited<ReturnType<typeof startCountingRelay>>;
let gateway: RestartableGateway;
let governed: Governed;
before(async () => {
  [planes, service] = await Promise.all([startPlanes({ env }), startKeyedService()]);
  relay = await startCountingRelay(new URL(planes.database.url));
  gateway = await startRestartableGateway(planes.database, { ...env, DATABASE_URL: relay.url });
  const execution = { method: 'POST', url: `http://${service.host}/` };
  governed = await newGoverned(planes, { tool: { kind: 'HTTP', destination_allowlist: [service.host], execution } });
});
after(async () => {
  await gateway?.stop();
  relay?.close();
  await Promise.all([planes?.stop(), service?.close()]);
});

test('a lease waits for the database no more often than the same action without a credential', async (t) => {
  const { owner, tenant, agent } = governed;
  const bound = { destinations: [service.host], tools: ['pay-with'] };
  const { environment_id } = tenant;
  const credential = await owner('POST', '/v1/credentials', {
    name: 'k',
    environment_id,
    scheme: 'BEARER',
    secret: 'the-secret',
    ...bound,
  });
  const made = await owner('POST', '/v1/tools', {
    ...{ name: 'pay-with', environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [service.host] },
    execution: { method: 'POST', url: `http://${service.host}/`, credential_id: credential.json.id },
  });
  assert.equal((await owner('POST', `/v1/tools/${made.json.id}/agents`, { agent_id: agent.id })).status, 201);
  const token = await mintToken(gateway.url, agent);
  const readTrips = async (tool: string): Promise<number> => {
    const before = relay.roundTrips();
    const { json, text } = await call(gateway.url, 'POST', '/gateway/v1/actions', { token, body: { tool } });
    assert.equal(json.status, 'COMPLETED', text);
    return relay.roundTrips() - before;
  };
  const trips: Record<'pay' | 'pay-with', number[]> = { pay: [], 'pay-with': [] };
  // Data that are read once for all actions are read before counting; what follows a response would count for the next action.
  for (const tool of ['pay', 'pay-with'] as const) {
    await readTrips(tool);
    for (let n = 0; n < ACTIONS; n += 1) trips[tool].push(await readTrips(tool));
  }
  const shown = service.taken.filter(({ headers }) => headers.authorization === 'Bearer the-secret').length;
  assert.equal(shown, ACTIONS + 1);
  const [without, holding] = [Math.min(...trips.pay), Math.min(...trips['pay-with'])];
  t.diagnostic(`${without} without, ${holding} with a credential`);
  assert.ok(without > 0);
  assert.equal(holding, without);
});
