import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsOwner } from '@svc/testing/database/database.ts';
import type pg from 'pg';
import { type Child, startChild } from './child.ts';
import type { InsertReport } from './inserts.ts';
import { type Helpers, KINDS, type LoadKind, type Loads, newLoads } from './loads.ts';
import { type BenchMachine, readMachine } from './machine.ts';
import { type LoadMeasure, measure, type ProgramMicros } from './measure.ts';
import { mintTokens } from './mint-tokens.ts';
import type { BenchPlan } from './plan.ts';
import { canMeasure, getFamilyMicros, getMachineMicros, getProcessMicros, getResidentMegabytes } from './processor-time.ts';
import { DOWNSTREAM_BODY, setScene } from './scene.ts';
import { type BenchService, type CleanupSteps, startService } from './service.ts';
import { waitForUntilSealed } from './until-sealed.ts';

/** In the order in which they are reported: the last one is the database alone. */
export const ROWS = [...KINDS, 'insert'] as const;
export type BenchRow = (typeof ROWS)[number];

export type BenchRound = Readonly<Record<BenchRow, LoadMeasure>> & {
  /** Times of the row `action`; null if the system does not report them. */
  readonly programs: ProgramMicros | null;
};

export type BenchReport = {
  readonly plan: BenchPlan;
  readonly machine: BenchMachine;
  readonly rounds: readonly BenchRound[];
  /** The governed action with only one connection. */
  readonly alone: LoadMeasure;
  readonly minting: LoadMeasure;
  readonly gatewayMegabytes: number | null;
  /** Share of the machine's processor time that other programs took during the rounds; null if the system does not report it. */
  readonly othersShare: number | null;
  readonly bytes: Loads['bytes'];
  /** Governed actions that were answered in the whole run, and actions in the database afterwards. */
  readonly recorded: { readonly answered: number; readonly rows: number };
};

/** Pause between two periods, so that the database's later work is not counted in the next. */
const SETTLE_MS = 200;

const countActions = async (owner: pg.Client): Promise<{ rows: number; version: string }> => {
  const { rows } = await owner.query("select (select count(*)::int from actions) as rows, current_setting('server_version') as version");
  return rows[0];
};

/** About as long as the row of an action. */
const INSERTED_BYTES = 1_000;

type Processes = Helpers & { readonly service: BenchService; readonly inserts: Child };
type Stage = {
  readonly inserts: Child;
  readonly plan: BenchPlan;
  readonly service: BenchService;
  readonly owner: pg.Client;
  readonly generator: Child;
  readonly loads: Loads;
  answered: number;
};

/** Kinds whose responses are in the database. */
const RECORDED: readonly LoadKind[] = ['unsealed', 'action', 'keyed', 'executed'];

const runOne = async (stage: Stage, kind: LoadKind, forMs: number, connections: number = stage.plan.connections): Promise<LoadMeasure> => {
  const { target, lanes, unique, proof = '"decision":"ALLOW"' } = stage.loads[kind];
  const job = {
    port: target.port,
    lanes: lanes.slice(0, connections),
    forMs,
    proof,
    ...(unique === undefined ? {} : { unique }),
  };
  if (kind === 'unsealed') process.kill(stage.service.workerPid, 'SIGSTOP');
  const { measure: measured, report } = await measure(stage.generator, target, job).finally(
    () => kind === 'unsealed' && process.kill(stage.service.workerPid, 'SIGCONT'),
  );
  await sleep(SETTLE_MS);
  if (!RECORDED.includes(kind)) return measured;
  stage.answered += report.answered;
  await waitForUntilSealed(stage.owner);
  return measured;
};

/** Commits single rows over the same number of connections, without the service. */
const runInserts = async ({ inserts, service, plan }: Stage, forMs: number): Promise<LoadMeasure> => {
  const before = getFamilyMicros(service.postgresPid);
  const job = { url: service.databaseUrl, connections: plan.connections, forMs, bytes: INSERTED_BYTES };
  const { answered, tookMs, p50Ms, p99Ms } = (await inserts.ask(job)) as InsertReport;
  const micros = getFamilyMicros(service.postgresPid) - before;
  await sleep(SETTLE_MS);
  return {
    ...{ answered, perSecond: (answered * 1000) / tookMs, p50Ms, p99Ms },
    ...{ nodeMicros: null, postgresMicros: canMeasure && answered > 0 ? micros / answered : null, besidesMicros: null },
  };
};

const readPrograms = ({ gatewayPid, postgresPid, workerPid, controlPid }: BenchService): ProgramMicros => ({
  gateway: getProcessMicros(gatewayPid),
  postgres: getFamilyMicros(postgresPid),
  worker: getProcessMicros(workerPid),
  controlPlane: getProcessMicros(controlPid),
});

