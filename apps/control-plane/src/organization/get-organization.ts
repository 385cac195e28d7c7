import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import { readOrganization } from '@svc/postgres/organizations.ts';
import type { ControlDeps } from '../deps.ts';

export const getOrganization: Handler<Endpoints['getOrganization'], ControlDeps> = ({ database, scope }) =>
  readInTenant(database, scope, (tx) => readOrganization(tx, scope.organization_id));
