import { setTimeout as sleep } from 'node:timers/promises';
import type { PolicyTestCase } from '@svc/contract/policies/language.ts';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { call } from '@svc/testing/people/client.ts';
import type { Child } from '../child.ts';
import { buildHttpRequest } from '../job.ts';
import { type LoadMeasure, type LoadTarget, measure } from '../measure.ts';
import { getMedian } from '../numbers.ts';
import { type BenchScene, setScene } from '../scene.ts';
import type { BenchService, CleanupSteps } from '../service.ts';
import { buildCerbosBody, CERBOS_PATH } from './cerbos-policies.ts';
import { type CerbosServer, DEFAULT_CONFIGURATION, startCerbosServer, TUNED } from './cerbos-server.ts';
import { asPolicyRule, RULES_A_VERSION, splitInPages } from './engines/ours.ts';
import { compare } from './in-process.ts';
import { type BenchEffect, type BenchRequest, COUNTS, getExpected, getRules, REQUESTS, type RuleCount } from './rules.ts';

/** Times in milliseconds. */
export type HttpPlan = { readonly connections: number; readonly rounds: number; readonly warmUpMs: number; readonly roundMs: number };

/** Medians of the rounds, for each server at each count. */
export type HttpReport = { readonly name: string; readonly at: Readonly<Record<RuleCount, LoadMeasure>> }[];

/** One server with the rules of one count: a function that sends one request, and its load. */
type Contestant = {
  readonly name: string;
  readonly ask: (request: BenchRequest, index: number) => Promise<BenchEffect>;
  readonly target: LoadTarget & { readonly port: number };
  readonly lanes: readonly (readonly Buffer[])[];
  readonly proof: string;
};

const GATEWAY_PATH = '/gateway/v1/actions';
const SETTLE_MS = 200;

/** A test that no rule is about, which a policy of other tools' rules passes too. */
const NOTHING_MATCHES: PolicyTestCase = {
  name: 'an unknown tool is refused',
  given: { tool: { name: 'nobody.knows' } },
  then: { effect: 'BLOCK' },
};

const getBody = ({ tool, amount, country }: BenchRequest, index: number) => ({
  tool,
  parameters: { order: `A-${100_000 + index}`, amount, currency: 'USD', country, reason: 'damaged' },
  dry_run: true,
});

/** Each connection sends the allowed requests in an order of its own; the refused ones were compared before. */
const listLanes = (
  connections: number,
  allowed: readonly BenchRequest[],
  whole: (request: BenchRequest, lane: number) => Buffer,
): Buffer[][] =>
  Array.from({ length: connections }, (_, lane) =>
    allowed.map((_each, place) => whole(allowed[(place + lane) % allowed.length] as BenchRequest, lane)),
  );

const ourGateway = async (
  service: BenchService,
  scene: BenchScene,
  plan: HttpPlan,
  allowed: readonly BenchRequest[],
): Promise<Contestant> => {
  const tokens = await Promise.all(scene.agents.map((agent) => mintToken(service.gatewayUrl, agent)));
  return {
    name: 'this gateway, dry run',
    ask: async (request, index) => {
      const { json, text } = await call(service.gatewayUrl, 'POST', GATEWAY_PATH, { token: tokens[0], body: getBody(request, index) });
      const effect = json?.decision ?? json?.error?.details?.decision?.decision;
      if (effect !== 'ALLOW' && effect !== 'BLOCK') throw new Error(`the gateway answered ${text}`);
      return effect;
    },
    target: { pid: service.gatewayPid, postgresPid: service.postgresPid, port: Number(new URL(service.gatewayUrl).port) },
    lanes: listLanes(plan.connections, allowed, (request, lane) => buildHttpRequest(GATEWAY_PATH, getBody(request, lane), tokens[lane])),
    proof: '"decision":"ALLOW"',
  };
};

const cerbosAt = (name: string, { pid, port }: CerbosServer, plan: HttpPlan, allowed: readonly BenchRequest[]): Contestant => ({
  name,
  ask: async (request, index) => {
    const { json, text } = await call(`http://127.0.0.1:${port}`, 'POST', CERBOS_PATH, { body: buildCerbosBody(request, 'agt_1', index) });
    const effect = json?.results?.[0]?.actions?.use;
    if (effect !== 'EFFECT_ALLOW' && effect !== 'EFFECT_DENY') throw new Error(`${name} answered ${text}`);
    return effect === 'EFFECT_ALLOW' ? 'ALLOW' : 'BLOCK';
  },
  target: { pid, postgresPid: null, port },
  lanes: listLanes(plan.connections, allowed, (request, lane) =>
    buildHttpRequest(CERBOS_PATH, buildCerbosBody(request, `agt_${lane}`, lane)),
  ),
  proof: '"EFFECT_ALLOW"',
});

