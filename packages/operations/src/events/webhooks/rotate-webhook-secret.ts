import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { sealWebhookSecret } from '@svc/keyring/tokens/webhook-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockSubscription, replaceSecret } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatSubscription } from './format-subscription.ts';

type RotateWebhookSecretRequest = CallContext & {
  readonly subscriptionId: string;
  readonly body: EndpointBody<Endpoints['rotateWebhookSecret']>;
};

export const rotateWebhookSecret = async (
  { tx, emit }: Change<'webhook.secret_rotated'>,
  request: RotateWebhookSecretRequest,
  webhooks: { readonly sealingKey: KeyObject },
) => {
  const { scope, body, now, subscriptionId } = request;
  const before = await lockSubscription(tx, { organization_id: scope.organization_id, id: subscriptionId });
  if (!before) return buildRefusal('NOT_FOUND');
  const secret = newSecretToken(SECRET_PREFIXES.webhook_secret);
  const endsAt = body?.end_previous ? null : new Date(now.getTime() + LIMITS.webhooks.previousSecretSeconds * 1000);
  const after = await replaceSecret(tx, before, {
    sealed: sealWebhookSecret(webhooks.sealingKey, secret, before),
    previousEndsAt: endsAt,
    now,
  });
  // Uses a name that is not masked as a secret.
  const told = ({ previous_secret_ends_at }: typeof after) => ({ previous_ends_at: previous_secret_ends_at });
  emit('webhook.secret_rotated', { ...about.webhook_subscription(after), data: { before: told(before), after: told(after) } });
  return { ...formatSubscription(after, now), secret };
};
