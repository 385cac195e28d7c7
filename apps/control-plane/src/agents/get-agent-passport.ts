import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { inTenant } from '@svc/postgres/in-tenant.ts';
import { findCurrentPassport } from '@svc/postgres/passports.ts';
import type { ControlDeps } from '../deps.ts';

export const getAgentPassport: Handler<Endpoints['getAgentPassport'], ControlDeps> = async (call) => {
  const passport = await inTenant(call.database, call.scope, (tx) =>
    findCurrentPassport(tx, call.scope.organization_id, call.params.agentId),
  );
  return passport ?? call.refuse('NOT_FOUND');
};