/** Runs the row `action`, and reads the time of all programs until its events are sealed. */
const runActions = async (
  stage: Stage,
  forMs: number,
): Promise<{ readonly action: LoadMeasure; readonly programs: ProgramMicros | null }> => {
  const before = readPrograms(stage.service);
  const action = await runOne(stage, 'action', forMs);
  const after = readPrograms(stage.service);
  const each = (name: keyof ProgramMicros): number => (after[name] - before[name]) / action.answered;
  const programs = { gateway: each('gateway'), postgres: each('postgres'), worker: each('worker'), controlPlane: each('controlPlane') };
  return { action, programs: canMeasure && action.answered > 0 ? programs : null };
};

const runRound = async (stage: Stage, forMs: number): Promise<BenchRound> => {
  const round: Partial<Record<BenchRow, LoadMeasure>> = {};
  let programs: ProgramMicros | null = null;
  for (const kind of KINDS) {
    if (kind === 'action') ({ action: round.action, programs } = await runActions(stage, forMs));
    else round[kind] = await runOne(stage, kind, forMs);
  }
  round.insert = await runInserts(stage, forMs);
  return { ...(round as Record<BenchRow, LoadMeasure>), programs };
};

/** Returns the processor time of everything that the bench has started, and itself. */
const ownMicros = ({ service, generator, echo, downstream, proxy, inserts }: Processes): number => {
  const single = [
    process.pid,
    ...[generator, echo, downstream, proxy, inserts].map(({ pid }) => pid),
    service.gatewayPid,
    service.controlPid,
    service.workerPid,
  ];
  return single.reduce((sum, pid) => sum + getProcessMicros(pid), getFamilyMicros(service.postgresPid));
};

const watchOthers = (processes: Processes): (() => number | null) => {
  const read = () => ({ ...getMachineMicros(), own: ownMicros(processes) });
  const before = read();
  return () => {
    const after = read();
    const others = after.busy - before.busy - (after.own - before.own);
    return canMeasure ? Math.max(0, others) / (after.capacity - before.capacity) : null;
  };
};

const runAll = async (plan: BenchPlan, processes: Processes, owner: pg.Client, log: (line: string) => void): Promise<BenchReport> => {
  const { service, generator, downstream } = processes;
  log('Setting the scene ...');
  const downstreamPort = (await downstream.ask({ body: Buffer.from(DOWNSTREAM_BODY) })) as number;
  const scene = await setScene(service.controlUrl, plan.agents, { downstreamPort });
  const loads = await newLoads(plan, service, scene, { ...processes, downstreamPort });
  const stage: Stage = { plan, service, owner, inserts: processes.inserts, generator, loads, answered: loads.answered };
  log('Warming up ...');
  await runRound(stage, plan.warmUpMs);
  const rounds: BenchRound[] = [];
  const readOthers = watchOthers(processes);
  for (let index = 1; index <= plan.rounds; index += 1) {
    log(`Round ${index} of ${plan.rounds} ...`);
    rounds.push(await runRound(stage, plan.roundMs));
  }
  const othersShare = readOthers();
  log('One connection alone, then tokens ...');
  const alone = await runOne(stage, 'action', plan.aloneMs, 1);
  const minting = await mintTokens(plan, service, scene, generator);
  const { rows, version } = await countActions(owner);
  return {
    plan,
    machine: readMachine(version),
    rounds,
    alone,
    minting,
    gatewayMegabytes: getResidentMegabytes(service.gatewayPid),
    othersShare,
    bytes: loads.bytes,
    recorded: { answered: stage.answered, rows },
  };
};

const undoAll = async (undo: CleanupSteps): Promise<void> => {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
};

/** Runs the whole bench, from a new database to the end of every process it started, also if it is interrupted. */
export const runBench = async (plan: BenchPlan, log: (line: string) => void): Promise<BenchReport> => {
  const undo: CleanupSteps = [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void undoAll(undo).then(() => process.exit(130)));
  try {
    log('Starting the service on a fresh database ...');
    const [service, generator, echo, downstream, proxy, inserts] = await Promise.all([
      startService(undo),
      startChild('generator.ts', undo),
      startChild('echo.ts', undo),
      startChild('echo.ts', undo),
      startChild('proxy.ts', undo),
      startChild('inserts.ts', undo),
    ]);
    const owner = await connectAsOwner(service.databaseUrl);
    undo.push(() => owner.end());
    return await runAll(plan, { service, generator, echo, downstream, proxy, inserts }, owner, log);
  } finally {
    await undoAll(undo);
  }
};
