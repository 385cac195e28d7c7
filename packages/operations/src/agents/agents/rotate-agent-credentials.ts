import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { getAgentTransition } from '@svc/domain/agents/agents/lifecycle.ts';
import { addAgentKey, findAgent, isKeyReused, lockAgent, updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { holdsDangerousTool } from '@svc/postgres/tools/tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';
import { buildPassportEvent, type PassportIssuer, reissuePassport } from './issue-passport.ts';
import { findReusedKeyFault, readAgentKey } from './read-agent-key.ts';
import { withdrawOwnVotes } from './withdraw-own-votes.ts';

type RotateAgentCredentialsRequest = CallContext & {
  readonly agentId: string;
  readonly steppedUpUntil: string | null;
  readonly body: EndpointBody<Endpoints['rotateAgentCredentials']>;
};

/**
 * Replaces the key, the generation and the passport of an agent; every session ends. A withdrawn key can never be used again. The caller
 * can act as the agent with the new key, so if the agent may use a damaging tool the caller re-authenticates, and approvals given to the
 * agent by the caller's own vote are withdrawn.
 */
export const rotateAgentCredentials = async (
  change: Change<EmittedBy<Endpoints['rotateAgentCredentials']>>,
  request: RotateAgentCredentialsRequest,
  deps: PassportIssuer,
) => {
  const { now, actor } = request;
  const { tx, emit } = change;
  const { organization_id } = request.scope;
  const locked = await lockAgent(tx, organization_id, request.agentId);
  if (!locked) return buildRefusal('NOT_FOUND');
  const made_stepped_up = hasFreshStepUp(request, now);
  if (!made_stepped_up && (await holdsDangerousTool(tx, organization_id, locked.id))) return stepUpRefusal(request);
  const key = readAgentKey(request.body.public_key);
  if (isRefusal(key)) return key;
  const transition = getAgentTransition('rotate_credentials', locked.status);
  if (isRefusal(transition)) return transition;
  if (await isKeyReused(tx, organization_id, locked.id, key.thumbprint)) return findReusedKeyFault();
  const generation = locked.key_generation + 1;
  const { public_key, thumbprint } = key;
  const made = { made_by: actor.id, made_stepped_up };
  await addAgentKey(tx, organization_id, locked.id, { generation, public_key, thumbprint, ...made }, now);
  await updateAgentRow(tx, organization_id, locked.id, { key_generation: generation, killsSessions: transition.killsSessions }, now);
  const rotated = await findAgent(tx, organization_id, locked.id);
  if (!rotated) throw new Error('a locked agent is not there');
  const { agent, passport } = await reissuePassport(tx, deps, organization_id, rotated, now);
  emit('agent.identity_rotated', {
    ...about.agent(agent),
    data: {
      before: { key_generation: locked.key_generation },
      after: { key_generation: generation, public_key_thumbprint: thumbprint },
      reason: request.body.reason ?? null,
    },
  });
  emit('passport.rotated', buildPassportEvent(agent, passport));
  await withdrawOwnVotes(change, { scope: request.scope, agentId: locked.id, by: actor, now }, 'keyed');
  return { data: { agent, ...(key.private_key === undefined ? {} : { private_key: key.private_key }) } };
};
