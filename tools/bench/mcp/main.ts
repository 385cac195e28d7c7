import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { governServer } from '@svc/testing/agents/govern-mcp-server.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { startChild } from '../child.ts';
import { type Measure, measure, type Target } from '../measure.ts';
import { median } from '../numbers.ts';
import { startService, type Undo } from '../service.ts';

/** npm run bench -- mcp: the same tool of a modern server called directly and through the gateway, in turns. */
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

/** The request as a client of revision 2026-07-28 sends it. */
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

type Load = { readonly target: Target; readonly port: number; readonly lanes: readonly (readonly Uint8Array[])[] };

const undo: Undo = [];
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
  const direct: Load = {
    ...{ target: { pid: server.pid, postgresPid: null }, port: serverPort },
    lanes: agents.map(() => [toolCall('/mcp')]),
  };
  const through: Load = {
    ...{ target: { pid: service.gatewayPid, postgresPid: service.postgresPid }, port: Number(port) },
    lanes: tokens.map((token) => [toolCall(pathname, token)]),
  };
  const run = async ({ target, ...load }: Load, forMs: number): Promise<Measure> =>
    (await measure(generator, target, { ...load, forMs, proof: '"text":"pong"' })).measure;
  for (const load of [direct, through]) await run(load, WARM_UP_MS);
  const rounds: (readonly [direct: Measure, through: Measure])[] = [];
  for (let at = 0; at < ROUNDS; at += 1) rounds.push([await run(direct, ROUND_MS), await run(through, ROUND_MS)]);
  const middle = (of: 0 | 1, figure: keyof Measure): number => median(rounds.map((round) => Number(round[of][figure])));
  const line = (name: string, figures: readonly string[]): void =>
    console.log(name.padEnd(22) + figures.map((each) => each.padStart(14)).join(''));
  console.log(`${ROUNDS} rounds of ${ROUND_MS / 1_000} s each way, ${CONNECTIONS} calls in flight, medians:`);
  line('', ['p50', 'p99', 'calls a second']);
  const [p50, p99] = (['p50Ms', 'p99Ms'] as const).map((figure) => [middle(0, figure), middle(1, figure)] as const) as [
    readonly [number, number],
    readonly [number, number],
  ];
  const perSecond = middle(1, 'perSecond');
  for (const [of, name] of [
    [0, 'directly'],
    [1, 'through the gateway'],
  ] as const)
    line(name, [`${p50[of].toFixed(2)} ms`, `${p99[of].toFixed(2)} ms`, middle(of, 'perSecond').toFixed(0)]);
  line('the gateway adds', [`${(p50[1] - p50[0]).toFixed(2)} ms`, `${(p99[1] - p99[0]).toFixed(2)} ms`]);
  console.log(
    `Processor time of a call: gateway ${Math.round(middle(1, 'nodeMicros'))} us, PostgreSQL ${Math.round(middle(1, 'postgresMicros'))} us.`,
  );
  console.log(`Wanted on two idle cores: p50 ${WANTED.p50Ms} ms, p99 ${WANTED.p99Ms} ms more, ${WANTED.perSecond} calls a second.`);
  if (p50[1] - p50[0] > WANTED.p50Ms || p99[1] - p99[0] > WANTED.p99Ms || perSecond < WANTED.perSecond) console.log('NOT reached here.');
} finally {
  for (const each of undo.toReversed()) await each();
}
