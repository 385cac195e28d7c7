import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findDelegation } from '@svc/postgres/agents/delegations/preview-revocation.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

export const getDelegation: Handler<Endpoints['getDelegation'], AgentsDeps> = async (call) => {
  const { organization_id } = call.scope;
  const found = await readInTenant(call.database, call.scope, (tx) =>
    findDelegation(tx, organization_id, call.params.delegationId, call.now),
  );
  return found ?? call.refuse('NOT_FOUND');
};
