import { CAPABILITIES_MAX } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { BodyOf, EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { bodyFault, refusal } from '@svc/contract/rows/refusal.ts';
import { finalStatusRefusal } from '@svc/domain/agents/agents/final-status.ts';
import { addGrants } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { Acting } from '../../people/auth/acting.ts';
import { type PassportIssuer, passportEvent, reissuePassport } from './issue-passport.ts';
import { withdrawOwnVotes } from './withdraw-own-votes.ts';

type GrantCapabilityRequest = Acting & { readonly body: BodyOf<Endpoints['grantCapability']>; readonly agentId: string };

export const grantCapability = async (
  change: Change<EmittedBy<Endpoints['grantCapability']>>,
  request: GrantCapabilityRequest,
  deps: PassportIssuer,
) => {
  const { tx, emit } = change;
  const { organization_id } = request.scope;
  const { capability } = request.body;
  const locked = await lockAgent(tx, organization_id, request.agentId);
  if (!locked) return refusal('NOT_FOUND');
  const over = finalStatusRefusal('grant_capability', locked.status);
  if (over) return over;
  const by = { granted_by: request.actor.id, granted_at: request.now };
  const [added] = await addGrants(tx, organization_id, locked.id, [capability], by);
  if (added === undefined) return refusal('ALREADY_EXISTS', 'The agent holds this capability already.');
  const granted = await findAgent(tx, organization_id, locked.id);
  if (!granted) throw new Error('a locked agent is not there');
  if (granted.capabilities.length > CAPABILITIES_MAX)
    return bodyFault('/capability', `An agent holds at most ${CAPABILITIES_MAX} capabilities.`);
  const { agent, passport } = await reissuePassport(tx, deps, organization_id, granted, request.now);
  emit('agent.capability_granted', {
    ...about.agent(agent),
    data: { capability },
  });
  emit('passport.issued', passportEvent(agent, passport));
  await withdrawOwnVotes(change, { scope: request.scope, agentId: locked.id, by: request.actor, now: request.now }, 'authorized');
  return agent;
};
