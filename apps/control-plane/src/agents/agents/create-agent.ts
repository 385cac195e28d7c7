import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { endFault } from '@svc/domain/agents/agents/end-fault.ts';
import { hasFreshStepUp } from '@svc/http/admission/authorize.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { factsRefusal, labelFields } from '@svc/operations/agents/agents/facts-refusal.ts';
import { type IssuedPassport, issuePassport, passportEvent } from '@svc/operations/agents/agents/issue-passport.ts';
import { nameRefusal } from '@svc/operations/agents/agents/name-refusal.ts';
import { recordStops } from '@svc/operations/agents/stops-by-people.ts';
import { archivedRefusal } from '@svc/operations/tenancy/environments/archived-refusal.ts';
import { addGrants } from '@svc/postgres/agents/agents/agent-capabilities.ts';
import { addAgentKey, findAgent, insertAgent, isKeyUsedUp } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { workspaceExists } from '@svc/postgres/tenancy/workspaces.ts';
import type { ControlDeps } from '../../deps.ts';
import { type AgentKeyChoice, readAgentKey, usedUpKeyFault } from './credentials/read-agent-key.ts';

type CreateAgent = Endpoints['createAgent'];

const writeAgent = async (tx: TenantTransaction, call: Call<CreateAgent>, id: string, key: AgentKeyChoice): Promise<Agent> => {
  const { body, now, caller } = call;
  const { organization_id } = call.scope;
  await insertAgent(tx, {
    organization_id,
    id,
    workspace_id: body.workspace_id,
    environment_id: body.environment_id,
    name: body.name,
    description: body.description ?? '',
    labels: JSON.stringify(body.labels ?? {}),
    expires_at: body.expires_at ?? null,
    created_at: now,
    updated_at: now,
  });
  const { public_key, thumbprint } = key;
  const made = { made_by: caller.actor.id, made_stepped_up: hasFreshStepUp(caller, now) };
  await addAgentKey(tx, organization_id, id, { generation: 1, public_key, thumbprint, ...made }, now);
  await addGrants(tx, organization_id, id, body.capabilities, { granted_by: caller.actor.id, granted_at: now });
  const agent = await findAgent(tx, organization_id, id);
  if (!agent) throw new Error('an agent that was just added is not there');
  return agent;
};

type Emit = Change<CreateAgent['emits'][number]>['emit'];

const tellOf = (emit: Emit, agent: Agent, thumbprint: string, passport: IssuedPassport): void => {
  const { name, description, labels, capabilities, expires_at } = agent;
  const after = { name, description, labels, capabilities, expires_at, public_key_thumbprint: thumbprint };
  emit('agent.created', { ...about.agent(agent), data: { after } });
  for (const capability of capabilities) emit('agent.capability_granted', { ...about.agent(agent), data: { capability } });
  emit('passport.issued', passportEvent(agent, passport));
};

/** Registers an identity: its key, its first capabilities and its first passport, all or nothing. */
export const createAgent: Handler<CreateAgent, ControlDeps> = async (call, deps) => {
  const { body, scope, now } = call;
  if (body.capabilities.length > 0 && !call.holds('agent:manage_capabilities')) {
    const details = { permission: 'agent:manage_capabilities' };
    return call.refuse('PERMISSION_DENIED', 'Granting capabilities requires agent:manage_capabilities.', details);
  }
  const wrongEnd = endFault(body.expires_at, now.getTime());
  if (wrongEnd) return call.fault('/expires_at', wrongEnd);
  const key = readAgentKey(body.public_key);
  if (isRefusal(key)) return key;
  const made = await call.change(
    async ({ tx, emit }) => {
      const environment = await findEnvironment(tx, scope.organization_id, body.environment_id);
      if (!environment) return call.refuse('NOT_FOUND', 'There is no such environment.');
      if (!(await workspaceExists(tx, scope.organization_id, body.workspace_id)))
        return call.refuse('NOT_FOUND', 'There is no such workspace.');
      if (environment.workspace_id !== body.workspace_id)
        return call.fault('/environment_id', 'The environment belongs to another workspace.');
      const archived = await archivedRefusal(tx, scope.organization_id, environment.id);
      if (archived) return archived;
      const fields = [...labelFields({}, body.labels ?? {}), ...(body.capabilities.length > 0 ? ['agent.capabilities'] : [])];
      const refused = await factsRefusal(tx, { scope, by: call.caller.actor }, { ...body, id: null }, fields);
      if (refused) return refused;
      const id = call.newId('agent');
      if (await isKeyUsedUp(tx, scope.organization_id, id, key.thumbprint)) return usedUpKeyFault();
      const agent = await writeAgent(tx, call, id, key);
      const stops = agent.expires_at === null ? [] : [{ subject_id: id, stop: 'END' } as const];
      await recordStops(tx, scope.organization_id, stops, { by: call.caller.actor, now });
      const passport = await issuePassport(tx, deps, scope.organization_id, agent, now);
      tellOf(emit, agent, key.thumbprint, passport);
      return { data: { agent, ...(key.private_key === undefined ? {} : { private_key: key.private_key }) } };
    },
    { agents_name_is_unique: () => call.refuse('ALREADY_EXISTS') },
  );
  return isRefusal(made) && made.refused === 'ALREADY_EXISTS' ? await nameRefusal(call.database, scope, body) : made;
};
