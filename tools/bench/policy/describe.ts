import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { LoadMeasure } from '../measure.ts';
import { TUNED } from './cerbos-server.ts';
import { CERBOS_VERSION } from './install-cerbos.ts';
import { COUNTS, type RuleCount } from './rules.ts';
import type { PolicyReport } from './run-policy-bench.ts';

const METHOD = `Method. Every engine has the same rules: a tool, a bound of the amount and a list of countries, where a matching BLOCK wins and BLOCK is the
answer when nothing matches. Three of the rules can match a request; they are spread among the others. Sixty different requests are asked in turn,
allowed and blocked ones. Before anything is measured each engine answers all of them, and one answer that differs from the plainest reading of the
rules ends the bench; while it is measured the allowed ones are counted.
In process: one process, engines and numbers of rules take turns in each round, and the fastest round of each counts, since whatever else the
machine does only adds. Requests are handed over in each engine's own form
beforehand. This engine answers with the trace of every condition of the rules that could match; the others answer allow or deny. "Long rules" are the
same rules with four or five conditions more each (pattern, network, hours, weekdays, lists, "any", "not", "*" over a list). casbin: enforceSync over
rows, one matcher. cedar-wasm: policies parsed beforehand (preparsePolicySet, statefulIsAuthorized), the tool as action. json-rules-engine: the tool
asked first by priority.
Over HTTP: the service as npm start runs it on a fresh database, and Cerbos on the same machine, each asked the same questions by the same generator over
raw kept-alive connections, one request in flight each. The gateway authenticates each agent, checks the parameters against the tool's schema, runs the
whole pipeline, asks the database whether its state is the newest, and answers with the trace. Cerbos has a policy file for each tool and answers the
effect. The load sends the allowed requests; each answer is checked.
As shipped is Cerbos' own default configuration with its policies on disk. Tuned is ${TUNED.flags.join(' ')}
with ${Object.entries(TUNED.environment)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')}.
Processor time is that of the server's process and, for the gateway, of all processes of PostgreSQL.`;

const number = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Versions are pinned exactly, so the manifests state what is installed. */
const versions = (): string => {
  const root = path.resolve(import.meta.dirname, '..', '..', '..', 'package.json');
  const { devDependencies } = JSON.parse(readFileSync(root, 'utf8')) as { devDependencies: Record<string, string> };
  const names = ['casbin', 'json-rules-engine', '@cedar-policy/cedar-wasm'];
  return [...names.map((name) => `${name} ${devDependencies[name]}`), `cerbos ${CERBOS_VERSION}`].join(', ');
};

const inProcessLines = ({ inProcess }: PolicyReport): string[] => {
  const own = inProcess[0]?.micros ?? { 10: 0, 100: 0, 1000: 0 };
  const heading = `  ${''.padEnd(26)}${COUNTS.map((count) => String(count).padStart(11)).join('')}      10 -> 1,000`;
  const row = (name: string, micros: Readonly<Record<RuleCount, number>>): string =>
    `  ${name.padEnd(26)}${COUNTS.map((count) => number(micros[count], 2).padStart(11)).join('')}${`${number(micros[1000] / micros[10], 2)} times`.padStart(17)}`;
  const times = (name: string, micros: Readonly<Record<RuleCount, number>>): string =>
    `  ${name.padEnd(26)}${COUNTS.map((count) => number(micros[count] / own[count], 0).padStart(11)).join('')}`;
  return [
    'In process: microseconds a decision, by number of rules',
    heading,
    ...inProcess.map(({ name, micros }) => row(name, micros)),
    'Times what this engine takes',
    ...inProcess.slice(1).map(({ name, micros }) => times(name, micros)),
  ];
};

const httpRow = (name: string, count: RuleCount, m: LoadMeasure): string =>
  [
    `  ${name.padEnd(26)}`,
    number(count, 0).padStart(7),
    number(m.perSecond, 0).padStart(10),
    number(m.p50Ms, 2).padStart(9),
    number(m.p99Ms, 2).padStart(9),
    number(m.nodeMicros ?? 0, 0).padStart(11),
    number(m.postgresMicros ?? 0, 0).padStart(8),
  ].join('');

const httpLines = ({ overHttp, cerbosMissing, plan }: PolicyReport): string[] => {
  const [own, ...others] = overHttp;
  if (own === undefined) return [];
  const heading = ['rules', 'per s', 'p50 ms', 'p99 ms', 'server us', 'pg us'];
  const widths = [7, 10, 9, 9, 11, 8];
  return [
    `Over HTTP: ${plan.http.connections} connections, medians of ${plan.http.rounds} rounds of ${plan.http.roundMs / 1000} s`,
    `  ${''.padEnd(26)}${heading.map((name, place) => name.padStart(widths[place] ?? 0)).join('')}`,
    ...COUNTS.flatMap((count) => overHttp.map(({ name, at }) => httpRow(name, count, at[count]))),
    ...(cerbosMissing === null ? [] : [`  Cerbos could not be had: ${cerbosMissing}`]),
    ...others.map(
      ({ name, at }) =>
        `  this gateway / ${name}: ${COUNTS.map((count) => `${number(own.at[count].perSecond / at[count].perSecond, 2)} times at ${number(count, 0)}`).join(', ')}`,
    ),
  ];
};

/** Returns the goals of the engine with the measurements. */
const goalLines = ({ inProcess, overHttp, plan }: PolicyReport): string[] => {
  if (plan.http.rounds < 3) return ['A quick run shows that the engines agree; its numbers say little.'];
  const engine = inProcess[0]?.micros;
  const long = inProcess[1]?.micros;
  if (engine === undefined || long === undefined) return [];
  const [own, shipped, tuned] = overHttp.map(({ at }) => at[100]);
  const line = (asked: string, measured: string, met: boolean): string => `  ${met ? 'met   ' : 'missed'}  ${asked.padEnd(66)} ${measured}`;
  const micros = (count: RuleCount): string => `${number(engine[count], 2)} us, long rules ${number(long[count], 2)} us`;
  const growth = engine[1000] / engine[10];
  const lines = [
    line('at most 5 us a decision at 100 rules', micros(100), long[100] <= 5 && engine[100] <= 5),
    line('at most 6 us at 1,000', micros(1000), long[1000] <= 6 && engine[1000] <= 6),
    line('10 -> 1,000 rules at most 1.25 times the cost', `${number(growth, 2)} times`, growth <= 1.25),
  ];
  if (own === undefined || shipped === undefined || tuned === undefined) return ['Goals', ...lines];
  const [overShipped, overTuned] = [own.perSecond / shipped.perSecond, own.perSecond / tuned.perSecond];
  return [
    'Goals',
    ...lines,
    line('over HTTP at 100 rules at least 2.5 times Cerbos as shipped', `${number(overShipped, 2)} times`, overShipped >= 2.5),
    line('at least 2 times its best', `${number(overTuned, 2)} times`, overTuned >= 2),
    line(
      'at a lower p99',
      `${number(own.p99Ms, 2)} ms against ${number(shipped.p99Ms, 2)} and ${number(tuned.p99Ms, 2)}`,
      own.p99Ms < tuned.p99Ms,
    ),
  ];
};

export const describePolicies = (report: PolicyReport): string => {
  const { machine } = report;
  return [
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}; Node ${machine.node}, PostgreSQL ${machine.postgres}`,
    versions(),
    '',
    ...inProcessLines(report),
    '',
    ...httpLines(report),
    '',
    ...goalLines(report),
    '',
    METHOD,
  ].join('\n');
};
