import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readAll } from '@svc/postgres/events/notifications/notifications.ts';
import type { EventsDeps } from '../deps.ts';
import { ownInbox } from './inbox/own-inbox.ts';

export const readAllNotifications: Handler<Endpoints['readAllNotifications'], EventsDeps> = (call) =>
  call.change(async ({ tx }) => ({ read: await readAll(tx, ownInbox(call.caller), call.now) }));
