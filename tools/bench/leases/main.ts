import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { connectAsOwner } from '@svc/testing/database/database.ts';
import { startKeyedService } from '@svc/testing/peers/keyed-service.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { startService, type Undo } from '../service.ts';

/**
 * npm run bench:leases: what a lease costs. The same executed action without a credential and with one, in turns on one connection, so that
 * whatever else the machine does meets both alike: the median of each, and how many transactions the gateway has with the database for one.
 */
const TURNS = 10;
const CALLS = 150;
/** Until the database tells what was done a moment ago. */
const TOLD_AFTER_MS = 1_500;
const MEDIAN = 0.5;

const KINDS = ['without', 'with'] as const;
type Kind = (typeof KINDS)[number];

const undo: Undo = [];
try {
  const service = await startService(undo, { SVC_CREDENTIALS_OVER_HTTP: 'true' });
  const downstream = await startKeyedService();
  undo.push(downstream.close);
  downstream.answer((_taken, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}'));
  const tenant = await newTenant(service);
  await stepUp(service.controlUrl, tenant);
  const { token, environment_id } = tenant;
  const post = (path: string, body: object) => mustCall(service.controlUrl, 'POST', path, { token, body });
  const agent = await newAgent(tenant, { capabilities: ['pay'] });
  await activateRules(tenant, 'base', [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }]);
  const { id: credential_id } = await post('/v1/credentials', {
    ...{ name: 'bench', environment_id, scheme: 'BEARER', secret: 'a-key-of-the-service' },
    ...{ destinations: [downstream.host], tools: ['pay.with'] },
  });
  for (const kind of KINDS) {
    const { id } = await post('/v1/tools', {
      ...{ name: `pay.${kind}`, environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [downstream.host] },
      execution: { method: 'POST', url: `http://${downstream.host}/`, ...(kind === 'with' ? { credential_id } : {}) },
    });
    await post(`/v1/tools/${id}/agents`, { agent_id: agent.id });
  }
  const agentToken = await mintToken(service.gatewayUrl, agent);
  const owner = await connectAsOwner(service.databaseUrl);
  undo.push(() => owner.end());
  // What else writes to the database stands still while transactions are counted.
  for (const pid of [service.controlPid, service.workerPid]) {
    process.kill(pid, 'SIGSTOP');
    undo.push(() => void process.kill(pid, 'SIGCONT'));
  }
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' };
  const act = (kind: Kind): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request(`${service.gatewayUrl}/gateway/v1/actions`, { agent: connection, method: 'POST', headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`pay.${kind} answered ${response.statusCode}`));
        response.resume().on('end', resolve);
      });
      asked.on('error', reject).end(JSON.stringify({ tool: `pay.${kind}` }));
    });
  const transactions = async (): Promise<number> => {
    await sleep(TOLD_AFTER_MS);
    const { rows } = await owner.query<{ count: number }>(
      'select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()',
    );
    return rows[0]?.count ?? 0;
  };
  const times: Record<Kind, number[]> = { without: [], with: [] };
  const counts: Record<Kind, number[]> = { without: [], with: [] };
  const turn = async (kind: Kind): Promise<void> => {
    const before = await transactions();
    for (let call = 0; call < CALLS; call += 1) {
      const at = performance.now();
      await act(kind);
      times[kind].push(performance.now() - at);
    }
    counts[kind].push(((await transactions()) - before) / CALLS);
  };
  for (const kind of KINDS) await turn(kind);
  for (const kind of KINDS) [times[kind], counts[kind]] = [[], []];
  for (let at = 0; at < TURNS; at += 1) for (const kind of at % 2 === 0 ? KINDS : KINDS.toReversed()) await turn(kind);
  connection.destroy();
  const medianOf = (values: readonly number[]): number =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length * MEDIAN)] ?? 0;
  const median = (kind: Kind) => medianOf(times[kind]);
  for (const kind of KINDS)
    console.log(
      `${kind.padEnd(8)} a credential: median ${median(kind).toFixed(2)} ms of ${times[kind].length} actions, ${medianOf(counts[kind]).toFixed(2)} transactions each`,
    );
  const more = medianOf(counts.with) - medianOf(counts.without);
  console.log(
    `a lease costs ${(median('with') - median('without')).toFixed(2)} ms (at most 1 is asked), and ${more.toFixed(2)} transactions`,
  );
} finally {
  for (const each of undo.toReversed()) await each();
}
