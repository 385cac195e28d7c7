import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { getAgentTransition } from '@svc/domain/agents/agents/lifecycle.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { buildPassportEvent, type PassportIssuer, reissuePassport } from './issue-passport.ts';

type RenewPassportRequest = CallContext & { readonly agentId: string; readonly body: EndpointBody<Endpoints['renewPassport']> };

/** Issues a new version of the passport for a full term under the current key; sessions continue. */
export const renewPassport = async ({ tx, emit }: Change<'passport.issued'>, request: RenewPassportRequest, deps: PassportIssuer) => {
  const { organization_id } = request.scope;
  const locked = await lockAgent(tx, organization_id, request.agentId);
  const before = locked && (await findAgent(tx, organization_id, locked.id));
  if (!before) return buildRefusal('NOT_FOUND');
  const transition = getAgentTransition('renew_passport', before.status);
  if (isRefusal(transition)) return transition;
  const { agent, passport } = await reissuePassport(tx, deps, organization_id, before, request.now);
  emit('passport.issued', buildPassportEvent(agent, passport, 'renewal', request.body.reason));
  return (await findCurrentPassport(tx, organization_id, agent.id)) ?? buildRefusal('NOT_FOUND');
};
