import type { LockoutTerms } from '@svc/postgres/people/auth/sign-in-failures.ts';
import type { PeopleSettings } from '../../deps.ts';

export const getLockoutTerms = ({
  loginAttemptsMax,
  lockoutSeconds,
}: Pick<PeopleSettings, 'loginAttemptsMax' | 'lockoutSeconds'>): LockoutTerms => ({
  attemptsMax: loginAttemptsMax,
  lockoutSeconds,
});
