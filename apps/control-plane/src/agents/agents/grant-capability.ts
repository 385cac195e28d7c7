import { CAPABILITIES_MAX } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { finalStatusRefusal } from '@svc/domain/agents/agents/final-status.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { passportEvent, reissuePassport } from '@svc/operations/agents/agents/issue-passport.ts';
import { withdrawOwnVotes } from '@svc/operations/agents/agents/withdraw-own-votes.ts';
import { addGrants } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { ControlDeps } from '../../deps.ts';

export const grantCapability: Handler<Endpoints['grantCapability'], ControlDeps> = (call, deps) =>
  call.change(async (change) => {
    const { tx, emit } = change;
    const { organization_id } = call.scope;
    const { capability } = call.body;
    const locked = await lockAgent(tx, organization_id, call.params.agentId);
    if (!locked) return call.refuse('NOT_FOUND');
    const over = finalStatusRefusal('grant_capability', locked.status);
    if (over) return over;
    const by = { granted_by: call.caller.actor.id, granted_at: call.now };
    const [added] = await addGrants(tx, organization_id, locked.id, [capability], by);
    if (added === undefined) return call.refuse('ALREADY_EXISTS', 'The agent already has this capability.');
    const granted = await findAgent(tx, organization_id, locked.id);
    if (!granted) throw new Error('a locked agent is not there');
    if (granted.capabilities.length > CAPABILITIES_MAX)
      return call.fault('/capability', `An agent can have at most ${CAPABILITIES_MAX} capabilities.`);
    const { agent, passport } = await reissuePassport(tx, deps, organization_id, granted, call.now);
    emit('agent.capability_granted', {
      ...about.agent(agent),
      data: { capability },
    });
    emit('passport.issued', passportEvent(agent, passport));
    await withdrawOwnVotes(change, { scope: call.scope, agentId: locked.id, by: call.caller.actor, now: call.now }, 'authorized');
    return agent;
  });
