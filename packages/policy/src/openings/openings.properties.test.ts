import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyDecision, PolicyRule } from '@svc/contract/policies/language.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import { type Draw, drawNames, drawVersions, newDraw } from '../adversarial/adversarial-questions.fixture.ts';
import { collectNamedValues, requestNear } from '../adversarial/adversarial-requests.fixture.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { comparePlaces } from './comparisons.ts';
import { findOpenings } from './openings.ts';

const SEED = Number(process.env.SVC_TEST_SEED ?? getSeed(1));
const QUESTIONS = Number(process.env.SVC_TEST_RUNS ?? countRepetitions({ short: 150, long: 1000 }));
const REQUESTS = 60;
const DIRECTORY = { environments: [], agents: [] };

/** Returns the rules of a next version: one is dropped, changed or added. */
const changeRules = (draw: Draw, rules: readonly PolicyRule[], other: readonly PolicyRule[]): PolicyRule[] => {
  const at = draw(rules.length);
  const added = other.map((rule, index) => ({ ...rule, id: `n${index}` }));
  if (draw(3) === 0 && rules.length > 1) return rules.filter((_, index) => index !== at);
  if (draw(2) === 0) return rules.map((rule, index) => (index === at ? { ...(added[0] as PolicyRule), id: rule.id } : rule));
  return [...rules, ...added];
};

const isOpening = (before: PolicyDecision, after: PolicyDecision): boolean => {
  if (after.effect === 'BLOCK') return false;
  if (before.effect === 'BLOCK') return true;
  const { obligations: old } = before;
  const { obligations: current } = after;
  return (
    (old.approvals.length > 0 && current.approvals.length === 0) ||
    (old.limits.length > 0 && current.limits.length === 0) ||
    (old.mask !== null && current.mask === null)
  );
};

const askOnce = (draw: Draw): 'warned' | 'silent' | 'undecided' => {
  const names = drawNames(draw);
  const before = drawVersions(draw, names);
  const [own, ...beside] = before as [PolicySource, ...PolicySource[]];
  const [other] = drawVersions(draw, names) as [PolicySource];
  // A block next to an allow, or little would ever be permitted.
  const allow: PolicyRule = { id: 'all', effect: 'ALLOW', reason: 'r' };
  const withAllow = draw(2) === 0 ? [allow] : [];
  const rules = changeRules(draw, own.body.rules, other.body.rules);
  const version = (each: readonly PolicyRule[], version_id: string): PolicySource => ({
    ...own,
    version_id,
    body: { rules: [...each, ...withAllow], tests: [] },
  });
  const old = [version(own.body.rules, 'old'), ...beside];
  const current = [{ ...version(rules, 'new'), ...(draw(8) === 0 && own.currency ? { currency: 'GBP' } : {}) }, ...beside];
  const found = findOpenings({ ...comparePlaces(old, current, DIRECTORY), policy_id: own.policy_id, isReplaced: true });
  const warned = found.warnings.some(({ kind }) => kind === 'newly_permits');
  const sets = [old, current].map((sources) => compileSet(sources.map(compileVersion)));
  const decide = (context: PolicyContext) => sets.map((set) => evaluate(set, context)) as [PolicyDecision, PolicyDecision];
  if (warned || found.undecided !== null) return warned ? 'warned' : 'undecided';
  const sources = [...old, ...current];
  const named = collectNamedValues(sources.flatMap(({ body }) => body.rules.map(({ when }) => when)) as never);
  const isSeveral = new Set(sources.map(({ currency }) => currency)).size > 1;
  for (let count = 0; count < REQUESTS; count++) {
    const { amounts, velocity_amounts, ...rest } = requestNear(draw, named);
    const gbp = (values: ReadonlyMap<string, number> | undefined) => new Map([...(values ?? []), ['GBP', values?.get('EUR') ?? 0]]);
    const several = { ...rest, ...(amounts === undefined ? {} : { amounts: gbp(amounts) }), velocity_amounts: gbp(velocity_amounts) };
    const context = (isSeveral ? several : rest) as PolicyContext;
    if (isOpening(...decide(context)))
      assert.fail(
        `permitted, and not reported: ${JSON.stringify({ old: own.body.rules, rules, beside, context }, null, 1).slice(0, 4000)}`,
      );
  }
  return 'silent';
};

test('reports every change by which a request is newly permitted, or that it could not decide', () => {
  const counts = { warned: 0, silent: 0, undecided: 0 };
  for (let question = 0; question < QUESTIONS; question++) {
    try {
      counts[askOnce(newDraw(SEED * 6_007 + question))] += 1;
    } catch (error) {
      throw new Error(`seed ${SEED}, question ${question}`, { cause: error });
    }
  }
  console.log(JSON.stringify(counts));
  assert.ok(counts.warned > QUESTIONS / 10 && counts.silent > QUESTIONS / 10 && counts.undecided < QUESTIONS / 4, JSON.stringify(counts));
});
