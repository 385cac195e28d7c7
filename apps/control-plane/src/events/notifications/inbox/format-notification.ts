import type { Notification } from '@svc/contract/events/notifications.ts';
import { findSubjectPage, writeSentence } from '@svc/domain/events/notifications/sentences.ts';
import type { NotificationView } from '@svc/postgres/events/notifications/notifications.ts';

export const formatNotification = ({ facts, gathered, subject_type, subject_id, ...row }: NotificationView): Notification => ({
  ...row,
  sentence: writeSentence(row.kind, { facts, count: gathered === 0 ? null : gathered }),
  page: findSubjectPage(row.kind, subject_id),
  count: Math.max(1, gathered),
  subject: subject_type === null || subject_id === null ? null : { type: subject_type, id: subject_id },
});
