import type { ChannelDisabledReason } from '@svc/contract/events/notification-channels.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { forgetMessages } from '@svc/postgres/events/notification-channels/leave-messages.ts';
import { endChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';

type Reason = Exclude<ChannelDisabledReason, 'BY_HAND' | 'HOLDER_CHANGED'>;
type Which = { readonly organization_id: string; readonly id: string; readonly reason: Reason; readonly now: Date };

/** Event data of a channel that the service disables. */
const disabledData = (reason: ChannelDisabledReason) => ({ reason, before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } });

/** Disables an active channel until a person enables it, and records it, which notifies those who may. */
export const disableChannel = async (
  { tx, emit }: Change<'notification_channel.disabled'>,
  { organization_id, id, reason, now }: Which,
): Promise<void> => {
  const row = await endChannel(tx, { organization_id, id }, { reason, now });
  if (row === undefined) return;
  await forgetMessages(tx, row);
  emit('notification_channel.disabled', { ...about.notification_channel(row), data: disabledData(reason) });
};
