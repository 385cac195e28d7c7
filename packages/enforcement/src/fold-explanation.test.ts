import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Explanation } from '@svc/contract/decisions.ts';
import fc from 'fast-check';
import { foldExplanation } from './fold-explanation.ts';
import { unfoldExplanation } from './unfold-explanation.ts';

const word = fc.string({ maxLength: 12 });
const identity = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  policy_id: word,
  policy_name: word,
  version_id: fc.constantFrom('pvr_1', 'pvr_2'),
  version_number: fc.nat(),
  effect: fc.constantFrom('ALLOW', 'BLOCK'),
  reason: word,
  binding: fc.record({ scope: fc.constantFrom('ORGANIZATION', 'AGENT'), id: fc.constantFrom('x', 'y') }),
});
const condition = fc.record(
  {
    path: word,
    field: word,
    op: word,
    expected: fc.jsonValue(),
    actual: fc.jsonValue(),
    outcome: word,
    unknown_because: fc.option(word),
  },
  { requiredKeys: ['path', 'field', 'op', 'outcome', 'unknown_because'] },
);
const consulted = fc
  .tuple(
    identity,
    fc.record(
      { outcome: word, matched_on_missing: fc.boolean(), conditions: fc.array(condition, { maxLength: 3 }), currency: word },
      { requiredKeys: ['outcome', 'matched_on_missing', 'conditions'] },
    ),
  )
  .map(([who, what]) => ({ ...who, ...what }));
const stage = fc.record(
  { stage: word, outcome: fc.constantFrom('passed', 'refused'), code: word, note: word },
  { requiredKeys: ['stage', 'outcome'] },
);

/** Rules of one version and binding share its policy, and each has an id of its own there, as wherever an explanation is made. */
const alike = <Rule extends { id: string; version_id: string; binding: { scope: string; id: string } }>(rules: readonly Rule[]): Rule[] => {
  const first = new Map<string, Rule>();
  const seen = new Set<string>();
  const different = rules.filter((rule) => {
    const key = `${rule.id} ${rule.version_id} ${rule.binding.scope} ${rule.binding.id}`;
    return !seen.has(key) && seen.add(key);
  });
  return different.map((rule) => {
    const key = `${rule.version_id} ${rule.binding.scope} ${rule.binding.id}`;
    const known = first.get(key) ?? rule;
    first.set(key, known);
    const { policy_id, policy_name, version_number } = known as never as Record<string, unknown>;
    return { ...rule, policy_id, policy_name, version_number };
  });
};

const explanation = fc
  .record({
    rules: fc.array(consulted, { maxLength: 5 }),
    stages: fc.array(stage, { maxLength: 4 }),
    place: fc.nat(),
    unknown: fc.boolean(),
  })
  .map(({ rules: given, stages, place, unknown }): Explanation => {
    const rules = alike(given);
    const deciding = rules[place % Math.max(1, rules.length)];
    const { outcome: _, matched_on_missing: __, conditions: ___, currency: ____, ...matched } = deciding ?? ({} as Record<string, unknown>);
    return {
      decision: 'ALLOW',
      matched_rule: deciding === undefined || place % 3 === 0 ? null : matched,
      matched_rules: rules,
      skipped_rules: place,
      authority: { source: 'GRANT' },
      risk: { signals: [] },
      stages,
      ...(unknown ? { unknown_fields: ['amount'] } : {}),
    } as unknown as Explanation;
  });

/** What survives a journey through the database. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

describe('foldExplanation', () => {
  test('what is kept unfolds to exactly what was answered, whatever was in it', () => {
    fc.assert(
      fc.property(explanation, (one) => {
        assert.deepEqual(unfoldExplanation(stored(foldExplanation(one))), stored(one));
      }),
      { numRuns: 500 },
    );
  });

  test('tells an absent value from null, and rules of one version bound twice apart', () => {
    const rule = (binding: string, conditions: unknown[]) => ({
      id: 'r',
      policy_id: 'pol_1',
      policy_name: 'p',
      version_id: 'pvr_1',
      version_number: 1,
      effect: 'ALLOW',
      reason: 'why',
      binding: { scope: 'AGENT', id: binding },
      outcome: 'matched',
      matched_on_missing: false,
      conditions,
    });
    const at = { path: '', field: 'amount', op: 'exists', outcome: 'true', unknown_because: null };
    const rules = [rule('agt_1', [{ ...at, actual: null }, at]), rule('agt_2', [{ ...at, expected: null }])];
    const { outcome: _, matched_on_missing: __, conditions: ___, ...matched } = rules[1] as Record<string, unknown>;
    const whole = { decision: 'ALLOW', matched_rule: matched, matched_rules: rules, skipped_rules: 0, authority: {}, risk: {}, stages: [] };
    const folded = foldExplanation(whole as unknown as Explanation);
    assert.ok('folded' in folded);
    assert.equal(folded.matched_rule, 1);
    assert.deepEqual(unfoldExplanation(stored(folded)), whole);
  });

  test('an explanation that was kept before there was folding is answered as it is', () => {
    const plain = { decision: 'BLOCK', matched_rule: null, matched_rules: [], skipped_rules: 0, authority: {}, risk: {}, stages: [] };
    assert.equal(unfoldExplanation(plain as unknown as Explanation), plain);
  });
});
