import { LIMITS } from '@svc/contract/tables/limits.ts';
import { buildNotice, SOURCE_TYPES } from '@svc/domain/events/notifications/sources.ts';
import { selectEventTypes } from '@svc/postgres/audit/read-feed.ts';
import { leaveNotices } from '@svc/postgres/events/notifications/notices.ts';
import type { EventConsumer } from './consumer.ts';

/** Stores notices about events; the job `spread-notices` later determines the recipients. */
export const noticeEvents: EventConsumer = {
  name: 'notices',
  begins: 'now',
  interest: selectEventTypes(SOURCE_TYPES),
  lookEveryMs: LIMITS.notifications.lookEveryMs,
  take: (tx, events) =>
    leaveNotices(
      tx,
      events.flatMap(({ event }) => {
        const notice = buildNotice(event);
        if (notice === undefined) return [];
        const { id, organization_id, workspace_id, environment_id, subject } = event;
        return [
          { ...notice, organization_id, subject_type: subject.type, subject_id: subject.id, workspace_id, environment_id, event_id: id },
        ];
      }),
    ),
};
