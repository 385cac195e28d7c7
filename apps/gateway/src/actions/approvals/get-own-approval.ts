import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { GatewayDeps } from '../../deps.ts';
import { ownApproval } from './own/own-approval.ts';

/**
 * Returns an approval, optionally after waiting (long polling). A waiting request holds no database connection: one query serves all
 * waiters, and only changed approvals are read again.
 */
export const getOwnApproval: Handler<Endpoints['getOwnApproval'], GatewayDeps> = async (call, deps) => {
  const { organizationId, agentId } = call.agent;
  const read = (now: Date) => readInTenant(call.database, call.scope, (tx) => ownApproval(tx, { ...call, now }));
  const now = await read(call.now);
  if (!now) return call.refuse('NOT_FOUND');
  const { wait = 0 } = call.query;
  if (wait === 0 || now.status !== 'PENDING' || now.question !== null) return now;
  call.onRest();
  const wakened = await deps.approvalWaits.wait({ organizationId, agentId, approvalId: now.id, isGone: call.isGone }, wait * 1000);
  return wakened ? ((await read(deps.clock.now())) ?? call.refuse('NOT_FOUND')) : now;
};
