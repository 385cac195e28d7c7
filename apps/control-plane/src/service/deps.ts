import type { PlaneClock } from '@svc/http/clock/open-database-clock.ts';
import type { Readiness } from '@svc/http/plane/readiness.ts';
import type { Mailer } from '../people/mail/sending/open-mailer.ts';
import type { PassportWatch } from './health/passports/passport-watch.ts';

/** Dependencies of the handlers of health and info. */
export type ServiceDeps = {
  readonly clock: PlaneClock;
  readonly readiness: Readiness;
  readonly passportWatch: PassportWatch;
  /** Undefined where no mails are sent. */
  readonly mailer: Mailer | undefined;
  readonly urls: { readonly base: string; readonly gateway: string };
};
