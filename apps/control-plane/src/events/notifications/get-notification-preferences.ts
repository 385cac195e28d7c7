import type { Endpoints } from '@svc/contract/endpoints.ts';
import { resolvePreferences } from '@svc/domain/events/notifications/preferences.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findPreferences } from '@svc/postgres/events/notifications/preferences.ts';
import type { EventsDeps } from '../deps.ts';

export const getNotificationPreferences: Handler<Endpoints['getNotificationPreferences'], EventsDeps> = ({ caller, database, scope }) =>
  readInTenant(database, scope, async (tx) => resolvePreferences(await findPreferences(tx, caller.actor.id)));
