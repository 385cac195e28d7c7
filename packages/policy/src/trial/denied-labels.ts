import type { OperatorName } from '@svc/contract/policies/language.ts';

/** Text for a false condition, between the actual and the expected value. */
export const DENIED_LABELS: Readonly<Record<OperatorName, string>> = {
  eq: 'is not',
  neq: 'is',
  in: 'is none of',
  not_in: 'is one of',
  gt: 'is not more than',
  gte: 'is less than',
  lt: 'is not less than',
  lte: 'is more than',
  between: 'is not between',
  contains: 'does not contain',
  not_contains: 'contains',
  starts_with: 'does not start with',
  ends_with: 'does not end with',
  matches: 'does not match the pattern',
  eq_ignore_case: 'is not (ignoring case)',
  path_under: 'is not a path under',
  email_domain_in: 'is not an e-mail address at',
  cidr: 'is not in the network',
  is_true: 'is not true',
  is_false: 'is not false',
  within_hours: 'is not within the hours',
  on_weekdays: 'is not on one of the days',
  exists: 'is absent',
  not_exists: 'is present',
};
