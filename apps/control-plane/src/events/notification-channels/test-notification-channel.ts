import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { testNotificationChannel as test } from '@svc/operations/events/notification-channels/test-notification-channel.ts';
import type { EventsDeps } from '../deps.ts';

export const testNotificationChannel: Handler<Endpoints['testNotificationChannel'], EventsDeps> = (call, { mail }) => {
  return call.change((change) => test(change, { ...asActing(call), channelId: call.params.channelId }, mail));
};
