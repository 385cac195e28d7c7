import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { sealWebhookSecret } from '@svc/keyring/tokens/webhook-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { insertSubscription, listSubscriptions, takeSubscriptionTurn } from '@svc/postgres/events/webhooks/webhooks.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { refuseWhileEnding } from './comes-too-late.ts';
import { findScope } from './find-place.ts';
import { formatSubscription, formatSubscriptionForAudit } from './format-subscription.ts';

type CreateWebhookRequest = CallContext & { readonly body: EndpointBody<Endpoints['createWebhook']>; readonly credentialId: string };

const { subscriptionsMax } = LIMITS.webhooks;

const FULL = `An organization can have at most ${subscriptionsMax} webhook subscriptions. Delete one first, or add the event types to an existing one.`;

export const createWebhook = async (
  { tx, emit }: Change<'webhook.subscription_created'>,
  request: CreateWebhookRequest,
  webhooks: { readonly sealingKey: KeyObject },
) => {
  const { scope, body, now, actor } = request;
  const { organization_id } = scope;
  const late = await refuseWhileEnding(tx, request);
  if (late) return late;
  const asked = { workspace_id: body.workspace_id ?? null, environment_id: body.environment_id ?? null };
  const place = await findScope(tx, scope, asked);
  if (isRefusal(place)) return place;
  await takeSubscriptionTurn(tx, organization_id);
  // Subscriptions that the caller cannot see count too.
  const others = await inWholeOrganization(tx, scope, () => listSubscriptions(tx, organization_id));
  if (others.length >= subscriptionsMax) return buildRefusal('VALIDATION_FAILED', FULL);
  const id = newId('webhook_subscription');
  const secret = newSecretToken(SECRET_PREFIXES.webhook_secret);
  const made = await insertSubscription(tx, {
    organization_id,
    id,
    ...place,
    name: body.name,
    url: body.url,
    event_types: body.event_types,
    body_format: body.body_format ?? 'JSON',
    sealed_secret: sealWebhookSecret(webhooks.sealingKey, secret, { organization_id, id }),
    vouched_by_type: actor.type,
    vouched_by: actor.id,
    created_by: actor.id,
    created_at: now,
    updated_at: now,
  });
  emit('webhook.subscription_created', { ...about.webhook_subscription(made), data: { after: formatSubscriptionForAudit(made) } });
  return { ...formatSubscription(made, now), secret };
};
