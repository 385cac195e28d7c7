import { RULE_ID_PATTERN } from '@svc/contract/policies/language.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { EFFECTS, type Effect } from '@svc/contract/tables/vocabulary.ts';
import { DEMANDS, EFFECT_TABLE } from '../language/effects.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import { checkMembers } from '../values/check-members.ts';
import { addFault, below, type Fault } from '../values/faults.ts';
import { checkText } from './check-text.ts';
import { type ConditionTally, validateCondition } from './validate-condition.ts';
import { validateDemand } from './validate-demand.ts';

const RULE_MEMBERS = ['id', 'description', 'effect', 'when', 'if_missing', 'reason', 'approval', 'limit', 'mask'];
const ruleId = new RegExp(RULE_ID_PATTERN);

export const isEffect = (value: unknown): value is Effect => (EFFECTS as readonly unknown[]).includes(value);

const validateId = (faults: Fault[], pointer: string, id: unknown, seen: Set<string>): void => {
  if (typeof id !== 'string' || !ruleId.test(id)) {
    addFault(faults, pointer, 'A rule id must be 1 to 64 letters, digits, dots, hyphens and underscores, for example "large-refunds".');
  } else if (seen.has(id)) addFault(faults, pointer, `Another rule has the id "${id}"; ids must be unique in a version.`);
  else seen.add(id);
};

const validateDemands = (faults: Fault[], pointer: string, rule: JsonObject, effect: Effect): void => {
  const row = EFFECT_TABLE[effect];
  for (const name of DEMANDS) {
    if (rule[name] === undefined) {
      if (row.demand === name && row.demand_required)
        addFault(faults, below(pointer, name), `A rule with the effect ${effect} requires the member "${name}".`);
    } else if (row.demand === name) validateDemand(faults, pointer, rule, name);
    else addFault(faults, below(pointer, name), `"${name}" is not allowed with the effect ${effect}; remove it.`);
  }
};

const validateIfMissing = (faults: Fault[], pointer: string, value: unknown, effect: unknown): void => {
  if (value !== 'match') {
    addFault(faults, pointer, 'Must be "match"; to match only if all fields are known, omit the member.');
  } else if (effect === 'ALLOW') {
    addFault(faults, pointer, 'A rule that allows must not match on missing data; remove the member or choose a stricter effect.');
  }
};

/** Notes every fault of one rule. `seen` contains the ids of earlier rules, and receives this one's. */
export const validateRule = (tally: ConditionTally, pointer: string, rule: unknown, seen: Set<string>): void => {
  const { faults } = tally;
  if (!checkMembers(faults, pointer, rule, 'A rule', RULE_MEMBERS, ['id', 'effect', 'reason'])) return;
  if (rule.id !== undefined) validateId(faults, below(pointer, 'id'), rule.id, seen);
  if (rule.reason !== undefined) checkText(faults, below(pointer, 'reason'), rule.reason, 'The reason', POLICY_LIMITS.reason_length_max);
  if (
    rule.description !== undefined &&
    (typeof rule.description !== 'string' || rule.description.length > POLICY_LIMITS.description_length_max)
  ) {
    addFault(
      faults,
      below(pointer, 'description'),
      `The description must be text of at most ${POLICY_LIMITS.description_length_max} characters.`,
    );
  }
  if (!isCatchAll(rule.when)) validateCondition(tally, below(pointer, 'when'), rule.when);
  if (rule.if_missing !== undefined) validateIfMissing(faults, below(pointer, 'if_missing'), rule.if_missing, rule.effect);
  if (isEffect(rule.effect)) validateDemands(faults, pointer, rule, rule.effect);
  else if (rule.effect !== undefined) addFault(faults, below(pointer, 'effect'), `Effect must be one of ${EFFECTS.join(', ')}.`);
};
