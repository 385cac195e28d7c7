import type { Endpoints } from '@svc/contract/endpoints.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { sealWebhookSecret } from '@svc/keyring/tokens/webhook-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockSubscription, replaceSecret } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { ControlDeps } from '../../deps.ts';
import { toldSubscription } from './subscriptions/told-subscription.ts';

export const rotateWebhookSecret: Handler<Endpoints['rotateWebhookSecret'], ControlDeps> = (call, { webhooks }) => {
  const { scope, params, now, body } = call;
  return call.change(async ({ tx, emit }) => {
    const before = await lockSubscription(tx, { organization_id: scope.organization_id, id: params.subscriptionId });
    if (!before) return call.refuse('NOT_FOUND');
    const secret = newSecretToken(SECRET_PREFIXES.webhook_secret);
    const endsAt = body?.end_previous ? null : new Date(now.getTime() + LIMITS.webhooks.previousSecretSeconds * 1000);
    const after = await replaceSecret(tx, before, {
      sealed: sealWebhookSecret(webhooks.sealingKey, secret, before),
      previousEndsAt: endsAt,
      now,
    });
    // Under a name that no mask takes for a secret's.
    const told = ({ previous_secret_ends_at }: typeof after) => ({ previous_ends_at: previous_secret_ends_at });
    emit('webhook.secret_rotated', { ...about.webhook_subscription(after), data: { before: told(before), after: told(after) } });
    return { ...toldSubscription(after, now), secret };
  });
};
