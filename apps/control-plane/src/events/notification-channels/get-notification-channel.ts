import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatChannel } from '@svc/operations/events/notification-channels/format-channel.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findChannel } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { EventsDeps } from '../deps.ts';

export const getNotificationChannel: Handler<Endpoints['getNotificationChannel'], EventsDeps> = async (call) => {
  const { database, scope, params } = call;
  const key = { organization_id: scope.organization_id, id: params.channelId };
  const row = await readInTenant(database, scope, (tx) => findChannel(tx, key));
  return row ? formatChannel(row) : call.refuse('NOT_FOUND');
};
