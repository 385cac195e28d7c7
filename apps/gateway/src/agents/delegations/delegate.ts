import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { checkOperational } from '@svc/domain/agents/agents/check-operational.ts';
import { PASSPORT_OVER } from '@svc/domain/agents/agents/passport-renewal.ts';
import { statusAt } from '@svc/domain/agents/agents/status-at.ts';
import { UNNAMED } from '@svc/domain/risk/contexts/context-name.ts';
import { loadCached } from '@svc/enforcement/ports/load-current.ts';
import { checkEnvironment } from '@svc/enforcement/stages/02-environment.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { makeDelegation } from '@svc/operations/agents/delegations/make-delegation.ts';
import { findDelegate } from '@svc/postgres/agents/delegations/change-delegations.ts';
import type { GatewayDeps } from '../../deps.ts';

/**
 * Delegates what the agent was given or granted, in its own name and never more. Refused if its environment is stopped: the delegation
 * would be usable as soon as it resumes.
 */
export const delegate: Handler<Endpoints['delegate'], GatewayDeps> = async (call, deps) => {
  const { organizationId, agentId } = call.agent;
  const current = await loadCached(deps.pipeline, call, organizationId, agentId);
  if (current && isRefusal(current)) return call.refuse('IDENTITY_SERVICE_UNAVAILABLE');
  const stopped = current && checkOperational(statusAt(current.agent, call.now.getTime()));
  if (stopped) return stopped;
  const halted = current && checkEnvironment(current);
  if (halted?.outcome === 'refused') return call.refuse(halted.code, halted.reason);
  const passport = current?.agent.passport_expires_at ?? null;
  if (passport === null || Date.parse(passport) <= call.now.getTime()) return call.refuse('PASSPORT_INVALID', PASSPORT_OVER);
  const { parent_id = null, ...asked } = call.body;
  const delegator = { type: 'AGENT', id: agentId } as const;
  return await call.change(async (change) => {
    if (parent_id !== null && (await findDelegate(change.tx, organizationId, parent_id)) !== agentId)
      return call.refuse('NOT_FOUND', 'There is no such delegation.');
    const ask = { ...asked, parent_id, delegator };
    const actor = { ...delegator, name: null };
    const contextName = call.agent.context ?? UNNAMED;
    return await makeDelegation(change, { scope: call.scope, ask, actor, now: call.now, contextName });
  });
};
