import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import type { Governed } from '@svc/testing/agents/governed.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { newFull, newPlain, REQUEST } from './scene.ts';

/** npm run bench -- controls */
endOnOtherWords(
  `Measures two gateways: the rate of governed decisions with and without flow labels, score rules and incident rules, and the time that emergency
controls take at four times the load of which the gateways are busy:

    npm run bench -- controls`,
  /^$/,
);

const CONNECTIONS = 16;
const OVERLOAD = 4;
const ROUNDS = 5;
const ROUND_MS = 4_000;
const STOPS = 12;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

type Load = { readonly stop: () => Promise<number> };

/** Requests one after the other on each connection, over both gateways, until stopped. */
const startLoad = (governed: Governed, tokens: readonly string[], connections: number): Load => {
  let isRunning = true;
  let answered = 0;
  const work = async (_: unknown, index: number): Promise<void> => {
    const gateway = index % tokens.length;
    while (isRunning) {
      const { status, text } = await governed.act(REQUEST, { gateway, token: tokens[gateway] ?? '' });
      if (status === 200) answered += 1;
      else if (status !== 429 && status !== 503) throw new Error(text);
    }
  };
  const all = Promise.all(Array.from({ length: connections }, work));
  return {
    stop: async () => {
      isRunning = false;
      await all;
      return answered;
    },
  };
};

const planes = await startPlanes({ gateways: 2 });
const worker = await startWorker(planes.database, {});
try {
  const mint = ({ agent }: Governed) => Promise.all(planes.gatewayUrls.map((url) => mintToken(url, agent)));
  const [plain, full] = [await newPlain(planes), await newFull(planes)];
  const [plainTokens, fullTokens] = [await mint(plain), await mint(full)];
  const measureRate = async (governed: Governed, tokens: readonly string[]): Promise<number> => {
    const startedAt = performance.now();
    const load = startLoad(governed, tokens, CONNECTIONS);
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    return ((await load.stop()) / (performance.now() - startedAt)) * 1_000;
  };
  await measureRate(plain, plainTokens);
  await measureRate(full, fullTokens);
  const ratios: number[] = [];
  const rates: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await measureRate(plain, plainTokens);
    const withAll = await measureRate(full, fullTokens);
    rates.push([without, withAll]);
    ratios.push(withAll / without);
  }
  console.log(`Governed decisions per second, without and with: ${rates.map((pair) => pair.map(Math.round).join(' / ')).join(', ')}`);
  console.log(`Median ratio: ${median(ratios).toFixed(2)}`);

  const load = startLoad(full, fullTokens, CONNECTIONS * OVERLOAD);
  await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
  const times: number[] = [];
  let allowedAfter = 0;
  for (let stop = 0; stop < STOPS; stop += 1) {
    const agent = await newAgent(full.tenant, { capabilities: ['pay'] });
    await full.owner('POST', `/v1/tools/${full.tool.id}/agents`, { agent_id: agent.id });
    const tokens = await Promise.all(planes.gatewayUrls.map((url) => mintToken(url, agent)));
    const startedAt = performance.now();
    const answer = await full.owner('POST', '/v1/emergency/isolate-agent', { target: agent.id, reason: 'bench', confirm_blast_radius: 1 });
    times.push(performance.now() - startedAt);
    if (answer.status !== 200) throw new Error(answer.text);
    const after = await Promise.all([0, 1, 0, 1].map((gateway) => full.act(REQUEST, { gateway, token: tokens[gateway] ?? '' })));
    allowedAfter += after.filter(({ status }) => status === 200).length;
  }
  await load.stop();
  console.log(
    `isolate-agent at ${OVERLOAD} times ${CONNECTIONS} connections: median ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms, ${allowedAfter} of ${STOPS * 4} requests allowed that began after the answer`,
  );
} finally {
  await worker.stop();
  await planes.stop();
}
