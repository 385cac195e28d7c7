import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/limits.ts';
import type { Handler } from '@svc/http/call.ts';
import { partOf } from '@svc/http/listed-part.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import { listPolicyInvariants } from '@svc/postgres/policy-invariants.ts';
import type { ControlDeps } from '../deps.ts';

export const listInvariants: Handler<Endpoints['listInvariants'], ControlDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return readInTenant(call.database, call.scope, async (tx) =>
    partOf(await listPolicyInvariants(tx, call.scope.organization_id, { limit, offset })),
  );
};
