import { isDeepStrictEqual } from 'node:util';
import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { comesNearer } from '@svc/domain/agents/agents/comes-nearer.ts';
import { refuseFinalStatus } from '@svc/domain/agents/agents/final-status.ts';
import { findAgent, lockAgent, updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { holdEpochs } from '@svc/postgres/agents/fleet/lock-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';
import { liftStop, recordStops } from '../stops-by-people.ts';
import { findFactsRefusal, listLabelFields } from './facts-refusal.ts';
import { buildPassportEvent, type PassportIssuer, reissuePassport } from './issue-passport.ts';

type UpdateAgentRequest = CallContext & {
  readonly agentId: string;
  readonly body: EndpointBody<Endpoints['updateAgent']>;
  readonly holds: (permission: 'agent:revoke') => boolean;
  readonly steppedUpUntil: string | null;
};

const differing = (before: Agent, body: Partial<Agent>) => {
  const names = (['name', 'description', 'labels', 'expires_at', 'require_dpop'] as const).filter(
    (key) => body[key] !== undefined && !isDeepStrictEqual(body[key], before[key]),
  );
  return {
    before: Object.fromEntries(names.map((key) => [key, before[key]])),
    after: Object.fromEntries(names.map((key) => [key, body[key]])),
  };
};

/** Requires the permission to end an agent for moving its expiry to an earlier time. A later expiry, or none, does not need it. */
const endingRefusal = (request: UpdateAgentRequest, before: Agent) => {
  if (!comesNearer(before.expires_at, request.body.expires_at)) return undefined;
  if (request.holds('agent:revoke')) return hasFreshStepUp(request, request.now) ? undefined : stepUpRefusal(request);
  return buildRefusal('PERMISSION_DENIED', 'Setting an expiry, or an earlier one, requires the permission to end agents.', {
    permission: 'agent:revoke',
  });
};

/** Returns why an API key may not make the change. Records or lifts the expiry that a person sets. */
const automationRefusal = async (tx: TenantTransaction, request: UpdateAgentRequest, before: Agent, after: Partial<Agent>) => {
  const { scope, now, actor } = request;
  const named = after.name === undefined ? [] : ['agent.name'];
  const labelled = after.labels === undefined ? [] : listLabelFields(before.labels, after.labels);
  const refused = await findFactsRefusal(tx, { scope, by: actor }, before, [...named, ...labelled]);
  if (refused || after.expires_at === undefined) return refused;
  const stop = { subject_id: before.id, stop: 'END' } as const;
  const kept = await liftStop(tx, scope.organization_id, stop, actor);
  if (kept === undefined && after.expires_at !== null) await recordStops(tx, scope.organization_id, [stop], { by: actor, now });
  return kept;
};

export const updateAgent = async (
  { tx, emit }: Change<'agent.updated' | 'passport.issued'>,
  request: UpdateAgentRequest,
  deps: PassportIssuer,
) => {
  const { organization_id } = request.scope;
  const locked = await lockAgent(tx, organization_id, request.agentId);
  const before = locked && (await findAgent(tx, organization_id, locked.id));
  if (!before) return buildRefusal('NOT_FOUND');
  const refused = endingRefusal(request, before) ?? refuseFinalStatus('update', before.status);
  if (refused) return refused;
  const changed = differing(before, request.body);
  if (Object.keys(changed.after).length === 0) return before;
  // An agent whose tokens need no DPoP proof is weaker, so a person who allows it must re-authenticate.
  if (changed.after.require_dpop === false && !hasFreshStepUp(request, request.now)) return stepUpRefusal(request);
  const kept = await automationRefusal(tx, request, before, changed.after);
  if (kept) return kept;
  // The expiry of an agent moves the epochs of those below it.
  if ('expires_at' in changed.after) await inWholeOrganization(tx, request.scope, () => holdEpochs(tx, organization_id, [before.id]));
  await updateAgentRow(
    tx,
    organization_id,
    before.id,
    { ...changed.after, killsSessions: changed.after.require_dpop === true },
    request.now,
  );
  emit('agent.updated', { ...about.agent(before), data: changed });
  const after = (await findAgent(tx, organization_id, before.id)) ?? before;
  if (after.name === before.name && after.expires_at === before.expires_at) return after;
  const { agent, passport } = await reissuePassport(tx, deps, organization_id, after, request.now);
  emit('passport.issued', buildPassportEvent(agent, passport));
  return agent;
};
