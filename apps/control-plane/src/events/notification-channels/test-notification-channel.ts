import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { countWaitingTests, leaveMessages } from '@svc/postgres/events/notification-channels/leave-messages.ts';
import { lockChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { ControlDeps } from '../../deps.ts';
import { toldChannel } from '@svc/operations/events/notification-channels/told-channel.ts';

const { testsWaitingMax } = LIMITS.channels;
const MANY = `${testsWaitingMax} tests wait for this channel: its last_error says why.`;
const DISABLED = 'The channel is disabled: put it back (status ACTIVE) first.';

export const testNotificationChannel: Handler<Endpoints['testNotificationChannel'], ControlDeps> = (call, { mail }) => {
  const { scope, params } = call;
  const { organization_id } = scope;
  return call.change(async ({ tx, emit }) => {
    const channel = await lockChannel(tx, { organization_id, id: params.channelId });
    if (!channel) return call.refuse('NOT_FOUND');
    if (channel.status !== 'ACTIVE') return call.refuse('INVALID_STATE_TRANSITION', DISABLED);
    if ((await countWaitingTests(tx, channel)) >= testsWaitingMax) return call.refuse('INVALID_STATE_TRANSITION', MANY);
    const message = {
      organization_id,
      kind: null,
      subject_id: null,
      workspace_id: null,
      environment_id: null,
      facts: {},
      link: `${mail.service()}/notifications`,
    };
    await leaveMessages(tx, message, [{ id: call.newId('notification'), channel_id: channel.id }]);
    emit('notification_channel.updated', { ...about.notification_channel(channel), data: { change: 'test_asked' } });
    return toldChannel(channel);
  });
};
