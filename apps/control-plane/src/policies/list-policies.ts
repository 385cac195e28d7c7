import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { inTenant } from '@svc/postgres/in-tenant.ts';
import { listPolicies as readPolicies } from '@svc/postgres/policies.ts';
import type { ControlDeps } from '../deps.ts';

export const listPolicies: Handler<Endpoints['listPolicies'], ControlDeps> = (call) =>
  inTenant(call.database, call.scope, (tx) => readPolicies(tx, call.scope.organization_id));
