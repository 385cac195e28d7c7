import { CAPABILITIES_MAX } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { refuseFinalStatus } from '@svc/domain/agents/agents/final-status.ts';
import { addGrants } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { liftStop } from '../stops-by-people.ts';
import { findFactsRefusal } from './facts-refusal.ts';
import { buildPassportEvent, type PassportIssuer, reissuePassport } from './issue-passport.ts';
import { withdrawOwnVotes } from './withdraw-own-votes.ts';

type GrantCapabilityRequest = CallContext & { readonly body: EndpointBody<Endpoints['grantCapability']>; readonly agentId: string };

export const grantCapability = async (
  change: Change<EmittedBy<Endpoints['grantCapability']>>,
  request: GrantCapabilityRequest,
  deps: PassportIssuer,
) => {
  const { tx, emit } = change;
  const { scope, now } = request;
  const { organization_id } = scope;
  const { actor } = request;
  const { capability } = request.body;
  const locked = await lockAgent(tx, organization_id, request.agentId);
  if (!locked) return buildRefusal('NOT_FOUND');
  const over = refuseFinalStatus('grant_capability', locked.status);
  if (over) return over;
  const by = { granted_by: actor.id, granted_at: now };
  const [added] = await addGrants(tx, organization_id, locked.id, [capability], by);
  if (added === undefined) return buildRefusal('ALREADY_EXISTS', 'The agent already has this capability.');
  const stop = { subject_id: locked.id, stop: `capability ${capability}` } as const;
  const refused =
    (await liftStop(tx, organization_id, stop, actor)) ??
    (await findFactsRefusal(tx, { scope, by: actor }, locked, ['agent.capabilities']));
  if (refused) return refused;
  const granted = await findAgent(tx, organization_id, locked.id);
  if (!granted) throw new Error('a locked agent is not there');
  if (granted.capabilities.length > CAPABILITIES_MAX)
    return refuseBody('/capability', `An agent can have at most ${CAPABILITIES_MAX} capabilities.`);
  const { agent, passport } = await reissuePassport(tx, deps, organization_id, granted, now);
  emit('agent.capability_granted', {
    ...about.agent(agent),
    data: { capability },
  });
  emit('passport.issued', buildPassportEvent(agent, passport));
  await withdrawOwnVotes(change, { scope, agentId: locked.id, by: actor, now }, 'authorized');
  return agent;
};
