import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { passOverStale } from '@svc/postgres/events/webhooks/stretches.ts';

type SkipStaleRequest = {
  readonly organizationId: string;
  /** Events before the one with this id are skipped. */
  readonly before: string;
};

const REASON = `The organization had more events than its receivers accepted: events older than ${LIMITS.webhooks.stretchSecondsMax / 3_600} hours are not delivered. Read them from the audit log.`;

/** Skips old events for which no delivery was created, because the receivers of the organization did not accept enough. */
export const skipStaleEvents = async (
  { tx, emit }: Change<'webhook.delivery_failed'>,
  { organizationId, before }: SkipStaleRequest,
): Promise<void> => {
  const skipped = await passOverStale(tx, organizationId, before);
  if (skipped) emit('webhook.delivery_failed', { ...about.organization({ id: organizationId }), data: { ...skipped, reason: REASON } });
};
