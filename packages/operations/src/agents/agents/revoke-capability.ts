import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { refuseFinalStatus } from '@svc/domain/agents/agents/final-status.ts';
import { removeGrant } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { recordStops } from '../stops-by-people.ts';
import { buildPassportEvent, type PassportIssuer, reissuePassport } from './issue-passport.ts';

export const revokeCapability = async (
  { tx, emit }: Change<'agent.capability_revoked' | 'passport.issued'>,
  request: CallContext & { readonly agentId: string; readonly capability: string },
  deps: PassportIssuer,
) => {
  const { organization_id } = request.scope;
  const { agentId, capability } = request;
  const locked = await lockAgent(tx, organization_id, agentId);
  if (!locked) return buildRefusal('NOT_FOUND');
  const over = refuseFinalStatus('revoke_capability', locked.status);
  if (over) return over;
  if (!(await removeGrant(tx, organization_id, agentId, capability)))
    return buildRefusal('NOT_FOUND', 'The agent does not have this capability.');
  const stop = { subject_id: agentId, stop: `capability ${capability}` } as const;
  await recordStops(tx, organization_id, [stop], { by: request.actor, now: request.now });
  const left = await findAgent(tx, organization_id, agentId);
  if (!left) throw new Error('a locked agent is not there');
  const { agent, passport } = await reissuePassport(tx, deps, organization_id, left, request.now);
  emit('agent.capability_revoked', {
    ...about.agent(agent),
    data: { capability },
  });
  emit('passport.issued', buildPassportEvent(agent, passport));
  return agent;
};
