import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findDelegation, previewRevocation as preview } from '@svc/postgres/agents/delegations/preview-revocation.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

export const previewRevocation: Handler<Endpoints['previewRevocation'], AgentsDeps> = (call) => {
  const { organization_id } = call.scope;
  const { delegationId } = call.params;
  return searchInTenant(call.database, call.scope, async (tx) => {
    if (!(await findDelegation(tx, organization_id, delegationId, call.now))) return buildRefusal('NOT_FOUND');
    return { delegation_id: delegationId, ...(await preview(tx, organization_id, delegationId, call.now)) };
  });
};
