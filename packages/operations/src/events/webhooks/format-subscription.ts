import type { WebhookSubscription } from '@svc/contract/events/webhooks.ts';
import { WAITING_EVENTS } from '@svc/contract/tables/written/waiting-events.ts';
import { buildAuditedUrl } from '@svc/domain/events/webhooks/audited-url.ts';
import type { SubscriptionRow } from '@svc/postgres/events/webhooks/webhooks.ts';

const WAITING: Readonly<Record<string, string>> = WAITING_EVENTS;

/** Returns the accepted event types that are not delivered yet, and what each waits for. */
const waitingOf = (types: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(types.flatMap((type) => (WAITING[type] === undefined ? [] : [[type, WAITING[type]]])));

export const formatSubscription = (
  { organization_id: _, vouched_by, vouched_by_type, ...row }: SubscriptionRow,
  now: Date,
): WebhookSubscription => {
  const isRotating = row.previous_secret_ends_at !== null && Date.parse(row.previous_secret_ends_at) > now.getTime();
  return {
    ...row,
    waiting: waitingOf(row.event_types),
    previous_secret_ends_at: isRotating ? row.previous_secret_ends_at : null,
    vouched_by: { type: vouched_by_type, id: vouched_by },
  };
};

/** Returns the members of a subscription for audit events: what is delivered, and to where. */
export const formatSubscriptionForAudit = ({
  name,
  url,
  event_types,
  workspace_id,
  environment_id,
  body_format,
  status,
  disabled_reason,
}: SubscriptionRow) => ({
  name,
  url: buildAuditedUrl(url),
  event_types,
  workspace_id,
  environment_id,
  body_format,
  status,
  disabled_reason,
});
