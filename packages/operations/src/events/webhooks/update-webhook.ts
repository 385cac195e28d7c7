import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockSubscription, type SubscriptionRow, updateSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { refuseWhileEnding } from './comes-too-late.ts';
import { findScope, type SubscribedPlace } from './find-place.ts';
import { formatSubscription, formatSubscriptionForAudit } from './format-subscription.ts';
import { listLackedReads } from './lacked-reads.ts';

type UpdateWebhookRequest = CallContext & {
  readonly subscriptionId: string;
  readonly body: EndpointBody<Endpoints['updateWebhook']>;
  readonly credentialId: string;
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
};

/** True if the change makes deliveries continue or changes their destination: the caller vouches for all of it from then on. */
const isVouching = ({ name: _, status, ...rest }: UpdateWebhookRequest['body']): boolean =>
  status === 'ACTIVE' || Object.keys(rest).length > 0;

type Plan = Partial<SubscribedPlace & Pick<SubscriptionRow, 'vouched_by_type' | 'vouched_by'>>;

/** Returns the row after the change: members that the body omits stay. */
const planned = async (
  tx: TenantTransaction,
  request: UpdateWebhookRequest,
  before: SubscriptionRow,
): Promise<Plan | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { body, scope, actor } = request;
  if (!isVouching(body)) return {};
  const late = await refuseWhileEnding(tx, request);
  if (late) return late;
  const place = await findScope(tx, scope, {
    workspace_id: body.workspace_id === undefined && body.environment_id === undefined ? before.workspace_id : (body.workspace_id ?? null),
    environment_id:
      body.environment_id === undefined && body.workspace_id === undefined ? before.environment_id : (body.environment_id ?? null),
  });
  if (isRefusal(place)) return place;
  const lacked = listLackedReads(request, body.event_types ?? before.event_types);
  return lacked ?? { ...place, vouched_by_type: actor.type, vouched_by: actor.id };
};

const standing = (status: UpdateWebhookRequest['body']['status']) => {
  if (status === undefined) return {};
  return {
    status,
    disabled_reason: status === 'ACTIVE' ? null : ('BY_HAND' as const),
    failing_since: null,
    gone_since: null,
    paused_until: null,
  };
};

export const updateWebhook = async ({ tx, emit }: Change<'webhook.subscription_updated'>, request: UpdateWebhookRequest) => {
  const { scope, body, now, subscriptionId } = request;
  const before = await lockSubscription(tx, { organization_id: scope.organization_id, id: subscriptionId });
  if (!before) return buildRefusal('NOT_FOUND');
  const plan = await planned(tx, request, before);
  if (isRefusal(plan)) return plan;
  const { workspace_id: _, environment_id: __, status, ...named } = body;
  const after = await updateSubscription(tx, before, { ...named, ...plan, ...standing(status), updated_at: now });
  const vouched = { before: before.vouched_by, after: after.vouched_by };
  const data = {
    change: 'updated',
    before: formatSubscriptionForAudit(before),
    after: formatSubscriptionForAudit(after),
    vouched_by: vouched,
  };
  emit('webhook.subscription_updated', { ...about.webhook_subscription(after), data });
  return formatSubscription(after, now);
};
