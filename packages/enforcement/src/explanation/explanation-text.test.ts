import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Decision, Explanation, StageFinding } from '@svc/contract/actions/decisions.ts';
import type { ConsultedRule, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { compileSet } from '@svc/policy/judge/compile-set.ts';
import { compileVersion, type PolicySource } from '@svc/policy/judge/compile-version.ts';
import { type Judgement, judge } from '@svc/policy/judge/evaluate.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';
import fc from 'fast-check';
import { ALL_PASSED } from '../decision/all-passed.ts';
import { foldExplanation } from './fold-explanation.ts';
import { readVersionStatics } from './rule-statics.ts';
import { listVisibleRules } from './shown-rules.ts';
import { serializeDecision } from './tell-decision.ts';
import { serializeExplanation } from './tell-explanation.ts';
import { type KeptExplanation, listVersionIds, unfoldExplanation } from './unfold-explanation.ts';
import type { WholeExplanation } from './unfold-whole.ts';

/** Quotes, backslashes, line breaks and other scripts, which JSON escapes or keeps. */
const text = fc.oneof(fc.constantFrom('', 'a', '"', '\\', '\n', '支払い', '\u2028', 'a "b" \\c'), fc.string({ maxLength: 8 }));
const scalar = fc.oneof(text, fc.integer(), fc.boolean());
const condition: fc.Arbitrary<PolicyCondition> = fc.oneof(
  fc.record({ field: fc.constantFrom('parameters.a', 'parameters.b.c', 'agent.name'), op: fc.constantFrom('eq', 'neq'), value: scalar }),
  fc.record({ field: fc.constantFrom('parameters.a', 'parameters.list.*'), op: fc.constantFrom('exists', 'not_exists') }),
  fc.record({ field: fc.constant('parameters.list.*'), op: fc.constant('in'), value: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ field: fc.constant('amount'), op: fc.constantFrom('gt', 'lte'), value: fc.nat() }),
  fc.record({ field: fc.constant('parameters.a'), op: fc.constant('matches'), value: fc.constant('a') }),
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
    amounts: fc.constantFrom(new Map([['EUR', 5]]), new Map([['USD', 7]])),
    agent: fc.record({ name: text }),
    parameters: fc.record({
      a: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant('a'.repeat(9000))),
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

const explained = (
  { decision }: Pick<Judgement, 'decision'>,
  stages: readonly StageFinding[],
  masked: readonly string[] = [],
): Explanation => ({
  decision: decision.effect,
  matched_rule: decision.matched_rule,
  matched_rules: listVisibleRules({ ...decision, obligations: { ...decision.obligations, mask: { parameters: [...masked], result: [] } } }),
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

/** Serializes to JSON and parses it again. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const judged = ({ sources, context: given, stages, masked }: Case) => {
  const bodies = sources.map(({ rules }) => rules.map((one, index) => ({ id: `r${index}`, ...one })) as unknown as PolicyRule[]);
  const set = compile(
    sources.map(({ name, currency }, at) => ({
      policy_name: name,
      ...(currency === undefined ? {} : { currency }),
      binding: { scope: at % 2 ? 'ENVIRONMENT' : 'ORGANIZATION', id: `at "${at}"` },
      body: { rules: bodies[at] as PolicyRule[], tests: [] },
    })),
  );
  const judgement = judge(set, given as unknown as PolicyContext);
  const versions = new Map(bodies.map((body, at) => [`pvr_${at}`, readVersionStatics(stored(body))]));
  return { explanation: explained(judgement, stages, masked), rules: judgement.rules, versions };
};

const runs = { numRuns: 1000, seed: 7 };

const small = {
  policy_name: 'p',
  binding: { scope: 'ORGANIZATION', id: 'o' },
  body: { rules: [{ id: 'r', effect: 'ALLOW', reason: 'y', when: { field: 'amount', op: 'lte', value: 5 } }], tests: [] },
} as const satisfies Pick<PolicySource, 'policy_name' | 'body' | 'binding'>;

describe('an explanation', () => {
  test('is returned as JSON.stringify writes it, member for member', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { explanation, rules } = judged(one);
        assert.deepEqual(JSON.parse(serializeExplanation(explanation, rules)), stored(explanation));
      }),
      runs,
    );
  });

  test('is stored so that it restores exactly what was returned, with any content', () => {
    const met = new Set<unknown>();
    fc.assert(
      fc.property(anyCase, (one) => {
        const { explanation, rules, versions } = judged(one);
        const kept = JSON.parse(foldExplanation(explanation, rules));
        assert.deepEqual(unfoldExplanation(kept, versions), stored(explanation));
        for (const { conditions, currency } of explanation.matched_rules as unknown as ConsultedRule[]) {
          if (currency !== undefined) met.add('currency');
          for (const { outcome, unknown_because, actual } of conditions) {
            met.add(unknown_because ?? outcome);
            if (actual === undefined || actual === null || actual === MASKED) met.add(actual);
          }
        }
      }),
      runs,
    );
    for (const shape of ['true', 'false', 'missing', 'wrong_type', 'too_long', 'currency', undefined, null, MASKED])
      assert.ok(met.has(shape), `no case had ${shape}`);
  });

  test('that does not fit its rules is not written at all', () => {
    const { decision, rules } = judge(compile([small]), {} as PolicyContext);
    const explanation = explained({ decision }, ALL_PASSED);
    assert.throws(() => serializeExplanation(explanation, []), /do not fit together/);
    assert.throws(() => foldExplanation(explanation, [...rules, ...rules]), /do not fit together/);
    const other = { ...explanation, matched_rule: { ...rules[0]?.identity } } as Explanation;
    assert.throws(() => foldExplanation(other, rules), /none of those consulted/);
  });

  test('with a condition that is unknown without a reason, or known with one, is not written at all', () => {
    const { decision, rules } = judge(compile([small]), {} as PolicyContext);
    for (const wrong of [
      { outcome: 'unknown', unknown_because: null },
      { outcome: 'true', unknown_because: 'missing' },
    ]) {
      const explanation = stored(explained({ decision }, ALL_PASSED));
      Object.assign((explanation.matched_rules[0] as unknown as ConsultedRule).conditions[0] ?? {}, wrong);
      assert.throws(() => foldExplanation({ ...explanation, matched_rule: null }, rules), /unknown without a reason/);
    }
  });
});

/** Builds the earlier format of an explanation, with everything that its rules state. */
const foldWhole = (explanation: Explanation): WholeExplanation => {
  const { matched_rule, matched_rules, stages, ...rest } = stored(explanation);
  const consulted = matched_rules as unknown as ConsultedRule[];
  const maybe = (value: unknown) => (value === undefined ? 0 : ([value] as const));
  const place = consulted.findIndex(({ id, version_id }) => id === matched_rule?.id && version_id === matched_rule?.version_id);
  return {
    folded: 1,
    matched_rule: matched_rule === null ? null : place,
    sources: consulted.map((rule) => [rule.policy_id, rule.policy_name, rule.version_id, rule.version_number, rule.binding]),
    rules: consulted.map(({ id, effect, reason, outcome, matched_on_missing, conditions, currency }, at) => {
      const all = conditions.map(
        (one) => [one.path, one.field, one.op, maybe(one.expected), maybe(one.actual), one.outcome, one.unknown_because] as const,
      );
      const folded = [id, at, effect, reason, outcome, matched_on_missing, all] as const;
      return currency === undefined ? folded : [...folded, currency];
    }),
    stages: stages.map((each) => (Object.keys(each).length === 2 && each.outcome === 'passed' ? each.stage : each)),
    ...rest,
  };
};

describe('a record of another form', () => {
  test('that contains everything its rules state is returned unchanged, and needs no version', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { explanation } = judged(one);
        const kept = stored(foldWhole(explanation));
        assert.deepEqual(listVersionIds(kept), []);
        assert.deepEqual(unfoldExplanation(kept, new Map()), stored(explanation));
      }),
      runs,
    );
  });

  test('that was never compacted is returned unchanged', () => {
    const plain = { decision: 'BLOCK', matched_rule: null, matched_rules: [], skipped_rules: 0, authority: {}, risk: {}, stages: [] };
    assert.equal(unfoldExplanation(plain as unknown as Explanation, new Map()), plain);
    assert.deepEqual(listVersionIds(plain as unknown as Explanation), []);
  });

  test('that no reader knows is not returned', () => {
    assert.throws(() => unfoldExplanation({ folded: 3 } as unknown as KeptExplanation, new Map()), /a way that is not known/);
  });
});

test('a decision is returned as JSON.stringify writes it, with and without its approval and execution', () => {
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
      assert.deepEqual(JSON.parse(serializeDecision(decision, rules)), stored(decision));
    }),
    runs,
  );
});
