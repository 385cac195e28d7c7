import type { PolicyTestCase } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import { readGiven } from '../language/read-given.ts';
import { checkMembers, isJsonObject } from '../values/check-members.ts';
import { addFault, below, type Fault } from '../values/faults.ts';
import { truncateText } from '../values/truncate-text.ts';
import { checkText } from './check-text.ts';
import { exceedsLength } from './exceeds-length.ts';
import { isEffect } from './validate-rule.ts';

const GIVEN_LENGTH_MAX = LIMITS.bodies.parametersBytesMax;

const validateMatches = (faults: Fault[], pointer: string, matches: unknown, ruleIds: ReadonlySet<string>): void => {
  if (!Array.isArray(matches) || matches.length === 0 || matches.length > POLICY_LIMITS.rules_max) {
    addFault(faults, pointer, '"matches" must be a list of at least one rule id, for example ["hide-pins"].');
    return;
  }
  for (const [index, id] of matches.entries())
    if (!ruleIds.has(id)) addFault(faults, below(pointer, index), 'Must be the id of a rule in this version; there is no such rule.');
};

const validateThen = (faults: Fault[], pointer: string, then: unknown, ruleIds: ReadonlySet<string>): void => {
  if (!checkMembers(faults, pointer, then, '"then"', ['effect', 'rule', 'matches'], ['effect'])) return;
  if (then.effect !== undefined && !isEffect(then.effect))
    addFault(faults, below(pointer, 'effect'), `Effect must be one of ${EFFECTS.join(', ')}.`);
  if (then.rule === null) {
    if (then.effect !== 'BLOCK')
      addFault(faults, below(pointer, 'rule'), 'Without a rule, the effect must be BLOCK; otherwise add the rule.');
  } else if (then.rule !== undefined && !(typeof then.rule === 'string' && ruleIds.has(then.rule))) {
    addFault(faults, below(pointer, 'rule'), 'Must be the id of a rule in this version, or null for none; there is no such rule.');
  }
  if (then.matches !== undefined) validateMatches(faults, below(pointer, 'matches'), then.matches, ruleIds);
};

const validateCase = (faults: Fault[], pointer: string, value: unknown, ruleIds: ReadonlySet<string>, names: Set<string>): void => {
  if (!checkMembers(faults, pointer, value, 'A test', ['name', 'given', 'then'], ['name', 'given', 'then'])) return;
  const at = below(pointer, 'name');
  if (value.name !== undefined && checkText(faults, at, value.name, "A test's name", POLICY_LIMITS.test_name_length_max)) {
    if (names.has(value.name))
      addFault(faults, at, `Another test has the name "${truncateText(value.name, 80)}"; names must be unique in a version.`);
    names.add(value.name);
  }
  if (isJsonObject(value.given)) {
    // Each test is a request, and the cost of deciding one is bounded by the maximum contents of a request.
    if (exceedsLength(value.given, GIVEN_LENGTH_MAX))
      addFault(
        faults,
        below(pointer, 'given'),
        `"given" must be at most ${GIVEN_LENGTH_MAX} characters of JSON, the maximum of a request.`,
      );
    const given = readGiven(value.given, below(pointer, 'given'));
    if (!given.ok) for (const fault of given.faults) addFault(faults, fault.pointer, fault.message);
  } else if (value.given !== undefined) {
    addFault(
      faults,
      below(pointer, 'given'),
      '"given" must be an object of known fields, for example {"tool.name": "refund.create", "amount": 50000}.',
    );
  }
  if (value.then !== undefined) validateThen(faults, below(pointer, 'then'), value.then, ruleIds);
};

/**
 * Checks test cases against the ids of the rules they may name. `min` and `max` bound their number.
 * Pointers start at `pointer`, the position of the list. Never throws.
 */
export const validateCases = (
  cases: unknown,
  ruleIds: ReadonlySet<string>,
  bounds: { readonly min: number; readonly max: number; readonly pointer: string },
): { readonly ok: true; readonly cases: PolicyTestCase[] } | { readonly ok: false; readonly faults: Fault[] } => {
  const faults: Fault[] = [];
  if (!Array.isArray(cases) || cases.length < bounds.min || cases.length > bounds.max) {
    addFault(faults, bounds.pointer, `Must be a list of ${bounds.min} to ${bounds.max} tests.`);
    return { ok: false, faults };
  }
  const names = new Set<string>();
  for (const [index, value] of cases.entries()) validateCase(faults, below(bounds.pointer, index), value, ruleIds, names);
  return faults.length === 0 ? { ok: true, cases: cases as PolicyTestCase[] } : { ok: false, faults };
};
