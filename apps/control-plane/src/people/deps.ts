import type { KeyObject } from 'node:crypto';
import type { WordOf } from '@svc/contract/tables/settings.ts';
import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { UserCodes } from '@svc/keyring/codes/user-codes.ts';
import type { Passwords } from '@svc/keyring/passwords/password.ts';
import type { SignUpDesk } from '@svc/operations/people/auth/founding/sign-up-desk.ts';
import type { MailService } from '@svc/operations/people/mail/mail-service.ts';
import type { ResetKeys } from '@svc/operations/people/passwords/reset-codes.ts';
import type { FactorChecks } from '@svc/operations/people/second-factors/check-factor.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { RateLimiter } from '@svc/shared-state/rate-limiter.ts';
import type { StepUpLane } from './auth/step-up/step-up-proofs.ts';
import type { Sso } from './sso/oidc/open-sso.ts';

/** Settings of sign-ins and sessions. */
export type PeopleSettings = {
  readonly sessionLifetimeSeconds: number;
  readonly sessionIdleTimeoutSeconds: number;
  readonly stepUpLifetimeSeconds: number;
  readonly loginAttemptsMax: number;
  readonly lockoutSeconds: number;
  /** Who may found an organization once there is one. */
  readonly signup: WordOf<'SVC_SIGNUP'>;
};

/** Dependencies of the handlers of people. */
export type PeopleDeps = {
  readonly settings: PeopleSettings;
  readonly clock: Pick<PlaneClock, 'now' | 'refusal'>;
  /** Reads and writes accounts, across organizations. */
  readonly identity: Database;
  readonly passwords: Passwords;
  readonly stepUpLane: StepUpLane;
  readonly userCodes: UserCodes;
  /** Key of the cookies that remember browsers with a past sign-in. */
  readonly deviceKey: KeyObject;
  readonly factors: FactorChecks;
  /** Keys of the codes that set a new password. */
  readonly resetKeys: ResetKeys;
  /** Seals sign-ups that wait for their codes. */
  readonly signUps: SignUpDesk;
  /** Queues the mails of changes (`postMail`). */
  readonly mail: MailService;
  readonly sso: Sso;
  /** Budgets of work that a request does in addition to its row's budget. */
  readonly rateLimiter: RateLimiter;
  readonly urls: { readonly base: string; readonly gateway: string; readonly sandbox: string | undefined };
};
