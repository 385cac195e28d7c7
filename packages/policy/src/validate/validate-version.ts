import type { VersionBody } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { checkMembers } from '../values/check-members.ts';
import { addFault, below, type Fault } from '../values/faults.ts';
import { checkStorable } from './check-storable.ts';
import { validateCases } from './validate-cases.ts';
import { type ConditionTally, newTally } from './validate-condition.ts';
import { validateRule } from './validate-rule.ts';

const validateRules = (faults: Fault[], rules: unknown): ReadonlySet<string> => {
  const seen = new Set<string>();
  if (!Array.isArray(rules) || rules.length === 0) {
    addFault(faults, '/rules', '"rules" must be a list of at least one rule.');
    return seen;
  }
  if (rules.length > POLICY_LIMITS.rules_max)
    addFault(faults, '/rules', `A version must have at most ${POLICY_LIMITS.rules_max} rules; split it into two policies.`);
  const tally = newTally(faults);
  for (const [index, rule] of rules.entries()) validateRule(tally, below('/rules', index), rule, seen);
  checkTally(tally);
  return seen;
};

/** Notes a version with more conditions than allowed, or more expensive ones. */
export const checkTally = (tally: ConditionTally): void => {
  const { faults } = tally;
  if (tally.conditions > POLICY_LIMITS.conditions_max) {
    addFault(faults, '/rules', `A version must have at most ${POLICY_LIMITS.conditions_max} conditions; this one has ${tally.conditions}.`);
  }
  if (tally.starConditions > POLICY_LIMITS.star_conditions_max) {
    const most = `${POLICY_LIMITS.star_conditions_max} conditions on paths with "*"; this one has ${tally.starConditions}`;
    addFault(faults, '/rules', `A version must have at most ${most}. Split it into two policies.`);
  }
  if (tally.patternSteps > POLICY_LIMITS.pattern_sizes_max) {
    const steps = `${POLICY_LIMITS.pattern_sizes_max} steps in total; these take ${tally.patternSteps}`;
    addFault(faults, '/rules', `The patterns of a version must take at most ${steps}. Split it into two policies.`);
  }
};

/**
 * Checks a version body, for any JSON, and returns it or all its faults at once. Never throws.
 * A body without `tests` is returned with an empty list of them.
 */
export const validateVersion = (
  body: unknown,
): { readonly ok: true; readonly body: VersionBody } | { readonly ok: false; readonly faults: Fault[] } => {
  const faults: Fault[] = [];
  if (!checkMembers(faults, '', body, 'A policy version', ['rules', 'tests'], ['rules'])) return { ok: false, faults };
  checkStorable(faults, body);
  const ruleIds = body.rules === undefined ? new Set<string>() : validateRules(faults, body.rules);
  const tests = validateCases(body.tests ?? [], ruleIds, { min: 0, max: POLICY_LIMITS.tests_max, pointer: '/tests' });
  if (!tests.ok) for (const fault of tests.faults) addFault(faults, fault.pointer, fault.message);
  if (faults.length > 0 || !tests.ok) return { ok: false, faults };
  return { ok: true, body: { rules: body.rules as VersionBody['rules'], tests: tests.cases } };
};
