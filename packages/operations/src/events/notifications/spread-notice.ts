import { mailAt, resolvePreferences } from '@svc/domain/events/notifications/preferences.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRecipients, type NotificationRecipient } from '@svc/postgres/events/notifications/find-recipients.ts';
import type { Notice } from '@svc/postgres/events/notifications/notices.ts';
import {
  boundNotifications,
  findCrowded,
  gatherNotifications,
  insertNotifications,
  type WrittenNotification,
} from '@svc/postgres/events/notifications/write-notifications.ts';
import { type ChannelNotifier, enqueueChannelNotices } from '../notification-channels/tell-channels.ts';
import { type Addressed, listRecipients } from './find-audience.ts';

type Spreading = ChannelNotifier;

/** Returns how a person is notified; none if they have disabled every way. */
const getPlan = (
  { now, newId }: Spreading,
  { kind }: Notice,
  { user_id, preferences: chosen }: NotificationRecipient,
): WrittenNotification[] => {
  const preferences = resolvePreferences(chosen);
  const in_inbox = preferences.kinds[kind].inbox !== 'OFF';
  const due = mailAt(preferences, kind, now.getTime());
  if (!in_inbox && due === undefined) return [];
  return [{ id: newId('notification'), user_id, in_inbox, mail_due_at: due === undefined ? null : new Date(due) }];
};

const tellPeople = async (
  { tx, emit }: Change<'notification.created'>,
  spreading: Spreading,
  notice: Notice,
  addressed: Addressed,
): Promise<void> => {
  const { now } = spreading;
  const written = (await findRecipients(tx, addressed.audience)).flatMap((person) => getPlan(spreading, notice, person));
  if (written.length === 0) return;
  const userIds = written.map(({ user_id }) => user_id);
  const crowded = await findCrowded(tx, notice, userIds, now);
  const told = { ...notice, facts: addressed.facts };
  const alone = written.filter(({ user_id }) => !crowded.has(user_id));
  const together = written.filter(({ user_id }) => crowded.has(user_id));
  await insertNotifications(tx, told, alone, now);
  const made = await gatherNotifications(tx, told, together, now);
  await boundNotifications(tx, notice.organization_id, userIds);
  const { workspace_id, environment_id, event_id, kind } = notice;
  for (const { id, user_id } of [...alone, ...together.filter(({ id }) => made.has(id))])
    emit('notification.created', { ...about.notification({ id, workspace_id, environment_id }), data: { kind, user_id, event_id } });
};

type Spread = Change<'notification.created' | 'notification_channel.disabled'>;

/** Delivers a notice to each recipient and channel once, and records it. */
export const spreadNotice = async (change: Spread, spreading: Spreading, notice: Notice): Promise<void> => {
  const addressed = await listRecipients(change.tx, notice, spreading.now);
  if (addressed === undefined) return;
  await tellPeople(change, spreading, notice, addressed);
  // A notice for named people goes to no channel.
  if (addressed.audience.isNamedOnly !== true) await enqueueChannelNotices(change, spreading, notice, addressed.facts);
};
