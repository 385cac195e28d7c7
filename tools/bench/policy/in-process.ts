import { casbin } from './engines/casbin.ts';
import { cedar } from './engines/cedar.ts';
import type { BenchEngine, LoadedEngine } from './engines/engine.ts';
import { jsonRulesEngine } from './engines/json-rules-engine.ts';
import { ours } from './engines/ours.ts';
import { wholeLanguage } from './engines/whole-language.ts';
import { type BenchEffect, COUNTS, getExpected, getRules, REQUESTS, type RuleCount } from './rules.ts';

export const ENGINES: readonly BenchEngine[] = [ours, wholeLanguage, casbin, cedar, jsonRulesEngine];

/** Rounds, and milliseconds for each engine and round. */
export type InProcessPlan = { readonly rounds: number; readonly warmUpMs: number; readonly roundMs: number };

/** Microseconds per decision: the fastest round of each count. */
export type InProcessReport = { readonly name: string; readonly micros: Readonly<Record<RuleCount, number>> }[];

/** Throws if an engine's result differs from the rules: numbers of engines that decide differently mean nothing. */
export const compare = (name: string, answers: readonly BenchEffect[], wanted: readonly BenchEffect[]): void => {
  for (const [index, effect] of wanted.entries()) {
    if (answers[index] === effect) continue;
    throw new Error(`${name} answers ${answers[index]} where the rules say ${effect}: ${JSON.stringify(REQUESTS[index])}`);
  }
};

const ask = async (engine: LoadedEngine): Promise<BenchEffect[]> => {
  const answers: BenchEffect[] = [];
  for (let index = 0; index < REQUESTS.length; index += 1) answers.push(await engine.decide(index));
  return answers;
};

/** Repeats all requests until the time is up. A synchronous engine does not wait for promises. */
const run = async (engine: LoadedEngine, forMs: number, allowed: number): Promise<number> => {
  const isAsync = engine.decide(0) instanceof Promise;
  let passes = 0;
  let seen = 0;
  const start = performance.now();
  let tookMs = 0;
  while (tookMs < forMs) {
    for (let index = 0; index < REQUESTS.length; index += 1) {
      const answer = engine.decide(index);
      if ((isAsync ? await answer : answer) === 'ALLOW') seen += 1;
    }
    passes += 1;
    tookMs = performance.now() - start;
  }
  if (seen !== allowed * passes) throw new Error(`an engine allowed ${seen} requests where ${allowed * passes} are to be allowed`);
  return (tookMs * 1000) / (passes * REQUESTS.length);
};

type Contestant = {
  readonly place: number;
  readonly count: RuleCount;
  readonly engine: LoadedEngine;
  readonly allowed: number;
  best: number;
};

/** Loads every engine with the rules of every count, each checked against the rules. */
const loadAll = async (): Promise<Contestant[]> => {
  const contestants: Contestant[] = [];
  for (const count of COUNTS) {
    const rules = getRules(count);
    const wanted = REQUESTS.map((request) => getExpected(rules, request));
    const allowed = wanted.filter((effect) => effect === 'ALLOW').length;
    for (const [place, { name, load }] of ENGINES.entries()) {
      const engine = await load(rules, REQUESTS);
      compare(name, await ask(engine), wanted);
      contestants.push({ place, count, engine, allowed, best: Number.POSITIVE_INFINITY });
    }
  }
  return contestants;
};

/**
 * Measures every engine at every count with the same rules and requests, alternately in one process. The fastest round counts: load only
 * adds time.
 */
export const measureInProcess = async (plan: InProcessPlan): Promise<InProcessReport> => {
  const contestants = await loadAll();
  for (const { engine, allowed } of contestants) await run(engine, plan.warmUpMs, allowed);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const one of contestants) one.best = Math.min(one.best, await run(one.engine, plan.roundMs, one.allowed));
  }
  const micros = (place: number, count: RuleCount): number =>
    contestants.find((one) => one.place === place && one.count === count)?.best ?? Number.NaN;
  return ENGINES.map(({ name }, place) => ({
    name,
    micros: { 10: micros(place, 10), 100: micros(place, 100), 1000: micros(place, 1000) },
  }));
};
