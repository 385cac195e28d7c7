import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { urlFault } from '@svc/domain/events/webhooks/url-fault.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockSubscription, type SubscriptionRow, updateSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { ControlDeps } from '../../deps.ts';
import { comesTooLate } from './subscriptions/comes-too-late.ts';
import { lackedReads } from './subscriptions/lacked-reads.ts';
import { NAME_TAKEN } from './subscriptions/name-taken.ts';
import { placeOf, type SubscribedPlace } from './subscriptions/place-of.ts';
import { auditedSubscription, toldSubscription } from './subscriptions/told-subscription.ts';

type Update = Call<Endpoints['updateWebhook']>;

/** What says that deliveries go on, or where to: whoever asks for it vouches for all of it from then on. */
const isVouching = ({ name: _, status, ...rest }: Update['body']): boolean => status === 'ACTIVE' || Object.keys(rest).length > 0;

type Plan = Partial<SubscribedPlace & Pick<SubscriptionRow, 'vouched_by_type' | 'vouched_by'>>;

/** What the row is to hold besides what the body names as it stands there. */
const planned = async (
  tx: TenantTransaction,
  call: Update,
  before: SubscriptionRow,
): Promise<Plan | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { body, scope, caller } = call;
  if (!isVouching(body)) return {};
  const late = await comesTooLate(tx, call);
  if (late) return late;
  const place = await placeOf(tx, scope, {
    workspace_id: body.workspace_id === undefined && body.environment_id === undefined ? before.workspace_id : (body.workspace_id ?? null),
    environment_id:
      body.environment_id === undefined && body.workspace_id === undefined ? before.environment_id : (body.environment_id ?? null),
  });
  if (isRefusal(place)) return place;
  const lacked = lackedReads(call, body.event_types ?? before.event_types);
  return lacked ?? { ...place, vouched_by_type: caller.actor.type, vouched_by: caller.actor.id };
};

const standing = (status: Update['body']['status']) => {
  if (status === undefined) return {};
  return {
    status,
    disabled_reason: status === 'ACTIVE' ? null : ('BY_HAND' as const),
    failing_since: null,
    gone_since: null,
    paused_until: null,
  };
};

export const updateWebhook: Handler<Endpoints['updateWebhook'], ControlDeps> = (call, { webhooks }) => {
  const { body, scope, params, now } = call;
  if (Object.keys(body).length === 0) return call.fault('', 'Send at least one member to change.');
  const wrongUrl = body.url === undefined ? undefined : urlFault(body.url, webhooks);
  if (wrongUrl !== undefined) return call.fault('/url', wrongUrl);
  return call.change(
    async ({ tx, emit }) => {
      const before = await lockSubscription(tx, { organization_id: scope.organization_id, id: params.subscriptionId });
      if (!before) return call.refuse('NOT_FOUND');
      const plan = await planned(tx, call, before);
      if (isRefusal(plan)) return plan;
      const { workspace_id: _, environment_id: __, status, ...named } = body;
      const after = await updateSubscription(tx, before, { ...named, ...plan, ...standing(status), updated_at: now });
      const vouched = { before: before.vouched_by, after: after.vouched_by };
      const data = { change: 'updated', before: auditedSubscription(before), after: auditedSubscription(after), vouched_by: vouched };
      emit('webhook.subscription_updated', { ...about.webhook_subscription(after), data });
      return toldSubscription(after, now);
    },
    { webhook_subscriptions_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
