import type { DeliveryAttempt } from '@svc/contract/events/deliveries.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { ClaimedDelivery } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import { giveUpDelivery } from '@svc/postgres/events/webhooks/settle-deliveries.ts';

/** A delivery that is not attempted again; `attempt` is null if the claimed attempt was not made. */
export type FailedDelivery = { readonly delivery: ClaimedDelivery; readonly attempt: DeliveryAttempt | null; readonly reason: string };

/** Ends a delivery as failed, unless another worker attempts it meanwhile. */
export const failDelivery = async (
  { tx, emit }: Change<'webhook.delivery_failed'>,
  { delivery, attempt, reason }: FailedDelivery,
): Promise<void> => {
  const { organization_id, id, subscription_id, place } = delivery;
  if (!(await giveUpDelivery(tx, { organization_id, id, attempts: delivery.attempt, reason, attempt }))) return;
  const attempts = delivery.attempt - (attempt === null ? 1 : 0);
  emit('webhook.delivery_failed', {
    ...about.webhook_subscription({ id: subscription_id, ...place }),
    data: { delivery_id: id, event_id: delivery.event_id, event_type: delivery.event_type, attempts, reason },
  });
};
