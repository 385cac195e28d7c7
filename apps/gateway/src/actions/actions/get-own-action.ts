import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAction } from '@svc/postgres/actions/actions/find-action.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { GatewayDeps } from '../../deps.ts';

export const getOwnAction: Handler<Endpoints['getOwnAction'], GatewayDeps> = async (call) => {
  const { organizationId, agentId } = call.agent;
  const action = await readInTenant(call.database, call.scope, (tx) => findAction(tx, organizationId, call.params.actionId, agentId));
  return action ?? call.refuse('NOT_FOUND');
};
