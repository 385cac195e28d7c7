import type { DisabledReason } from '@svc/contract/events/webhooks.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findKeepers } from '@svc/postgres/events/webhooks/find-keepers.ts';
import { updateSubscription } from '@svc/postgres/events/webhooks/subscriptions.ts';
import type { MailDesk } from '../../people/mail/mail-desk.ts';
import { type Posting, postMail } from '../../people/mail/post-mail.ts';

type Reason = Exclude<DisabledReason, 'BY_HAND' | 'HOLDER_CHANGED'>;

const SAYS: Readonly<Record<Reason, string>> = {
  FAILING: 'none of its deliveries has arrived for five days',
  RECEIVER_GONE: 'its receiver answered 410 (gone)',
  RIGHTS_LOST: 'whoever made or last changed it may make none any more',
};

/** Ends what a subscription delivers until somebody puts it back, tells so in the record, and writes to those who may. */
export const disableWebhook = async (
  deps: { readonly mail: MailDesk },
  posting: Posting,
  { tx, emit }: Change<'webhook.subscription_updated'>,
  { organization_id, id, reason }: { readonly organization_id: string; readonly id: string; readonly reason: Reason },
): Promise<void> => {
  const row = await updateSubscription(
    tx,
    { organization_id, id },
    { status: 'DISABLED', disabled_reason: reason, updated_at: posting.now },
  );
  const data = { change: 'disabled', reason, before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } };
  emit('webhook.subscription_updated', { ...about.webhook_subscription(row), data });
  const { emails, organizationName } = await findKeepers(tx, row);
  for (const to of emails)
    await postMail(deps, posting, tx, {
      to,
      template: 'webhook-disabled',
      values: { service: deps.mail.service(), organization: organizationName, webhook: row.name, webhook_id: row.id, reason: SAYS[reason] },
      organizationId: organization_id,
    });
};
