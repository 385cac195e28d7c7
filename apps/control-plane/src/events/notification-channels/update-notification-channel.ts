import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { channelUrlFault, shownAddress } from '@svc/domain/events/notification-channels/channel-address.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { sealChannelUrl } from '@svc/keyring/sealed/channel-url.ts';
import { dataKeyOf } from '@svc/operations/service/keys/data-key-of.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { forgetMessages } from '@svc/postgres/events/notification-channels/leave-messages.ts';
import { type ChannelRow, lockChannel, updateChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { ControlDeps } from '../../deps.ts';
import { comesTooLate } from '@svc/operations/events/webhooks/comes-too-late.ts';
import { placeOf, type SubscribedPlace } from '@svc/operations/events/webhooks/place-of.ts';
import { lackedNotices } from '@svc/operations/events/notification-channels/lacked-notices.ts';
import { auditedChannel, NAME_TAKEN, toldChannel } from '@svc/operations/events/notification-channels/told-channel.ts';

type Update = Call<Endpoints['updateNotificationChannel']>;

/** What says that messages go on, or where to: whoever asks for it vouches for all of it from then on. */
const isVouching = ({ name: _, status, ...rest }: Update['body']): boolean => status === 'ACTIVE' || Object.keys(rest).length > 0;

type Plan = Partial<SubscribedPlace & Pick<ChannelRow, 'vouched_by_type' | 'vouched_by'>>;

/** What the row is to hold besides what the body names as it stands there. */
const planned = async (
  tx: TenantTransaction,
  call: Update,
  before: ChannelRow,
): Promise<Plan | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { body, scope, caller } = call;
  if (!isVouching(body)) return {};
  const late = await comesTooLate(tx, call);
  if (late) return late;
  const stays = body.workspace_id === undefined && body.environment_id === undefined;
  const asked = stays ? before : { workspace_id: body.workspace_id ?? null, environment_id: body.environment_id ?? null };
  const place = await placeOf(tx, scope, asked);
  if (isRefusal(place)) return place;
  const lacked = lackedNotices(call, body.notices ?? before.notices);
  return lacked ?? { ...place, vouched_by_type: caller.actor.type, vouched_by: caller.actor.id };
};

/** Another URL, or a channel that is put back, begins as a new one does. */
const ANEW = { failures: 0, gone_answers: 0, failing_since: null, last_error: null } as const;
/** A post that is under way counts no more. */
const LEFT = { leased_by: null, leased_until: null } as const;

const standing = ({ status, webhook_url }: Update['body'], now: Date) => ({
  ...(status === undefined && webhook_url === undefined ? {} : LEFT),
  ...(status === undefined ? {} : { status, disabled_reason: status === 'ACTIVE' ? null : ('BY_HAND' as const) }),
  ...(status === 'ACTIVE' || webhook_url !== undefined ? { ...ANEW, due_at: now } : {}),
});

export const updateNotificationChannel: Handler<Endpoints['updateNotificationChannel'], ControlDeps> = (
  call,
  { channels, credentialKey },
) => {
  const { body, scope, params, now } = call;
  const { organization_id } = scope;
  if (Object.keys(body).length === 0) return call.fault('', 'Name at least one member to change.');
  const { webhook_url: url } = body;
  const wrongUrl = url === undefined ? undefined : channelUrlFault(url, channels);
  if (wrongUrl !== undefined) return call.fault('/webhook_url', wrongUrl);
  return call.change(
    async ({ tx, emit }) => {
      const before = await lockChannel(tx, { organization_id, id: params.channelId });
      if (!before) return call.refuse('NOT_FOUND');
      const plan = await planned(tx, call, before);
      if (isRefusal(plan)) return plan;
      const { workspace_id: _, environment_id: __, webhook_url: ___, status, ...named } = body;
      const sealed = async (text: string) => sealChannelUrl(await dataKeyOf(tx, credentialKey, organization_id), text, before);
      const led = url === undefined ? {} : { address: shownAddress(url), sealed_url: await sealed(url) };
      const after = await updateChannel(tx, before, { ...named, ...plan, ...led, ...standing(body, now), updated_at: now });
      if (status === 'DISABLED') await forgetMessages(tx, after);
      const vouched = { before: before.vouched_by, after: after.vouched_by };
      const data = { change: url === undefined ? 'updated' : 'url_replaced', before: auditedChannel(before), after: auditedChannel(after) };
      emit('notification_channel.updated', { ...about.notification_channel(after), data: { ...data, vouched_by: vouched } });
      return toldChannel(after);
    },
    { notification_channels_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
