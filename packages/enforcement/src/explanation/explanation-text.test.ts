import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Decision, Explanation, StageFinding } from '@svc/contract/decisions.ts';
import type { PolicyCondition, PolicyRule } from '@svc/contract/policy-language.ts';
import { compileSet } from '@svc/policy/compile-set.ts';
import { compileVersion, type PolicySource } from '@svc/policy/compile-version.ts';
import type { PolicyContext } from '@svc/policy/context.ts';
import { type Judgement, judge } from '@svc/policy/evaluate.ts';
import fc from 'fast-check';
import { ALL_PASSED } from '../all-passed.ts';
import { foldExplanation } from './fold-explanation.ts';
import { shownRules } from './shown-rules.ts';
import { tellDecision } from './tell-decision.ts';
import { tellExplanation } from './tell-explanation.ts';
import { unfoldExplanation } from './unfold-explanation.ts';

/** Quotes, backslashes, line breaks and other scripts, which JSON has to escape or keep. */
const text = fc.oneof(fc.constantFrom('', 'a', '"', '\\', '\n', '支払い', '\u2028', 'a "b" \\c'), fc.string({ maxLength: 8 }));
const scalar = fc.oneof(text, fc.integer(), fc.boolean());
const condition: fc.Arbitrary<PolicyCondition> = fc.oneof(
  fc.record({ field: fc.constantFrom('parameters.a', 'parameters.b.c', 'agent.name'), op: fc.constantFrom('eq', 'neq'), value: scalar }),
  fc.record({ field: fc.constantFrom('parameters.a', 'parameters.list.*'), op: fc.constantFrom('exists', 'not_exists') }),
  fc.record({ field: fc.constant('parameters.list.*'), op: fc.constant('in'), value: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ field: fc.constant('amount'), op: fc.constantFrom('gt', 'lte'), value: fc.nat() }),
) as fc.Arbitrary<PolicyCondition>;
const when = fc.oneof(
  fc.record({ all: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
  fc.record({ any: fc.array(fc.oneof(condition, fc.record({ not: condition })), { minLength: 1, maxLength: 3 }) }),
  fc.constant({}),
) as fc.Arbitrary<NonNullable<PolicyRule['when']>>;
const rule = fc.record(
  { effect: fc.constantFrom('ALLOW', 'BLOCK', 'REQUIRE_APPROVAL'), when, reason: text, if_missing: fc.constant('match') },
  { requiredKeys: ['effect', 'when', 'reason'] },
);
const source = fc.record({
  name: text,
  currency: fc.constantFrom(undefined, 'EUR', 'USD'),
  rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
});
const context = fc.record(
  {
    amount: fc.nat(),
    agent: fc.record({ name: text }),
    parameters: fc.record({
      a: fc.jsonValue({ maxDepth: 2 }),
      b: fc.jsonValue({ maxDepth: 1 }),
      list: fc.array(fc.jsonValue({ maxDepth: 0 })),
    }),
  },
  { requiredKeys: [] },
);
const stage: fc.Arbitrary<StageFinding> = fc.record(
  { stage: text, outcome: fc.constantFrom('passed', 'refused'), code: text, note: text },
  { requiredKeys: ['stage', 'outcome'] },
);

const compile = (sources: readonly Pick<PolicySource, 'policy_name' | 'body' | 'currency' | 'binding'>[]) =>
  compileSet(sources.map((one, at) => compileVersion({ ...one, policy_id: `pol_${at}`, version_id: `pvr_${at}`, version_number: at + 1 })));

const explained = ({ decision }: Judgement, stages: readonly StageFinding[], masked: readonly string[] = []): Explanation => ({
  decision: decision.effect,
  matched_rule: decision.matched_rule,
  matched_rules: shownRules({ ...decision, obligations: { ...decision.obligations, mask: { parameters: [...masked], result: [] } } }),
  skipped_rules: decision.skipped,
  authority: { source: 'GRANT', held: true },
  risk: { signals: [] },
  stages: stages as StageFinding[],
  ...(decision.unknown_fields.length > 0 ? { unknown_fields: decision.unknown_fields } : {}),
});

const anyCase = fc.record({
  sources: fc.array(source, { minLength: 1, maxLength: 3 }),
  context,
  stages: fc.oneof(fc.constant(ALL_PASSED), fc.array(stage, { maxLength: 3 })),
  masked: fc.constantFrom([], ['a'], ['list']),
});
type Case = typeof anyCase extends fc.Arbitrary<infer One> ? One : never;

const judged = ({ sources, context: given, stages, masked }: Case) => {
  const set = compile(
    sources.map(({ name, currency, rules }, at) => ({
      policy_name: name,
      ...(currency === undefined ? {} : { currency }),
      binding: { scope: at % 2 ? 'ENVIRONMENT' : 'ORGANIZATION', id: `at "${at}"` },
      body: { rules: rules.map((one, index) => ({ id: `r${index}`, ...one })), tests: [] } as unknown as PolicySource['body'],
    })),
  );
  const judgement = judge(set, given as unknown as PolicyContext);
  return { explanation: explained(judgement, stages, masked), rules: judgement.rules };
};

/** What survives a journey through JSON. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const runs = { numRuns: 1000 };

describe('an explanation', () => {
  test('is answered as JSON.stringify would write it, member for member', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { explanation, rules } = judged(one);
        assert.deepEqual(JSON.parse(tellExplanation(explanation, rules)), stored(explanation));
      }),
      runs,
    );
  });

  test('is kept so that it unfolds to exactly what was answered, whatever was in it', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { explanation, rules } = judged(one);
        assert.deepEqual(unfoldExplanation(JSON.parse(foldExplanation(explanation, rules))), stored(explanation));
      }),
      runs,
    );
  });

  test('tells an absent value from null, and rules of one version bound twice apart', () => {
    const body = (field: string) => ({ rules: [{ id: 'r', effect: 'BLOCK', reason: 'why', when: { field, op: 'exists' } }], tests: [] });
    const bound = (id: string, field: string) =>
      compileVersion({
        policy_id: 'pol_1',
        policy_name: 'p',
        version_id: 'pvr_1',
        version_number: 1,
        binding: { scope: 'WORKSPACE', id },
        body: body(field) as unknown as PolicySource['body'],
      });
    const set = compileSet([
      bound('wsp_1', 'parameters.missing'),
      bound('wsp_2', 'parameters.nothing'),
      bound('wsp_3', 'parameters.there'),
    ]);
    const judgement = judge(set, { parameters: { nothing: null, there: 1 } } as unknown as PolicyContext);
    const explanation = explained(judgement, ALL_PASSED);
    const folded = JSON.parse(foldExplanation(explanation, judgement.rules));
    assert.deepEqual([folded.sources.length, folded.matched_rule], [3, 2]);
    const unfolded = unfoldExplanation(folded) as unknown as { matched_rules: { conditions: object[] }[] };
    assert.deepEqual(unfolded, stored(explanation));
    assert.deepEqual(
      unfolded.matched_rules.map(({ conditions: [first] }) => first && 'actual' in first),
      [false, true, true],
    );
  });

  test('that does not fit its rules is not written at all', () => {
    const { decision, rules } = judge(
      compile([
        {
          policy_name: 'p',
          binding: { scope: 'ORGANIZATION', id: 'o' },
          body: { rules: [{ id: 'r', effect: 'ALLOW', reason: 'y' }], tests: [] },
        },
      ]),
      {} as PolicyContext,
    );
    const explanation = explained({ decision, rules }, ALL_PASSED);
    assert.throws(() => tellExplanation(explanation, []), /do not fit together/);
    assert.throws(() => foldExplanation(explanation, [...rules, ...rules]), /do not fit together/);
    const other = { ...explanation, matched_rule: { ...explanation.matched_rule } } as Explanation;
    assert.throws(() => foldExplanation(other, rules), /none of those consulted/);
  });

  test('that was kept before there was folding is answered as it is', () => {
    const plain = { decision: 'BLOCK', matched_rule: null, matched_rules: [], skipped_rules: 0, authority: {}, risk: {}, stages: [] };
    assert.equal(unfoldExplanation(plain as unknown as Explanation), plain);
  });
});

test('a decision is answered as JSON.stringify would write it, with its approval and execution and without', () => {
  const given = fc.record(
    {
      action_id: fc.constantFrom(null, 'act_1'),
      code: fc.constantFrom(null, 'ACTION_BLOCKED'),
      reason: text,
      approval: fc.record({
        approval_id: fc.constant('apr_1'),
        status: text,
        poll_after_seconds: fc.nat(),
        expires_at: fc.constant('2026-01-01'),
      }),
      execution: fc.record({ state: fc.constantFrom('BY_AGENT', 'EXECUTED'), result: fc.jsonValue() }, { requiredKeys: ['state'] }),
    },
    { requiredKeys: ['action_id', 'code', 'reason'] },
  );
  fc.assert(
    fc.property(anyCase, given, (one, members) => {
      const { explanation, rules } = judged(one);
      const rest = { decision: 'ALLOW', status: 'ALLOWED', mode: 'ENFORCE', explanation, request_id: 'req_1' } as const;
      const decision = { ...members, ...rest } as Decision;
      assert.deepEqual(JSON.parse(tellDecision(decision, rules)), stored(decision));
    }),
    runs,
  );
});
