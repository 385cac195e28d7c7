import type { MailService } from '@svc/operations/people/mail/mail-service.ts';

/** Dependencies of the handlers of tenancy. */
export type TenancyDeps = {
  /** Queues the mails of changes (`postMail`). */
  readonly mail: MailService;
};
