import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import { type Draw, drawCondition, drawNames, drawVersions, newDraw, pick } from '../adversarial/adversarial-questions.fixture.ts';
import { collectNamedValues, requestNear } from '../adversarial/adversarial-requests.fixture.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { type Invariant, toProbeRule, violatesInvariant } from './invariant.ts';
import type { ProofScope } from './place.ts';
import { provePlace } from './prove-place.ts';

const SEED = Number(process.env.SVC_TEST_SEED ?? 1);
const QUESTIONS = Number(process.env.SVC_TEST_RUNS ?? 250);
const REQUESTS = Number(process.env.SVC_TEST_REQUESTS ?? 60);

const getInvariant = (draw: Draw, place: ProofScope, names: readonly string[]): Invariant => {
  const conditions = place.versions.flatMap(({ body }) => body.rules.flatMap(({ when }) => when ?? []));
  const when = draw(3) === 0 || conditions.length === 0 ? drawCondition(draw, names) : pick(draw, conditions);
  const effect = pick(draw, EFFECTS);
  return {
    ...(draw(8) === 0 ? {} : { when: draw(5) === 0 ? { not: when } : when }),
    ...(draw(3) === 0 ? { if_missing: 'match' as const } : {}),
    ...(draw(2) === 0 ? { at_least: effect } : { at_most: effect }),
    ...(place.versions[0]?.currency === undefined ? {} : { currency: place.versions[0].currency }),
  };
};

/** Evaluates the promise of a proof with the engine alone. */
const breaks = (invariant: Invariant, { versions }: ProofScope) => {
  const [first] = versions;
  if (first === undefined) return () => false;
  const probe = compileSet([compileVersion({ ...first, policy_id: 'probe', body: { rules: [toProbeRule(invariant)], tests: [] } })]);
  const set = compileSet(versions.map(compileVersion));
  return (context: PolicyContext): boolean => {
    if (evaluate(probe, context).matched_rule === null) return false;
    return violatesInvariant(invariant, evaluate(set, context).effect);
  };
};

const attackOnce = (draw: Draw): string => {
  const names = drawNames(draw);
  const place: ProofScope = { name: 'everywhere', versions: drawVersions(draw, names), bounds: {} };
  const invariant = getInvariant(draw, place, names);
  const { verdict } = provePlace(invariant, place, { left: 10_000_000 });
  if (verdict !== 'PROVED') return verdict;
  const isBroken = breaks(invariant, place);
  const named = collectNamedValues([invariant.when, ...place.versions.flatMap(({ body }) => body.rules.map(({ when }) => when))] as never);
  const isSeveral = new Set(place.versions.map(({ currency }) => currency)).size > 1;
  for (let count = 0; count < REQUESTS; count++) {
    const { amounts, velocity_amounts, ...rest } = requestNear(draw, named);
    const context = isSeveral ? ({ ...rest, amounts, velocity_amounts } as PolicyContext) : rest;
    const rules = place.versions.map(({ body }) => body.rules);
    if (isBroken(context)) assert.fail(`proved, and broken: ${JSON.stringify({ invariant, rules, context }, null, 1).slice(0, 4000)}`);
  }
  return verdict;
};

test('proves no adversarial rules that an adversarial request breaks', () => {
  const counts: Record<string, number> = {};
  for (let question = 0; question < QUESTIONS; question++) {
    try {
      const verdict = attackOnce(newDraw(SEED * 7_919 + question));
      counts[verdict] = (counts[verdict] ?? 0) + 1;
    } catch (error) {
      throw new Error(`seed ${SEED}, question ${question}`, { cause: error });
    }
  }
  console.log(JSON.stringify(counts));
  assert.ok((counts.PROVED ?? 0) > QUESTIONS / 10, JSON.stringify(counts));
});
