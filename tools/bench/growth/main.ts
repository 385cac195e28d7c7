import { mintToken } from '@svc/testing/agents/agent.ts';
import { connectAsOwner } from '@svc/testing/database/database.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import type pg from 'pg';
import { type Child, startChild } from '../child.ts';
import { buildHttpRequest } from '../job.ts';
import { readMachine } from '../machine.ts';
import { type LoadMeasure, measure } from '../measure.ts';
import { getMedian } from '../numbers.ts';
import { getRefund } from '../rules.ts';
import { setScene } from '../scene.ts';
import { type BenchService, type CleanupSteps, startService } from '../service.ts';
import { waitForUntilSealed } from '../until-sealed.ts';
import { addActions, addAgents } from './grow.ts';

/** npm run bench -- growth [<agents> <actions>]: decisions before and after an organization has grown. */
endOnOtherWords(
  `Compares decisions of a new organization with those after it has grown:

    npm run bench -- growth                  10,000 agents and 5,000,000 actions
    npm run bench -- growth 1000 100000      agents and actions

It adds actions for 8 minutes at most, and reports how many there are.`,
  /^[1-9]\d{0,7}$/,
);
const [agentCount = 10_000, actionCount = 5_000_000] = process.argv.slice(2).map(Number);
const CONNECTIONS = 32;
const WARM_UP_MS = 5_000;
const ROUND_MS = 5_000;
const ROUNDS = 3;
const GROW_MS = 8 * 60_000;

type Stage = {
  readonly service: BenchService;
  readonly generator: Child;
  readonly owner: pg.Client;
  readonly lanes: readonly (readonly Uint8Array[])[];
};

const runRounds = async ({ service, generator, owner, lanes }: Stage): Promise<readonly LoadMeasure[]> => {
  const target = { pid: service.gatewayPid, postgresPid: service.postgresPid };
  const run = async (forMs: number): Promise<LoadMeasure> => {
    const job = { port: Number(new URL(service.gatewayUrl).port), lanes, forMs, proof: '"decision":"ALLOW"' };
    const { measure: measured } = await measure(generator, target, job);
    await waitForUntilSealed(owner);
    return measured;
  };
  await run(WARM_UP_MS);
  const rounds: LoadMeasure[] = [];
  for (let index = 0; index < ROUNDS; index += 1) rounds.push(await run(ROUND_MS));
  return rounds;
};

const describeRounds = (name: string, rounds: readonly LoadMeasure[]): string => {
  const of = (key: 'perSecond' | 'p50Ms' | 'p99Ms' | 'nodeMicros' | 'postgresMicros'): string =>
    getMedian(rounds.map((round) => round[key] ?? 0)).toFixed(key.endsWith('Ms') ? 2 : 0);
  return `${name.padEnd(8)} ${of('perSecond')} per s, p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms, gateway ${of('nodeMicros')} us, database ${of('postgresMicros')} us`;
};

const run = async (undo: CleanupSteps): Promise<void> => {
  const [service, generator] = await Promise.all([startService(undo), startChild('generator.ts', undo)]);
  const owner = await connectAsOwner(service.databaseUrl);
  undo.push(() => owner.end());
  const { agents } = await setScene(service.controlUrl, CONNECTIONS);
  const tokens = await Promise.all(agents.map((agent) => mintToken(service.gatewayUrl, agent)));
  const lanes = tokens.map((token, index) => [buildHttpRequest('/gateway/v1/actions', getRefund(index), token)]);
  const stage: Stage = { service, generator, owner, lanes };
  const before = await runRounds(stage);
  const startedAt = performance.now();
  await addAgents(owner, agents[0]?.id ?? '', agentCount);
  await addActions(
    owner,
    agents.map(({ id }) => id),
    actionCount,
    GROW_MS,
  );
  const grownMs = performance.now() - startedAt;
  const { rows } = await owner.query<{ agents: number; actions: number; version: string }>(
    `select (select count(*)::int from agents) as agents, (select count(*)::int from actions) as actions, current_setting('server_version') as version`,
  );
  const after = await runRounds(stage);
  const machine = readMachine(rows[0]?.version ?? '');
  console.log(
    `${machine.processor}, ${machine.cores} cores; Node ${machine.node}, PostgreSQL ${machine.postgres}; ${CONNECTIONS} connections`,
  );
  console.log(`grown to ${rows[0]?.agents} agents and ${rows[0]?.actions} actions in ${Math.round(grownMs / 1000)} s`);
  console.log(describeRounds('new', before));
  console.log(describeRounds('grown', after));
  const rate = (rounds: readonly LoadMeasure[]): number => getMedian(rounds.map(({ perSecond }) => perSecond));
  console.log(`grown / new: ${(rate(after) / rate(before)).toFixed(3)}`);
};

const undo: CleanupSteps = [];
try {
  await run(undo);
} finally {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
}
