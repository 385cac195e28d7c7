import type { MailDesk } from '@svc/operations/people/mail/mail-desk.ts';

/** Dependencies of the handlers of tenancy. */
export type TenancyDeps = {
  /** Queues the mails of changes (`postMail`). */
  readonly mail: MailDesk;
};
