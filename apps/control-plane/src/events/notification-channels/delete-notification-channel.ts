import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteNotificationChannel as remove } from '@svc/operations/events/notification-channels/delete-notification-channel.ts';
import type { EventsDeps } from '../deps.ts';

export const deleteNotificationChannel: Handler<Endpoints['deleteNotificationChannel'], EventsDeps> = (call) => {
  return call.change((change) => remove(change, { ...asActing(call), channelId: call.params.channelId }));
};
