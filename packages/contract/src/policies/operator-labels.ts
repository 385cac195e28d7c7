import type { OperatorName } from './language.ts';

/** Words of each operator, between the field and the value of a condition. */
export const OPERATOR_LABELS: Readonly<Record<OperatorName, string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  between: 'is between',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  matches: 'matches the pattern',
  eq_ignore_case: 'is (ignoring case)',
  path_under: 'is a path under',
  email_domain_in: 'is an e-mail address at',
  cidr: 'is in the network',
  is_true: 'is true',
  is_false: 'is false',
  within_hours: 'is within the hours',
  on_weekdays: 'is on one of the days',
  exists: 'is present',
  not_exists: 'is absent',
};
