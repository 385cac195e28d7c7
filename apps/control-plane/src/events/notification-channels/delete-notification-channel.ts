import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { deleteChannel, lockChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { ControlDeps } from '../../deps.ts';
import { auditedChannel, toldChannel } from '@svc/operations/events/notification-channels/told-channel.ts';

export const deleteNotificationChannel: Handler<Endpoints['deleteNotificationChannel'], ControlDeps> = (call) => {
  const { scope, params } = call;
  return call.change(async ({ tx, emit }) => {
    const before = await lockChannel(tx, { organization_id: scope.organization_id, id: params.channelId });
    if (!before) return call.refuse('NOT_FOUND');
    await deleteChannel(tx, before);
    emit('notification_channel.deleted', { ...about.notification_channel(before), data: { before: auditedChannel(before) } });
    return toldChannel(before);
  });
};
