import type { ConsultedRule, PolicyDecision } from '@svc/contract/policies/language.ts';
import { pathsMeet } from '@svc/policy/masks/mask-paths.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';

const PARAMETERS = 'parameters.';

type Condition = ConsultedRule['conditions'][number];

const shown = (condition: Condition, masked: readonly string[]): Condition =>
  condition.actual !== undefined && condition.field.startsWith(PARAMETERS) && pathsMeet(condition.field.slice(PARAMETERS.length), masked)
    ? { ...condition, actual: MASKED }
    : condition;

/** Returns the evaluated rules without values that a matching rule masks: a condition may read a hidden value. */
export const listVisibleRules = ({ matched_rules, obligations }: PolicyDecision): ConsultedRule[] => {
  const masked = obligations.mask?.parameters ?? [];
  if (masked.length === 0) return matched_rules;
  return matched_rules.map((rule) => ({ ...rule, conditions: rule.conditions.map((condition) => shown(condition, masked)) }));
};
