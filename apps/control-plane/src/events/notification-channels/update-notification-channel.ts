import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { NAME_TAKEN } from '@svc/operations/events/notification-channels/format-channel.ts';
import { updateNotificationChannel as update } from '@svc/operations/events/notification-channels/update-notification-channel.ts';
import type { EventsDeps } from '../deps.ts';

export const updateNotificationChannel: Handler<Endpoints['updateNotificationChannel'], EventsDeps> = (
  call,
  { channels, credentialKey },
) => {
  const { body } = call;
  if (Object.keys(body).length === 0) return call.fault('', 'Name at least one member to change.');
  return call.change(
    (change) =>
      update(
        change,
        { ...asActing(call), channelId: call.params.channelId, body: call.body, credentialId: call.caller.credentialId, lacks: call.lacks },
        { credentialKey, rules: channels },
      ),
    { notification_channels_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
