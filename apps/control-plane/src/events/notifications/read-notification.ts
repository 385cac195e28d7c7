import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readOne } from '@svc/postgres/events/notifications/notifications.ts';
import type { EventsDeps } from '../deps.ts';
import { formatNotification } from './inbox/format-notification.ts';
import { ownInbox } from './inbox/own-inbox.ts';

export const readNotification: Handler<Endpoints['readNotification'], EventsDeps> = (call) =>
  call.change(async ({ tx }) => {
    const row = await readOne(tx, ownInbox(call.caller), call.params.notificationId, call.now);
    return row === undefined ? call.refuse('NOT_FOUND') : formatNotification(row);
  });
