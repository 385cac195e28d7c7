import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countWaitingTests, leaveMessages } from '@svc/postgres/events/notification-channels/leave-messages.ts';
import { lockChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import type { MailService } from '../../people/mail/mail-service.ts';
import { formatChannel } from './format-channel.ts';

const { queuedTestsMax } = LIMITS.channels;

const MANY = `${queuedTestsMax} tests wait for this channel: its last_error says why.`;

const DISABLED = 'The channel is disabled: put it back (status ACTIVE) first.';

export const testNotificationChannel = async (
  { tx, emit }: Change<'notification_channel.updated'>,
  request: CallContext & { readonly channelId: string },
  mail: MailService,
) => {
  const { scope, channelId } = request;
  const { organization_id } = scope;
  const channel = await lockChannel(tx, { organization_id, id: channelId });
  if (!channel) return buildRefusal('NOT_FOUND');
  if (channel.status !== 'ACTIVE') return buildRefusal('INVALID_STATE_TRANSITION', DISABLED);
  if ((await countWaitingTests(tx, channel)) >= queuedTestsMax) return buildRefusal('INVALID_STATE_TRANSITION', MANY);
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
