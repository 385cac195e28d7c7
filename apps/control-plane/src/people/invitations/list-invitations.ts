import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listInvitations as list } from '@svc/postgres/people/invitations/invitations.ts';
import type { PeopleDeps } from '../deps.ts';

export const listInvitations: Handler<Endpoints['listInvitations'], PeopleDeps> = ({ database, scope, now }) =>
  readInTenant(database, scope, (tx) => list(tx, scope.organization_id, now));
