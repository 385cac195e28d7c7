import type { LockoutTerms } from '@svc/postgres/people/auth/sign-in-failures.ts';
import type { ControlSettings } from '../../../settings.ts';

export const lockoutTerms = ({ loginAttemptsMax, lockoutSeconds }: ControlSettings): LockoutTerms => ({
  attemptsMax: loginAttemptsMax,
  lockoutSeconds,
});
