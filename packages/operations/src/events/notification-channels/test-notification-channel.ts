import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countWaitingTests, leaveMessages } from '@svc/postgres/events/notification-channels/leave-messages.ts';
import { lockChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { Acting } from '../../people/auth/acting.ts';
import type { MailDesk } from '../../people/mail/mail-desk.ts';
import { formatChannel } from './format-channel.ts';

const { testsWaitingMax } = LIMITS.channels;

const MANY = `${testsWaitingMax} tests wait for this channel: its last_error says why.`;

const DISABLED = 'The channel is disabled: put it back (status ACTIVE) first.';

export const testNotificationChannel = async (
  { tx, emit }: Change<'notification_channel.updated'>,
  request: Acting & { readonly channelId: string },
  mail: MailDesk,
) => {
  const { scope, channelId } = request;
  const { organization_id } = scope;
  const channel = await lockChannel(tx, { organization_id, id: channelId });
  if (!channel) return buildRefusal('NOT_FOUND');
  if (channel.status !== 'ACTIVE') return buildRefusal('INVALID_STATE_TRANSITION', DISABLED);
  if ((await countWaitingTests(tx, channel)) >= testsWaitingMax) return buildRefusal('INVALID_STATE_TRANSITION', MANY);
  const message = {
    organization_id,
    kind: null,
    subject_id: null,
    workspace_id: null,
    environment_id: null,
    facts: {},
    link: `${mail.service()}/notifications`,
  };
  await leaveMessages(tx, message, [{ id: newId('notification'), channel_id: channel.id }]);
  emit('notification_channel.updated', { ...about.notification_channel(channel), data: { change: 'test_asked' } });
  return formatChannel(channel);
};
