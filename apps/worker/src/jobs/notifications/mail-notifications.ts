import { LIMITS } from '@svc/contract/tables/limits.ts';
import { mailPerson } from '@svc/operations/events/notifications/mail-person.ts';
import type { MailService } from '@svc/operations/people/mail/mail-service.ts';
import { findOrganizationsWithDueMails, listPeopleDue } from '@svc/postgres/events/notifications/due-mails.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { Job } from '../job.ts';

/** Enqueues the notification mails that are due. The mailer sends them, within its limits. */
export const mailNotifications = (deps: { readonly mail: MailService }): Job => ({
  name: 'mail-notifications',
  everyMs: LIMITS.notifications.lookEveryMs,
  findOrganizations: findOrganizationsWithDueMails,
  step: async ({ tx }, organizationId, now) => {
    for (const userId of await listPeopleDue(tx, organizationId, now))
      await mailPerson(deps, { now, sourceIp: '', newId }, tx, { organizationId, userId });
    return false;
  },
});
