import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listDeviceApprovals as list } from '@svc/postgres/people/device-approvals.ts';
import type { PeopleDeps } from '../deps.ts';

export const listDeviceApprovals: Handler<Endpoints['listDeviceApprovals'], PeopleDeps> = ({ caller, scope, now, database }) =>
  readInTenant(database, scope, (tx) => list(tx, { organizationId: caller.organizationId, userId: caller.actor.id, now }));
