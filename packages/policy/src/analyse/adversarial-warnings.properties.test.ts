import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { type Draw, drawNames, drawVersions, newDraw } from '../adversarial/adversarial-questions.fixture.ts';
import { collectNamedValues, requestNear } from '../adversarial/adversarial-requests.fixture.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { analyseVersion } from './analyse-version.ts';

const SEED = Number(process.env.SVC_TEST_SEED ?? 1);
const VERSIONS = Number(process.env.SVC_TEST_RUNS ?? 400);
const REQUESTS = Number(process.env.SVC_TEST_REQUESTS ?? 40);

/** Returns true if a rule decides nothing when the other one matches too. */
const isStricter = ({ effect }: PolicyRule, than: PolicyRule): boolean =>
  (effect === 'BLOCK' && than.effect !== 'BLOCK') || (effect === 'REQUIRE_APPROVAL' && than.effect === 'ALLOW');

const contradictOnce = (draw: Draw): readonly string[] => {
  const [source] = drawVersions(draw, drawNames(draw));
  assert.ok(source !== undefined);
  const { currency: _, ...version } = source;
  const { rules } = version.body;
  const told = analyseVersion(version.body, []).warnings.filter(({ kind }) => kind === 'never_matches' || kind === 'shadowed');
  if (told.length === 0) return [];
  const set = compileSet([compileVersion(version)]);
  const named = collectNamedValues(rules.map(({ when }) => when as never));
  for (let count = 0; count < REQUESTS; count++) {
    const { amounts: _amounts, velocity_amounts: _sums, ...context } = requestNear(draw, named);
    const matched = new Set(evaluate(set, context).matched_rules.flatMap(({ id, outcome }) => (outcome === 'matched' ? [id] : [])));
    for (const { kind, rule_id, other_rule_id } of told) {
      const rule = rules.find(({ id }) => id === rule_id) as PolicyRule;
      if (!matched.has(rule_id)) continue;
      const covers = rules.filter((one) => isStricter(one, rule) && matched.has(one.id) && [undefined, one.id].includes(other_rule_id));
      if (kind === 'never_matches' || covers.length === 0)
        assert.fail(`told ${kind} of ${rule_id}: ${JSON.stringify({ rules, context }, null, 1).slice(0, 3000)}`);
    }
  }
  return told.map(({ kind }) => kind);
};

test('reports no rule as never matching or superseded that an adversarial request contradicts', () => {
  const counts: Record<string, number> = {};
  for (let question = 0; question < VERSIONS; question++) {
    try {
      for (const kind of contradictOnce(newDraw(SEED * 104_729 + question))) counts[kind] = (counts[kind] ?? 0) + 1;
    } catch (error) {
      throw new Error(`seed ${SEED}, version ${question}`, { cause: error });
    }
  }
  assert.ok((counts.never_matches ?? 0) > VERSIONS / 50 && (counts.shadowed ?? 0) > VERSIONS / 50, JSON.stringify(counts));
});
