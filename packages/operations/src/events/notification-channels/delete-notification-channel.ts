import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { deleteChannel, lockChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatChannel, formatChannelForAudit } from './format-channel.ts';

export const deleteNotificationChannel = async (
  { tx, emit }: Change<'notification_channel.deleted'>,
  request: CallContext & { readonly channelId: string },
) => {
  const { scope, channelId } = request;
  const before = await lockChannel(tx, { organization_id: scope.organization_id, id: channelId });
  if (!before) return buildRefusal('NOT_FOUND');
  await deleteChannel(tx, before);
  emit('notification_channel.deleted', { ...about.notification_channel(before), data: { before: formatChannelForAudit(before) } });
  return formatChannel(before);
};
