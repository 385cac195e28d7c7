import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { addGrants } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { addAgentKey, findAgent, insertAgent, isKeyReused } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { workspaceExists } from '@svc/postgres/tenancy/workspaces.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp } from '../../people/auth/step-up.ts';
import { findArchivedRefusal } from '../../tenancy/environments/archived-refusal.ts';
import { recordStops } from '../stops-by-people.ts';
import { findFactsRefusal, listLabelFields } from './facts-refusal.ts';
import { buildPassportEvent, type IssuedPassport, issuePassport, type PassportIssuer } from './issue-passport.ts';
import { type AgentKeyChoice, findReusedKeyFault } from './read-agent-key.ts';

type CreateAgentRequest = CallContext & { readonly steppedUpUntil: string | null; readonly body: EndpointBody<Endpoints['createAgent']> };

type CreateAgent = Endpoints['createAgent'];

const writeAgent = async (tx: TenantTransaction, request: CreateAgentRequest, id: string, key: AgentKeyChoice): Promise<Agent> => {
  const { body, now, actor, steppedUpUntil } = request;
  const { organization_id } = request.scope;
  await insertAgent(tx, {
    organization_id,
    id,
    workspace_id: body.workspace_id,
    environment_id: body.environment_id,
    name: body.name,
    description: body.description ?? '',
    labels: JSON.stringify(body.labels ?? {}),
    expires_at: body.expires_at ?? null,
    require_dpop: body.require_dpop ?? false,
    created_at: now,
    updated_at: now,
  });
  const { public_key, thumbprint } = key;
  const keyOrigin = { made_by: actor.id, made_stepped_up: hasFreshStepUp({ actor, steppedUpUntil }, now) };
  await addAgentKey(tx, organization_id, id, { generation: 1, public_key, thumbprint, ...keyOrigin }, now);
  await addGrants(tx, organization_id, id, body.capabilities, { granted_by: actor.id, granted_at: now });
  const agent = await findAgent(tx, organization_id, id);
  if (!agent) throw new Error('the inserted agent was not found');
  return agent;
};

type Emit = Change<CreateAgent['emits'][number]>['emit'];

const emitEvents = (emit: Emit, agent: Agent, thumbprint: string, passport: IssuedPassport): void => {
  const { name, description, labels, capabilities, expires_at, require_dpop } = agent;
  const after = { name, description, labels, capabilities, expires_at, require_dpop, public_key_thumbprint: thumbprint };
  emit('agent.created', { ...about.agent(agent), data: { after } });
  for (const capability of capabilities) emit('agent.capability_granted', { ...about.agent(agent), data: { capability } });
  emit('passport.issued', buildPassportEvent(agent, passport));
};

/** Registers an agent with its key, its capabilities and its first passport, in one transaction. */
export const createAgent = async (
  { tx, emit }: Change<EmittedBy<Endpoints['createAgent']>>,
  request: CreateAgentRequest,
  key: AgentKeyChoice,
  deps: PassportIssuer,
) => {
  const { scope, body, now } = request;
  const environment = await findEnvironment(tx, scope.organization_id, body.environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  if (!(await workspaceExists(tx, scope.organization_id, body.workspace_id)))
    return buildRefusal('NOT_FOUND', 'The workspace does not exist.');
  if (environment.workspace_id !== body.workspace_id) return refuseBody('/environment_id', 'The environment belongs to another workspace.');
  const archived = await findArchivedRefusal(tx, scope.organization_id, environment.id);
  if (archived) return archived;
  const fields = [...listLabelFields({}, body.labels ?? {}), ...(body.capabilities.length > 0 ? ['agent.capabilities'] : [])];
  const refused = await findFactsRefusal(tx, { scope, by: request.actor }, { ...body, id: null }, fields);
  if (refused) return refused;
  const id = newId('agent');
  if (await isKeyReused(tx, scope.organization_id, id, key.thumbprint)) return findReusedKeyFault();
  const agent = await writeAgent(tx, request, id, key);
  const expiries = agent.expires_at === null ? [] : [{ subject_id: id, stop: 'END' } as const];
  await recordStops(tx, scope.organization_id, expiries, { by: request.actor, now });
  const passport = await issuePassport(tx, deps, scope.organization_id, agent, now);
  emitEvents(emit, agent, key.thumbprint, passport);
  return { data: { agent, ...(key.private_key === undefined ? {} : { private_key: key.private_key }) } };
};
