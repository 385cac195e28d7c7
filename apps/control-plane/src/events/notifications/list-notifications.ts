import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listInbox } from '@svc/postgres/events/notifications/notifications.ts';
import type { EventsDeps } from '../deps.ts';
import { formatNotification } from './inbox/format-notification.ts';
import { ownInbox } from './inbox/own-inbox.ts';

export const listNotifications: Handler<Endpoints['listNotifications'], EventsDeps> = async (call, { cursorKey }) => {
  const { caller, database, query, scope, now } = call;
  const page = readPage(call, cursorKey, `notifications of ${caller.actor.id}`);
  if (isRefusal(page)) return page;
  const asked = { after: page.after, limit: page.limit, unread: query.unread ?? false, kind: query.kind };
  const rows = await readInTenant(database, scope, (tx) => listInbox(tx, ownInbox(caller), asked, now));
  return buildPage(rows.map(formatNotification), page, cursorKey);
};
