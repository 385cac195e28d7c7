import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { spreadNotice } from '@svc/operations/events/notifications/spread-notice.ts';
import type { MailService } from '@svc/operations/people/mail/mail-service.ts';
import { findOrganizationsWithNotices, forgetNotices, takeNotices } from '@svc/postgres/events/notifications/notices.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { Job } from '../job.ts';

const { lookEveryMs, noticesPerStepMax } = LIMITS.notifications;

/** Delivers notices to people and enqueues them for channels. One step per organization and round, with any backlog. */
export const spreadNotices = ({ mail }: { readonly mail: MailService }): Job<ClockEvent<'spread-notices'>> => ({
  name: 'spread-notices',
  everyMs: lookEveryMs,
  findOrganizations: findOrganizationsWithNotices,
  step: async (change, organizationId, now) => {
    for (const notice of await takeNotices(change.tx, organizationId, now, noticesPerStepMax))
      await spreadNotice(change, { now, newId, service: mail.service }, notice);
    await forgetNotices(change.tx, organizationId, now);
    return false;
  },
});