const load = async (contestant: Contestant, generator: Child, forMs: number): Promise<LoadMeasure> => {
  const { target, lanes, proof } = contestant;
  const { measure: measured } = await measure(generator, target, { port: target.port, lanes, forMs, proof });
  await sleep(SETTLE_MS);
  return measured;
};

const computeMedian = (measures: readonly LoadMeasure[]): LoadMeasure => {
  const of = (read: (each: LoadMeasure) => number | null): number => getMedian(measures.map((each) => read(each) ?? 0));
  return {
    answered: of((each) => each.answered),
    perSecond: of((each) => each.perSecond),
    p50Ms: of((each) => each.p50Ms),
    p99Ms: of((each) => each.p99Ms),
    nodeMicros: of((each) => each.nodeMicros),
    postgresMicros: of((each) => each.postgresMicros),
    besidesMicros: null,
  };
};

const undoAll = async (undo: CleanupSteps): Promise<void> => {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
};

type Place = {
  readonly service: BenchService;
  readonly generator: Child;
  readonly program: string | undefined;
  readonly undo: CleanupSteps;
};

const enter = async (count: RuleCount, plan: HttpPlan, { service, program, undo }: Place): Promise<Contestant[]> => {
  const rules = getRules(count);
  const allowed = REQUESTS.filter((request) => getExpected(rules, request) === 'ALLOW');
  const policies = splitInPages(rules.map(asPolicyRule), RULES_A_VERSION).map((page, index) => ({
    name: `Policy ${index}`,
    rules: page,
    tests: [NOTHING_MATCHES],
  }));
  const gateway = await ourGateway(service, await setScene(service.controlUrl, plan.connections, { policies }), plan, allowed);
  if (program === undefined) return [gateway];
  const others: Contestant[] = [];
  for (const manner of [DEFAULT_CONFIGURATION, TUNED]) {
    others.push(cerbosAt(manner.name, await startCerbosServer(program, manner, rules, undo), plan, allowed));
  }
  return [gateway, ...others];
};

const compareAll = async (count: RuleCount, contestants: readonly Contestant[]): Promise<void> => {
  const rules = getRules(count);
  const wanted = REQUESTS.map((request) => getExpected(rules, request));
  for (const { name, ask } of contestants) {
    const answers: BenchEffect[] = [];
    for (const [index, request] of REQUESTS.entries()) answers.push(await ask(request, index));
    compare(name, answers, wanted);
  }
};

const measureCount = async (count: RuleCount, plan: HttpPlan, place: Place): Promise<ReadonlyMap<string, LoadMeasure>> => {
  const contestants = await enter(count, plan, place);
  await compareAll(count, contestants);
  for (const contestant of contestants) await load(contestant, place.generator, plan.warmUpMs);
  const rounds = new Map<string, LoadMeasure[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const contestant of contestants) rounds.get(contestant.name)?.push(await load(contestant, place.generator, plan.roundMs));
  }
  return new Map([...rounds].map(([name, measures]) => [name, computeMedian(measures)]));
};

/** Measures the servers with the same rules and requests, alternately. Those of one count end before those of the next begin. */
export const measureOverHttp = async (
  plan: HttpPlan,
  service: BenchService,
  generator: Child,
  program: string | undefined,
  log: (line: string) => void,
): Promise<HttpReport> => {
  const measured = new Map<RuleCount, ReadonlyMap<string, LoadMeasure>>();
  for (const count of COUNTS) {
    log(`${count} rules over HTTP ...`);
    const undo: CleanupSteps = [];
    try {
      measured.set(count, await measureCount(count, plan, { service, generator, program, undo }));
    } finally {
      await undoAll(undo);
    }
  }
  const names = [...(measured.get(10)?.keys() ?? [])];
  const at = (name: string, count: RuleCount): LoadMeasure => measured.get(count)?.get(name) as LoadMeasure;
  return names.map((name) => ({ name, at: { 10: at(name, 10), 100: at(name, 100), 1000: at(name, 1000) } }));
};
