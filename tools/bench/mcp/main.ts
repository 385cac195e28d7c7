import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { governServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { startChild } from '../child.ts';
import { buildHttpRequest } from '../job.ts';
import { type LoadMeasure, type LoadTarget, measure } from '../measure.ts';
import { getMedian } from '../numbers.ts';
import { type CleanupSteps, startService } from '../service.ts';

/**
 * npm run bench -- mcp
 *
 * Measures the same tool of a modern server called directly, through the gateway, and as an HTTP tool.
 */
endOnOtherWords(
  `Measures what a call of an MCP tool costs more through the gateway than directly:

    npm run bench -- mcp            all of it
    npm run bench -- mcp --quick    shorter, and less exact`,
  /^--quick$/,
);
const isQuick = process.argv.includes('--quick');
const CONNECTIONS = 16;
const ROUNDS = isQuick ? 1 : 5;
const ROUND_MS = isQuick ? 300 : 3_000;
const WARM_UP_MS = isQuick ? 300 : 8_000;
const WANTED = { p50Ms: 6, p99Ms: 20, perSecond: 1_500 };

/** Builds a request of a client of revision 2026-07-28. */
const toolCall = (path: string, token?: string): Buffer => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  };
  const params = { name: 'ping', arguments: { text: 'ping' }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = [
    ...['host: 127.0.0.1', 'content-type: application/json', 'accept: application/json, text/event-stream'],
    ...['mcp-protocol-version: 2026-07-28', 'mcp-method: tools/call', 'mcp-name: ping', `content-length: ${Buffer.byteLength(body)}`],
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ];
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
};

type Load = {
  readonly name: string;
  readonly target: LoadTarget;
  readonly port: number;
  readonly lanes: readonly (readonly Uint8Array[])[];
  /** Text that the body of each right response contains. */
  readonly proof: string;
};

const PONG = '"text":"pong"';

const undo: CleanupSteps = [];
try {
  const [service, generator, server] = await Promise.all([
    startService(undo),
    startChild('generator.ts', undo),
    startChild('mcp/server.ts', undo),
  ]);
  const serverPort = (await server.ask({})) as number;
  const tenant = await newTenant(service);
  await stepUp(service.controlUrl, tenant);
  await activateRules(tenant, 'base', [{ id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' }]);
  const agents = [];
  for (let at = 0; at < CONNECTIONS; at += 1) agents.push(await newAgent(tenant, { capabilities: ['pay'] }));
  const [agent, ...otherAgents] = agents;
  if (agent === undefined) throw new Error('there is no agent');
  const { url } = await governServer({ planes: service, tenant, agent, otherAgents }, `http://127.0.0.1:${serverPort}/mcp`);
  const tokens = await Promise.all(agents.map((each) => mintToken(service.gatewayUrl, each)));
  const { pathname, port } = new URL(url);
  const host = `127.0.0.1:${serverPort}`;
  const post = (path: string, body: object) => mustCall(service.controlUrl, 'POST', path, { token: tenant.token, body });
  const tool = await post('/v1/tools', {
    ...{ name: 'pay.http', environment_id: tenant.environment_id, required_capability: 'pay', kind: 'HTTP', destination_allowlist: [host] },
    execution: { method: 'POST', url: `http://${host}/` },
  });
  for (const { id } of agents) await post(`/v1/tools/${tool.id}/agents`, { agent_id: id });
  const gateway = { target: { pid: service.gatewayPid, postgresPid: service.postgresPid }, port: Number(port) };
  const loads: readonly Load[] = [
    {
      ...{ name: 'directly', target: { pid: server.pid, postgresPid: null }, port: serverPort, proof: PONG },
      lanes: agents.map(() => [toolCall('/mcp')]),
    },
    { ...gateway, name: 'through the gateway', proof: PONG, lanes: tokens.map((token) => [toolCall(pathname, token)]) },
    {
      ...{ ...gateway, name: 'an HTTP tool', proof: '"state":"EXECUTED"' },
      lanes: tokens.map((token) => [buildHttpRequest('/gateway/v1/actions', { tool: 'pay.http', parameters: { text: 'ping' } }, token)]),
    },
  ];
  const run = async ({ target, port: at, lanes, proof }: Load, forMs: number): Promise<LoadMeasure> =>
    (await measure(generator, target, { port: at, lanes, proof, forMs })).measure;
  const measured = loads.map((): LoadMeasure[] => []);
  for (const load of loads) await run(load, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) for (const [at, load] of loads.entries()) measured[at]?.push(await run(load, ROUND_MS));
  const [direct, through, http] = measured.map((rounds) => {
    const middle = (figure: keyof LoadMeasure): number => getMedian(rounds.map((round) => Number(round[figure])));
    return {
      p50: middle('p50Ms'),
      p99: middle('p99Ms'),
      rate: middle('perSecond'),
      node: middle('nodeMicros'),
      postgres: middle('postgresMicros'),
    };
  });
  if (direct === undefined || through === undefined || http === undefined) throw new Error('nothing was measured');
  const line = (name: string, figures: readonly string[]): void =>
    console.log(name.padEnd(22) + figures.map((each) => each.padStart(16)).join(''));
  console.log(`${ROUNDS} rounds of ${ROUND_MS / 1_000} s each, in turns, ${CONNECTIONS} calls in flight, medians:`);
  line('', ['p50', 'p99', 'per second', 'server, us', 'PostgreSQL, us']);
  for (const [at, { p50, p99, rate, node, postgres }] of [direct, through, http].entries())
    line(loads[at]?.name ?? '', [`${p50.toFixed(2)} ms`, `${p99.toFixed(2)} ms`, rate.toFixed(0), node.toFixed(0), postgres.toFixed(0)]);
  const [p50, p99] = [through.p50 - direct.p50, through.p99 - direct.p99];
  line('the gateway adds', [`${p50.toFixed(2)} ms`, `${p99.toFixed(2)} ms`]);
  const isReached = p50 <= WANTED.p50Ms && p99 <= WANTED.p99Ms && through.rate >= WANTED.perSecond;
  console.log(
    `Wanted on two idle cores: at most ${WANTED.p50Ms} ms and ${WANTED.p99Ms} ms more, ${WANTED.perSecond} calls a second: ${isReached ? 'reached' : 'NOT reached here'}.`,
  );
} finally {
  for (const each of undo.toReversed()) await each();
}
