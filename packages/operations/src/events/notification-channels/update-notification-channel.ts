import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import { type ChannelRules, findChannelUrlFault, maskChannelUrl } from '@svc/domain/events/notification-channels/channel-address.ts';
import { RECEIVERS } from '@svc/domain/events/notification-channels/kinds/receivers.ts';
import { sealChannelUrl } from '@svc/keyring/sealed/channel-url.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { forgetMessages } from '@svc/postgres/events/notification-channels/leave-messages.ts';
import { type ChannelRow, lockChannel, updateChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readDataKey } from '../../service/keys/open-data-key.ts';
import { refuseWhileEnding } from '../webhooks/comes-too-late.ts';
import { findScope, type SubscribedPlace } from '../webhooks/find-place.ts';
import { formatChannel, formatChannelForAudit } from './format-channel.ts';
import { listLackedNotices } from './lacked-notices.ts';

type UpdateNotificationChannelRequest = CallContext & {
  readonly channelId: string;
  readonly body: EndpointBody<Endpoints['updateNotificationChannel']>;
  readonly credentialId: string;
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
};

/** True if the change makes messages continue or changes their destination: the caller vouches for all of it from then on. */
const isVouching = ({ name: _, status, ...rest }: UpdateNotificationChannelRequest['body']): boolean =>
  status === 'ACTIVE' || Object.keys(rest).length > 0;

type Plan = Partial<SubscribedPlace & Pick<ChannelRow, 'vouched_by_type' | 'vouched_by'>>;

/** Returns the row after the change: members that the body omits stay. */
const planned = async (
  tx: TenantTransaction,
  request: UpdateNotificationChannelRequest,
  before: ChannelRow,
): Promise<Plan | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { body, scope, actor } = request;
  if (!isVouching(body)) return {};
  const late = await refuseWhileEnding(tx, request);
  if (late) return late;
  const stays = body.workspace_id === undefined && body.environment_id === undefined;
  const asked = stays ? before : { workspace_id: body.workspace_id ?? null, environment_id: body.environment_id ?? null };
  const place = await findScope(tx, scope, asked);
  if (isRefusal(place)) return place;
  const lacked = listLackedNotices(request, body.notices ?? before.notices);
  return lacked ?? { ...place, vouched_by_type: actor.type, vouched_by: actor.id };
};

/** Another URL, or an enabled channel, starts without failures. */
const ANEW = { failures: 0, gone_answers: 0, failing_since: null, last_error: null } as const;

/** Drops the lease of a post in progress, whose result no longer counts. */
const LEFT = { leased_by: null, leased_until: null } as const;

const standing = ({ status, webhook_url }: UpdateNotificationChannelRequest['body'], now: Date) => ({
  ...(status === undefined && webhook_url === undefined ? {} : LEFT),
  ...(status === undefined ? {} : { status, disabled_reason: status === 'ACTIVE' ? null : ('BY_HAND' as const) }),
  ...(status === 'ACTIVE' || webhook_url !== undefined ? { ...ANEW, due_at: now } : {}),
});

export const updateNotificationChannel = async (
  { tx, emit }: Change<'notification_channel.updated'>,
  request: UpdateNotificationChannelRequest,
  { credentialKey, rules }: { readonly credentialKey: KeyObject; readonly rules: ChannelRules },
) => {
  const { scope, body, now, channelId } = request;
  const { organization_id } = scope;
  const { webhook_url: url } = body;
  const before = await lockChannel(tx, { organization_id, id: channelId });
  if (!before) return buildRefusal('NOT_FOUND');
  const wrongUrl = url === undefined ? undefined : findChannelUrlFault(RECEIVERS[before.kind], url, rules);
  if (wrongUrl !== undefined) return refuseBody('/webhook_url', wrongUrl);
  const plan = await planned(tx, request, before);
  if (isRefusal(plan)) return plan;
  const { workspace_id: _, environment_id: __, webhook_url: ___, status, ...named } = body;
  const sealed = async (text: string) => sealChannelUrl(await readDataKey(tx, credentialKey, organization_id), text, before);
  const led = url === undefined ? {} : { address: maskChannelUrl(url), sealed_url: await sealed(url) };
  const after = await updateChannel(tx, before, { ...named, ...plan, ...led, ...standing(body, now), updated_at: now });
  if (status === 'DISABLED') await forgetMessages(tx, after);
  const vouched = { before: before.vouched_by, after: after.vouched_by };
  const data = {
    change: url === undefined ? 'updated' : 'url_replaced',
    before: formatChannelForAudit(before),
    after: formatChannelForAudit(after),
  };
  emit('notification_channel.updated', { ...about.notification_channel(after), data: { ...data, vouched_by: vouched } });
  return formatChannel(after);
};
