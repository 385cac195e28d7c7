import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import { compileSet } from '../judge/compile-set.ts';
import { compileVersion, type PolicySource } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { changedRules, unchangedSet } from './changed-rules.ts';
import { judgeChange } from './judge-change.ts';

const EFFECTS = ['ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK'] as const;
const DEMANDS = { MASK: { mask: { parameters: ['x'] } }, LIMIT: { limit: { max_amount: 5 } } } as Record<string, object>;
const FIELDS = ['tool.name', 'amount', 'agent.name', 'request.source_ip', 'currency'] as const;

const condition: fc.Arbitrary<PolicyCondition> = fc.letrec<{ node: PolicyCondition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.oneof(
      fc.record({ field: fc.constant('tool.name'), op: fc.constantFrom('eq', 'neq'), value: fc.constantFrom('a', 'b') }),
      fc.record({ field: fc.constant('amount'), op: fc.constantFrom('gt', 'lte'), value: fc.constantFrom(1, 5) }),
      fc.record({ field: fc.constant('agent.name'), op: fc.constantFrom('eq', 'neq'), value: fc.constantFrom('x', 'y') }),
      fc.record({ field: fc.constant('request.source_ip'), op: fc.constant('cidr'), value: fc.constantFrom('10.0.0.0/8', '0.0.0.0/0') }),
      fc.record({ field: fc.constantFrom(...FIELDS), op: fc.constantFrom('exists', 'not_exists') }),
    ) as fc.Arbitrary<PolicyCondition>,
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ) as fc.Arbitrary<PolicyCondition>,
})).node;

const rule = (id: string): fc.Arbitrary<PolicyRule> =>
  fc.record({ effect: fc.constantFrom(...EFFECTS), when: condition, onMissing: fc.boolean() }).map(({ effect, when, onMissing }) => ({
    id,
    effect,
    when,
    reason: 'r',
    ...(onMissing && effect !== 'ALLOW' ? { if_missing: 'match' as const } : {}),
    ...DEMANDS[effect],
  }));

/** Versions that have some rules in common, some of the same name and another content, and some of their own. */
const versions = fc
  .tuple(fc.array(fc.tuple(rule(''), fc.option(rule('')), fc.constantFrom('both', 'from', 'to')), { minLength: 1, maxLength: 4 }))
  .map(([drawn]) => {
    const from: PolicyRule[] = [];
    const to: PolicyRule[] = [];
    for (const [index, [one, other, where]] of drawn.entries()) {
      const id = `r${index}`;
      if (where !== 'to') from.push({ ...one, id });
      if (where !== 'from') to.push({ ...(other ?? one), id });
    }
    return { from, to };
  });

const context: fc.Arbitrary<PolicyContext> = fc.record(
  {
    tool: fc.record({ name: fc.constantFrom('a', 'b') }),
    amount: fc.constantFrom(0, 3, 9),
    agent: fc.record({ name: fc.constantFrom('x', 'y') }),
    request: fc.record({ source_ip: fc.constantFrom('10.1.1.1', '192.0.2.1') }),
    currency: fc.constant('EUR'),
  },
  { requiredKeys: [] },
);

const ORGANIZATION = { scope: 'ORGANIZATION', id: 'o' } as const;
const source = (policyId: string, number: number, rules: PolicyRule[]): PolicySource => ({
  policy_id: policyId,
  policy_name: policyId,
  version_id: `v${number}`,
  version_number: number,
  binding: ORGANIZATION,
  body: { rules, tests: [] },
});

const withoutFields = (full: PolicyContext, hidden: readonly string[]): PolicyContext =>
  Object.fromEntries(Object.entries(full).filter(([part]) => !hidden.some((field) => field.split('.')[0] === part)));

const courseOf = (effect: string): string => (effect === 'BLOCK' ? 'blocked' : effect === 'REQUIRE_APPROVAL' ? 'held' : 'allowed');

test('reports a change exactly as both versions decide together with everything else, for any hidden part of the request', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      versions,
      fc.array(rule('other'), { maxLength: 1 }),
      context,
      fc.subarray([...FIELDS]),
      ({ from, to }, others, full, hidden) => {
        const [older, newer] = [source('p', 1, from), source('p', 2, to)];
        const rest = others.length === 0 ? [] : [compileVersion(source('q', 1, others))];
        const changes = changedRules(older, newer, [ORGANIZATION]);
        const sets = { removed: changes.removed, added: changes.added, unchanged: unchangedSet(rest, changes, () => true) };
        const judged = judgeChange(sets, { context: withoutFields(full, hidden), lacks: (field) => hidden.includes(field as never) });
        seen.set(judged.kind, (seen.get(judged.kind) ?? 0) + 1);
        const decide = (version: PolicySource) => evaluate(compileSet([...rest, compileVersion(version)]), full);
        const [before, after] = [decide(older), decide(newer)];
        if (judged.kind === 'unknown') {
          assert.ok(hidden.length > 0 && judged.fields.length > 0);
          assert.ok(judged.fields.every((field) => hidden.includes(field as never)));
          return;
        }
        const isSameCourse = courseOf(before.effect) === courseOf(after.effect);
        if (judged.kind === 'other_terms') {
          assert.ok(isSameCourse && after.effect !== 'BLOCK');
          if (hidden.length === 0) assert.notDeepEqual([before.effect, before.obligations], [after.effect, after.obligations]);
        } else assert.equal(judged.kind, isSameCourse ? 'unchanged' : `newly_${courseOf(after.effect)}`);
        if (judged.kind !== 'unchanged') assert.deepEqual([judged.from.effect, judged.to.effect], [before.effect, after.effect]);
      },
    ),
    { numRuns: countRepetitions({ short: 4_000, long: 20_000 }), seed: getSeed(7) },
  );
  for (const kind of ['unchanged', 'unknown', 'newly_blocked', 'newly_held', 'newly_allowed'])
    assert.ok((seen.get(kind) ?? 0) > countRepetitions({ short: 3, long: 50 }), `${kind}: ${seen.get(kind)}`);
});
