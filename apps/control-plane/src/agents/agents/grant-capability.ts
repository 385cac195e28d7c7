import { CAPABILITIES_MAX } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { finalStatusRefusal } from '@svc/domain/agents/agents/final-status.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { factsRefusal } from '@svc/operations/agents/agents/facts-refusal.ts';
import { passportEvent, reissuePassport } from '@svc/operations/agents/agents/issue-passport.ts';
import { withdrawOwnVotes } from '@svc/operations/agents/agents/withdraw-own-votes.ts';
import { liftStop } from '@svc/operations/agents/stops-by-people.ts';
import { addGrants } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { ControlDeps } from '../../deps.ts';

export const grantCapability: Handler<Endpoints['grantCapability'], ControlDeps> = (call, deps) =>
  call.change(async (change) => {
    const { tx, emit } = change;
    const { scope, now } = call;
    const { organization_id } = scope;
    const { actor } = call.caller;
    const { capability } = call.body;
    const locked = await lockAgent(tx, organization_id, call.params.agentId);
    if (!locked) return call.refuse('NOT_FOUND');
    const over = finalStatusRefusal('grant_capability', locked.status);
    if (over) return over;
    const by = { granted_by: actor.id, granted_at: now };
    const [added] = await addGrants(tx, organization_id, locked.id, [capability], by);
    if (added === undefined) return call.refuse('ALREADY_EXISTS', 'The agent already has this capability.');
    const stop = { subject_id: locked.id, stop: `capability ${capability}` } as const;
    const refused =
      (await liftStop(tx, organization_id, stop, actor)) ?? (await factsRefusal(tx, { scope, by: actor }, locked, ['agent.capabilities']));
    if (refused) return refused;
    const granted = await findAgent(tx, organization_id, locked.id);
    if (!granted) throw new Error('a locked agent is not there');
    if (granted.capabilities.length > CAPABILITIES_MAX)
      return call.fault('/capability', `An agent can have at most ${CAPABILITIES_MAX} capabilities.`);
    const { agent, passport } = await reissuePassport(tx, deps, organization_id, granted, now);
    emit('agent.capability_granted', {
      ...about.agent(agent),
      data: { capability },
    });
    emit('passport.issued', passportEvent(agent, passport));
    await withdrawOwnVotes(change, { scope, agentId: locked.id, by: actor, now }, 'authorized');
    return agent;
  });
