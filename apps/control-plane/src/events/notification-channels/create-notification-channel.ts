import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findChannelUrlFault } from '@svc/domain/events/notification-channels/channel-address.ts';
import { RECEIVERS } from '@svc/domain/events/notification-channels/kinds/receivers.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createNotificationChannel as create } from '@svc/operations/events/notification-channels/create-notification-channel.ts';
import { NAME_TAKEN } from '@svc/operations/events/notification-channels/format-channel.ts';
import { listLackedNotices } from '@svc/operations/events/notification-channels/lacked-notices.ts';
import type { EventsDeps } from '../deps.ts';

export const createNotificationChannel: Handler<Endpoints['createNotificationChannel'], EventsDeps> = (
  call,
  { channels, credentialKey },
) => {
  const { body } = call;
  const wrongUrl = findChannelUrlFault(RECEIVERS[body.kind ?? 'SLACK'], body.webhook_url, channels);
  if (wrongUrl !== undefined) return call.fault('/webhook_url', wrongUrl);
  const lacked = listLackedNotices(call, body.notices);
  if (lacked) return lacked;
  return call.change(
    (change) => create(change, { ...asActing(call), body: call.body, credentialId: call.caller.credentialId }, credentialKey),
    { notification_channels_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
