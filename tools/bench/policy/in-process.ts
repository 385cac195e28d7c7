import { median } from '../numbers.ts';
import { casbin } from './engines/casbin.ts';
import { cedar } from './engines/cedar.ts';
import type { Engine, LoadedEngine } from './engines/engine.ts';
import { jsonRulesEngine } from './engines/json-rules-engine.ts';
import { ours } from './engines/ours.ts';
import { wholeLanguage } from './engines/whole-language.ts';
import { COUNTS, type Count, type Effect, expected, REQUESTS, rulesOf } from './rules.ts';

export const ENGINES: readonly Engine[] = [ours, wholeLanguage, casbin, cedar, jsonRulesEngine];

/** How long, in milliseconds for each engine and round. */
export type InProcessPlan = { readonly rounds: number; readonly warmUpMs: number; readonly roundMs: number };

/** Microseconds a decision: the median of the rounds for each count. */
export type InProcessReport = { readonly name: string; readonly micros: Readonly<Record<Count, number>> }[];

/** Throws when an engine answers anything but what the rules say: numbers of engines that decide differently say nothing. */
export const compare = (name: string, answers: readonly Effect[], wanted: readonly Effect[]): void => {
  for (const [index, effect] of wanted.entries()) {
    if (answers[index] === effect) continue;
    throw new Error(`${name} answers ${answers[index]} where the rules say ${effect}: ${JSON.stringify(REQUESTS[index])}`);
  }
};

const ask = async (engine: LoadedEngine): Promise<Effect[]> => {
  const answers: Effect[] = [];
  for (let index = 0; index < REQUESTS.length; index += 1) answers.push(await engine.decide(index));
  return answers;
};

/** Passes over all requests until the time is up. An engine that answers at once is not made to wait for a promise. */
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

const measureCount = async (count: Count, plan: InProcessPlan): Promise<number[]> => {
  const rules = rulesOf(count);
  const wanted = REQUESTS.map((request) => expected(rules, request));
  const allowed = wanted.filter((effect) => effect === 'ALLOW').length;
  const loaded: LoadedEngine[] = [];
  for (const engine of ENGINES) {
    const one = await engine.load(rules, REQUESTS);
    compare(engine.name, await ask(one), wanted);
    loaded.push(one);
  }
  for (const engine of loaded) await run(engine, plan.warmUpMs, allowed);
  const rounds: number[][] = loaded.map(() => []);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [place, engine] of loaded.entries()) rounds[place]?.push(await run(engine, plan.roundMs, allowed));
  }
  return rounds.map(median);
};

/** Every engine with the same rules and requests, taking turns in one process. */
export const measureInProcess = async (plan: InProcessPlan): Promise<InProcessReport> => {
  // Once through everything beforehand, so that the first count does not pay for code that is not yet compiled.
  for (const count of COUNTS) await measureCount(count, { ...plan, rounds: 1 });
  const [few, some, many] = [await measureCount(10, plan), await measureCount(100, plan), await measureCount(1000, plan)];
  return ENGINES.map(({ name }, place) => ({ name, micros: { 10: few[place] ?? 0, 100: some[place] ?? 0, 1000: many[place] ?? 0 } }));
};
