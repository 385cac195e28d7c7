import type { Endpoints } from '@svc/contract/endpoints.ts';
import { finalStatusRefusal } from '@svc/domain/agents/agents/final-status.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { passportEvent, reissuePassport } from '@svc/operations/agents/agents/issue-passport.ts';
import { recordStops } from '@svc/operations/agents/stops-by-people.ts';
import { removeGrant } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { ControlDeps } from '../../deps.ts';

export const revokeCapability: Handler<Endpoints['revokeCapability'], ControlDeps> = (call, deps) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const { agentId, capability } = call.params;
    const locked = await lockAgent(tx, organization_id, agentId);
    if (!locked) return call.refuse('NOT_FOUND');
    const over = finalStatusRefusal('revoke_capability', locked.status);
    if (over) return over;
    if (!(await removeGrant(tx, organization_id, agentId, capability)))
      return call.refuse('NOT_FOUND', 'The agent does not have this capability.');
    const stop = { subject_id: agentId, stop: `capability ${capability}` } as const;
    await recordStops(tx, organization_id, [stop], { by: call.caller.actor, now: call.now });
    const left = await findAgent(tx, organization_id, agentId);
    if (!left) throw new Error('a locked agent is not there');
    const { agent, passport } = await reissuePassport(tx, deps, organization_id, left, call.now);
    emit('agent.capability_revoked', {
      ...about.agent(agent),
      data: { capability },
    });
    emit('passport.issued', passportEvent(agent, passport));
    return agent;
  });
