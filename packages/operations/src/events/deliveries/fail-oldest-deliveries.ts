import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type Crowded, giveUpCrowd } from '@svc/postgres/events/webhooks/give-up-crowd.ts';

type FailOldestRequest = {
  readonly subscription: Crowded;
  readonly waitingMax: number;
  /** The most deliveries that fail in one change. */
  readonly limit: number;
};

/** Fails the oldest deliveries of a subscription that has more than `waitingMax` waiting. Returns how many. */
export const failOldestDeliveries = async (
  { tx, emit }: Change<'webhook.delivery_failed'>,
  { subscription, waitingMax, limit }: FailOldestRequest,
): Promise<number> => {
  const reason = `More than ${waitingMax} deliveries were waiting for the receiver, so the oldest failed. Redeliver them when the receiver is available.`;
  const deliveries = await giveUpCrowd(tx, subscription, { waitingMax, limit, reason });
  if (deliveries > 0) emit('webhook.delivery_failed', { ...about.webhook_subscription(subscription), data: { deliveries, reason } });
  return deliveries;
};
