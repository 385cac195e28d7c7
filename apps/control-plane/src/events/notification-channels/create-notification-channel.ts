import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { channelUrlFault, shownAddress } from '@svc/domain/events/notification-channels/channel-address.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { sealChannelUrl } from '@svc/keyring/sealed/channel-url.ts';
import { dataKeyOf } from '@svc/operations/service/keys/data-key-of.ts';
import { fullRefusal } from '@svc/operations/tenancy/organization/full-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { insertChannel, listChannels, takeChannelTurn } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { ControlDeps } from '../../deps.ts';
import { comesTooLate } from '@svc/operations/events/webhooks/comes-too-late.ts';
import { placeOf } from '@svc/operations/events/webhooks/place-of.ts';
import { lackedNotices } from '@svc/operations/events/notification-channels/lacked-notices.ts';
import { auditedChannel, NAME_TAKEN, toldChannel } from '@svc/operations/events/notification-channels/told-channel.ts';

const { perOrganizationMax } = LIMITS.channels;
const FULL = `An organization has at most ${perOrganizationMax} notification channels: delete one first, or have one take more kinds.`;

export const createNotificationChannel: Handler<Endpoints['createNotificationChannel'], ControlDeps> = (
  call,
  { channels, credentialKey },
) => {
  const { body, caller, scope, now } = call;
  const wrongUrl = channelUrlFault(body.webhook_url, channels);
  if (wrongUrl !== undefined) return call.fault('/webhook_url', wrongUrl);
  const lacked = lackedNotices(call, body.notices);
  if (lacked) return lacked;
  return call.change(
    async ({ tx, emit }) => {
      const { organization_id } = scope;
      const late = await comesTooLate(tx, call);
      if (late) return late;
      const place = await placeOf(tx, scope, { workspace_id: body.workspace_id ?? null, environment_id: body.environment_id ?? null });
      if (isRefusal(place)) return place;
      await takeChannelTurn(tx, organization_id);
      // Those that the caller does not see count too.
      const others = await inWholeOrganization(tx, scope, () => listChannels(tx, organization_id));
      if (others.length >= perOrganizationMax) return fullRefusal('notification_channels', others.length + 1, perOrganizationMax, FULL);
      const id = call.newId('notification_channel');
      const dataKey = await dataKeyOf(tx, credentialKey, organization_id);
      const made = await insertChannel(tx, {
        organization_id,
        id,
        ...place,
        name: body.name,
        kind: body.kind ?? 'SLACK',
        address: shownAddress(body.webhook_url),
        sealed_url: sealChannelUrl(dataKey, body.webhook_url, { organization_id, id }),
        notices: body.notices,
        vouched_by_type: caller.actor.type,
        vouched_by: caller.actor.id,
        created_by: caller.actor.id,
        created_at: now,
        updated_at: now,
      });
      emit('notification_channel.created', { ...about.notification_channel(made), data: { after: auditedChannel(made) } });
      return toldChannel(made);
    },
    { notification_channels_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
