import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldCondition, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { EFFECTS, ENVIRONMENT_TYPES, RISK_RATINGS } from '@svc/contract/tables/vocabulary.ts';
import { countRepetitions, getSeed } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import type { PolicySource } from '../judge/compile-version.ts';
import { openJudge } from './ask-engine.ts';
import type { Invariant } from './invariant.ts';
import type { ProofScope } from './place.ts';
import { provePlace } from './prove-place.ts';

/* Fields with so few values that all possible requests can be evaluated: the verdict must match that exactly. */

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  'environment.type': ENVIRONMENT_TYPES,
  'tool.risk_rating': RISK_RATINGS,
  'tool.dangerous': [true, false],
  'approval.present': [true, false],
  'time.hour': Array.from({ length: 24 }, (_, hour) => hour),
  'destination.port': [undefined, 0, 1, 2, 3, 65_535],
};
const requests = Object.entries(VALUES).reduce<Record<string, unknown>[]>(
  (before, [field, values]) =>
    before.flatMap((request) => values.map((value) => (value === undefined ? request : { ...request, [field]: value }))),
  [{}],
);

const one = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const condition: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ field: one('environment.type'), op: one('eq' as const, 'neq' as const), value: one(...ENVIRONMENT_TYPES) }),
  fc.record({
    field: one('tool.risk_rating'),
    op: one('in' as const, 'not_in' as const),
    value: fc.uniqueArray(one(...RISK_RATINGS), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ field: one('tool.dangerous', 'approval.present'), op: one('is_true' as const, 'is_false' as const) }),
  fc.record({ field: one('time.hour'), op: one('gt' as const, 'lte' as const), value: one(0, 5, 22, 23) }),
  fc.record({ field: one('destination.port'), op: one('gt' as const, 'eq' as const, 'lt' as const), value: one(1, 2) }),
  fc.record({ field: one('destination.port'), op: one('exists' as const, 'not_exists' as const) }),
);
const { nested } = fc.letrec<{ nested: PolicyCondition }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: condition },
    { weight: 2, arbitrary: fc.record({ all: fc.array(tie('nested'), { minLength: 1, maxLength: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ any: fc.array(tie('nested'), { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ not: tie('nested') }) },
  ),
}));
const rule = fc
  .record({ when: nested, effect: one('ALLOW' as const, 'REQUIRE_APPROVAL' as const, 'BLOCK' as const), missing: fc.boolean() })
  .map(
    ({ missing, ...rest }): PolicyRule => ({
      id: 'r',
      reason: 'r',
      ...rest,
      ...(missing && rest.effect !== 'ALLOW' ? { if_missing: 'match' } : {}),
    }),
  );
const getPlace = (rules: readonly PolicyRule[]): ProofScope => {
  const body = { rules: rules.map((each, index) => ({ ...each, id: `r${index}` })), tests: [] };
  const identity = { policy_id: 'p', policy_name: 'p', version_id: 'v', version_number: 1 };
  const version: PolicySource = { ...identity, binding: { scope: 'ORGANIZATION', id: 'o' }, body };
  return { name: 'x', versions: [version], bounds: {} };
};

test('decides fields with few values exactly like evaluating all requests', () => {
  const counts = { PROVED: 0, VIOLATED: 0 };
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 5 }),
      nested,
      one(...EFFECTS),
      fc.boolean(),
      fc.boolean(),
      (rules, when, effect, atLeast, missing) => {
        const invariant: Invariant = {
          when,
          ...(missing ? { if_missing: 'match' } : {}),
          ...(atLeast ? { at_least: effect } : { at_most: effect }),
        };
        const place = getPlace(rules);
        const judge = openJudge(invariant, place);
        const isBroken = requests.some((given) => judge({ given, amounts: null }) !== null);
        const { verdict } = provePlace(invariant, place, { left: 10_000_000 });
        assert.equal(verdict, isBroken ? 'VIOLATED' : 'PROVED');
        counts[isBroken ? 'VIOLATED' : 'PROVED'] += 1;
      },
    ),
    { numRuns: countRepetitions({ short: 100, long: 250 }), seed: getSeed(7) },
  );
  assert.ok(Math.min(counts.PROVED, counts.VIOLATED) > countRepetitions({ short: 3, long: 20 }), JSON.stringify(counts));
});
