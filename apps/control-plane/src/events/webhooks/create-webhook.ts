import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { urlFault } from '@svc/domain/events/webhooks/url-fault.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { sealWebhookSecret } from '@svc/keyring/tokens/webhook-secret.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { insertSubscription, listSubscriptions, takeSubscriptionTurn } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { ControlDeps } from '../../deps.ts';
import { comesTooLate } from './subscriptions/comes-too-late.ts';
import { lackedReads } from './subscriptions/lacked-reads.ts';
import { NAME_TAKEN } from './subscriptions/name-taken.ts';
import { placeOf } from './subscriptions/place-of.ts';
import { auditedSubscription, toldSubscription } from './subscriptions/told-subscription.ts';

const { subscriptionsMax } = LIMITS.webhooks;
const FULL = `An organization can have at most ${subscriptionsMax} webhook subscriptions. Delete one first, or add the event types to an existing one.`;

export const createWebhook: Handler<Endpoints['createWebhook'], ControlDeps> = (call, { webhooks }) => {
  const { body, caller, scope, now } = call;
  const wrongUrl = urlFault(body.url, webhooks);
  if (wrongUrl !== undefined) return call.fault('/url', wrongUrl);
  const lacked = lackedReads(call, body.event_types);
  if (lacked) return lacked;
  return call.change(
    async ({ tx, emit }) => {
      const { organization_id } = scope;
      const late = await comesTooLate(tx, call);
      if (late) return late;
      const asked = { workspace_id: body.workspace_id ?? null, environment_id: body.environment_id ?? null };
      const place = await placeOf(tx, scope, asked);
      if (isRefusal(place)) return place;
      await takeSubscriptionTurn(tx, organization_id);
      // Those that the caller does not see count too.
      const others = await inWholeOrganization(tx, scope, () => listSubscriptions(tx, organization_id));
      if (others.length >= subscriptionsMax) return call.refuse('VALIDATION_FAILED', FULL);
      const id = call.newId('webhook_subscription');
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
        vouched_by_type: caller.actor.type,
        vouched_by: caller.actor.id,
        created_by: caller.actor.id,
        created_at: now,
        updated_at: now,
      });
      emit('webhook.subscription_created', { ...about.webhook_subscription(made), data: { after: auditedSubscription(made) } });
      return { ...toldSubscription(made, now), secret };
    },
    { webhook_subscriptions_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
