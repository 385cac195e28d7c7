import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatChannel } from '@svc/operations/events/notification-channels/format-channel.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listChannels } from '@svc/postgres/events/notification-channels/notification-channels.ts';
import type { EventsDeps } from '../deps.ts';

export const listNotificationChannels: Handler<Endpoints['listNotificationChannels'], EventsDeps> = async ({ database, scope }) => {
  const rows = await readInTenant(database, scope, (tx) => listChannels(tx, scope.organization_id));
  return rows.map(formatChannel);
};
