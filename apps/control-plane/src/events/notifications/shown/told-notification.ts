import type { Notification } from '@svc/contract/events/notifications.ts';
import { pageOf, sentenceOf } from '@svc/domain/events/notifications/sentences.ts';
import type { ShownNotification } from '@svc/postgres/events/notifications/notifications.ts';

export const toldNotification = ({ facts, gathered, subject_type, subject_id, ...row }: ShownNotification): Notification => ({
  ...row,
  sentence: sentenceOf(row.kind, { facts, count: gathered === 0 ? null : gathered }),
  page: pageOf(row.kind, subject_id),
  count: Math.max(1, gathered),
  subject: subject_type === null || subject_id === null ? null : { type: subject_type, id: subject_id },
});
