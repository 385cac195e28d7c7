import { mayBeSent } from '@svc/domain/events/notification-channels/may-be-sent.ts';
import { findSubjectPage, type SentenceFacts } from '@svc/domain/events/notifications/sentences.ts';
import { voucherRights } from '@svc/domain/events/webhooks/voucher.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findTakingChannels, leaveMessages } from '@svc/postgres/events/notification-channels/leave-messages.ts';
import type { Notice } from '@svc/postgres/events/notifications/notices.ts';
import { readVouchers } from '@svc/postgres/events/webhooks/read-vouchers.ts';
import type { Posting } from '../../people/mail/post-mail.ts';
import { disableChannel } from './disable-channel.ts';

export type ChannelNotifier = Pick<Posting, 'now' | 'newId'> & {
  /** Public address of the service for links. */
  readonly service: () => string;
};

/**
 * Enqueues a notice for every channel that receives its kind, if the person who vouches for the channel may still read it; a channel whose
 * person may receive none is ended.
 */
export const enqueueChannelNotices = async (
  change: Change<'notification_channel.disabled'>,
  { now, newId, service }: ChannelNotifier,
  notice: Notice,
  facts: SentenceFacts,
): Promise<void> => {
  const { organization_id, kind, subject_id, workspace_id, environment_id } = notice;
  const channels = await findTakingChannels(change.tx, notice);
  const links = await readVouchers(
    change.tx,
    channels.map(({ vouched_by }) => ({ organization_id, id: vouched_by })),
  );
  const told: { id: string; channel_id: string }[] = [];
  for (const [index, { id }] of channels.entries()) {
    const rights = voucherRights(links[index] ?? [], now.getTime());
    if (rights === undefined) await disableChannel(change, { organization_id, id, reason: 'RIGHTS_LOST', now });
    else if (mayBeSent(rights, notice)) told.push({ id: newId('notification'), channel_id: id });
  }
  const place = { organization_id, workspace_id, environment_id };
  await leaveMessages(change.tx, { ...place, kind, subject_id, facts, link: `${service()}${findSubjectPage(kind, subject_id)}` }, told);
};
