import type { LoadMeasure, ProgramMicros } from './measure.ts';
import { getMedian } from './numbers.ts';
import { type BenchReport, type BenchRow, ROWS } from './run-bench.ts';

const NAMES: Readonly<Record<BenchRow, string>> = {
  echo: 'a  bare node:http',
  jsonEcho: "a' bare, with JSON",
  dryRun: 'b  dry run, gateway',
  unsealed: 'c- worker halted',
  action: 'c  governed action',
  keyed: "c' with a key",
  evaluate: "b' dry run, control",
  proxied: 'p  bare proxy',
  executed: 'x  executed over HTTP',
  insert: 'd  bare insert',
};

const METHOD = `Method. Everything runs on this machine: the service as npm start runs it (embedded PostgreSQL with its normal, durable settings on a fresh
database; both planes with LOG_LEVEL=info to a file), a bare node:http server, and one load generator for all rows, each a process of its own.
The generator writes requests that were serialised before over raw kept-alive sockets, one request in flight per connection, and reads answers by
their content-length. The row "executed over HTTP" is a governed action whose tool calls a downstream that answers at once: decided and committed,
called, its outcome committed, and only then answered; the bare proxy forwards the same requests to the same downstream over kept connections.
Their "rest" is the generator, the downstream and the process that seals. The row "bare insert" is the database without the service: as many connections commit
rows of 1,000 bytes one after the other, so that c/d says how near a recorded decision is to what the database can commit. Each connection is another agent with its own token. In the row "with a key" each carries an
Idempotency-Key of its own, as the client library sends it. In the row "worker halted" the process that seals the events and reads them for
webhooks stands still meanwhile; behind each row that records the bench waits until everything is sealed. The bare server reads the same requests whole and answers as many bytes
as the gateway, the same ones each time; in the row "with JSON" it parses each request and serialises each answer. 20 rules are active, 4 of
them are consulted by each request. A governed action is decided, committed together with its two audit events, and only then answered. Every
answer is checked for status 200 and the decision ALLOW; one that differs ends the bench. Each row is warmed up first, for twice as long as a
stretch: until the engine has compiled what is hot, and the database uses its first log files again instead of making new ones. Then the rows
take turns in each round, so that drift meets all of them. Processor time is from /proc/<pid>/stat: "node" is the server that answers,
"pg" all processes of PostgreSQL. Assertions for tokens are signed before the clock starts, and each is redeemed once.`;

const number = (value: number | null, digits: number): string =>
  value === null ? '-' : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const row = (name: string, m: LoadMeasure): string =>
  [
    `  ${name.padEnd(22)}`,
    number(m.perSecond, 0).padStart(8),
    number(m.p50Ms, 2).padStart(8),
    number(m.p99Ms, 2).padStart(8),
    number(m.nodeMicros, 0).padStart(8),
    number(m.postgresMicros, 0).padStart(8),
    number(m.besidesMicros, 0).padStart(8),
  ].join('');

const HEADING = `  ${''.padEnd(22)}${['per s', 'p50 ms', 'p99 ms', 'node us', 'pg us', 'rest us'].map((name) => name.padStart(8)).join('')}`;

const computeMedian = (measures: readonly LoadMeasure[]): LoadMeasure => {
  const of = (name: keyof LoadMeasure): number => getMedian(measures.map((each) => each[name] ?? 0));
  const orNull = (name: keyof LoadMeasure): number | null => (measures.some((each) => each[name] === null) ? null : of(name));
  return {
    answered: of('answered'),
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    nodeMicros: orNull('nodeMicros'),
    postgresMicros: orNull('postgresMicros'),
    besidesMicros: orNull('besidesMicros'),
  };
};

/**
 * Returns the rates of (c) and (b) over that of (a), of (c) over that of (a'), of (c) over that of (c-), and of (c) over that of (d), of each round and of their
 * medians.
 */
export const getRatios = ({ rounds }: Pick<BenchReport, 'rounds'>) => {
  const each = (kind: BenchRow, over: BenchRow): number[] => rounds.map((round) => round[kind].perSecond / round[over].perSecond);
  const [action, dryRun, overJson] = [each('action', 'echo'), each('dryRun', 'echo'), each('action', 'jsonEcho')];
  const sealing = each('action', 'unsealed');
  const overInsert = each('action', 'insert');
  const medians = {
    medianAction: getMedian(action),
    medianDryRun: getMedian(dryRun),
    medianOverJson: getMedian(overJson),
    medianSealing: getMedian(sealing),
    medianOverInsert: getMedian(overInsert),
  };
  return { action, dryRun, overJson, sealing, overInsert, ...medians };
};

/** The median time of each program for one decision of the row `c`, its sealing included. */
const describePrograms = (all: readonly (ProgramMicros | null)[]): string => {
  const known = all.filter((each) => each !== null);
  const of = (name: keyof ProgramMicros): string => number(known.length === 0 ? null : getMedian(known.map((each) => each[name])), 0);
  return `  Processor time of a decision (c), until sealed, us: gateway ${of('gateway')}, database ${of('postgres')}, worker ${of('worker')}, control plane ${of('controlPlane')}`;
};

export const describe = (report: BenchReport): string => {
  const { machine, rounds, bytes, recorded } = report;
  const ratios = getRatios(report);
  const ratioLine = (action = 0, dryRun = 0, overJson = 0, sealing = 0, overInsert = 0): string =>
    `  c/a ${action.toFixed(3)}   b/a ${dryRun.toFixed(3)}   c/a' ${overJson.toFixed(3)}   c/c- ${sealing.toFixed(3)}   c/d ${overInsert.toFixed(3)}`;
  return [
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}; Node ${machine.node}, PostgreSQL ${machine.postgres}`,
    `${report.plan.connections} connections, ${report.plan.roundMs / 1000} s a stretch; request ${bytes.request} bytes, answer ${bytes.answer} (bare ${bytes.echoAnswer})`,
    '',
    ...rounds.flatMap((round, index) => [
      HEADING.replace(/^ {9}/, `  Round ${index + 1}`),
      ...ROWS.map((kind) => row(NAMES[kind], round[kind])),
      ratioLine(ratios.action[index], ratios.dryRun[index], ratios.overJson[index], ratios.sealing[index], ratios.overInsert[index]),
    ]),
    HEADING.replace(/^ {8}/, '  Median'),
    ...ROWS.map((kind) => row(NAMES[kind], computeMedian(rounds.map((round) => round[kind])))),
    ratioLine(ratios.medianAction, ratios.medianDryRun, ratios.medianOverJson, ratios.medianSealing, ratios.medianOverInsert),
    describePrograms(rounds.map(({ programs }) => programs)),
    '',
    HEADING,
    row('c  one connection', report.alone),
    row('tokens minted', report.minting),
    `Gateway memory after the run: ${number(report.gatewayMegabytes, 0)} MB`,
    `Processor time that other programs took during the rounds: ${report.othersShare === null ? 'unknown' : `${(report.othersShare * 100).toFixed(0)} %`}`,
    `Governed actions answered: ${number(recorded.answered, 0)}; actions in the database: ${number(recorded.rows, 0)}`,
    '',
    METHOD,
  ].join('\n');
};
