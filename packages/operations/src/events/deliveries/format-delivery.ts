import type { WebhookDelivery } from '@svc/contract/events/deliveries.ts';
import type { DeliveryRow } from '@svc/postgres/events/webhooks/deliveries.ts';

const STATUSES = { WAITING: 'PENDING', DELIVERED: 'DELIVERED', FAILED: 'FAILED' } as const;

export const formatDelivery = ({
  is_test,
  state,
  due_at,
  tries,
  workspace_id: _,
  environment_id: __,
  ...row
}: DeliveryRow): WebhookDelivery => ({
  ...row,
  test: is_test,
  status: STATUSES[state],
  next_attempt_at: state === 'WAITING' ? due_at : null,
  attempt_log: tries,
});
