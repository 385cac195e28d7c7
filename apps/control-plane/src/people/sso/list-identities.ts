import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listIdentities as readIdentities } from '@svc/postgres/people/sso/identities.ts';
import type { PeopleDeps } from '../deps.ts';

export const listIdentities: Handler<Endpoints['listIdentities'], PeopleDeps> = ({ caller, database, scope }) =>
  readInTenant(database, scope, (tx) => readIdentities(tx, scope.organization_id, caller.actor.id));
