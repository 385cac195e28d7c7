import type { KeyObject } from 'node:crypto';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { maskChannelUrl } from '@svc/domain/events/notification-channels/channel-address.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { sealChannelUrl } from '@svc/keyring/sealed/channel-url.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { insertChannel, listChannels, takeChannelTurn } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readDataKey } from '../../service/keys/open-data-key.ts';
import { refuseWhileEnding } from '../webhooks/comes-too-late.ts';
import { findScope } from '../webhooks/find-place.ts';
import { formatChannel, formatChannelForAudit } from './format-channel.ts';

type CreateNotificationChannelRequest = CallContext & {
  readonly body: EndpointBody<Endpoints['createNotificationChannel']>;
  readonly credentialId: string;
};

const { perOrganizationMax } = LIMITS.channels;

const FULL = `An organization has at most ${perOrganizationMax} notification channels: delete one first, or have one take more kinds.`;

export const createNotificationChannel = async (
  { tx, emit }: Change<'notification_channel.created'>,
  request: CreateNotificationChannelRequest,
  credentialKey: KeyObject,
) => {
  const { scope, body, now, actor } = request;
  const { organization_id } = scope;
  const late = await refuseWhileEnding(tx, request);
  if (late) return late;
  const place = await findScope(tx, scope, { workspace_id: body.workspace_id ?? null, environment_id: body.environment_id ?? null });
  if (isRefusal(place)) return place;
  await takeChannelTurn(tx, organization_id);
  // Channels that the caller cannot see count too.
  const others = await inWholeOrganization(tx, scope, () => listChannels(tx, organization_id));
  if (others.length >= perOrganizationMax) return createFullRefusal('notification_channels', others.length + 1, perOrganizationMax, FULL);
  const id = newId('notification_channel');
  const dataKey = await readDataKey(tx, credentialKey, organization_id);
  const made = await insertChannel(tx, {
    organization_id,
    id,
    ...place,
    name: body.name,
    kind: body.kind ?? 'SLACK',
    address: maskChannelUrl(body.webhook_url),
    sealed_url: sealChannelUrl(dataKey, body.webhook_url, { organization_id, id }),
    notices: body.notices,
    vouched_by_type: actor.type,
    vouched_by: actor.id,
    created_by: actor.id,
    created_at: now,
    updated_at: now,
  });
  emit('notification_channel.created', { ...about.notification_channel(made), data: { after: formatChannelForAudit(made) } });
  return formatChannel(made);
};
