import { isDeepStrictEqual } from 'node:util';
import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { comesNearer } from '@svc/domain/agents/agents/comes-nearer.ts';
import { endFault } from '@svc/domain/agents/agents/end-fault.ts';
import { finalStatusRefusal } from '@svc/domain/agents/agents/final-status.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { factsRefusal, labelFields } from '@svc/operations/agents/agents/facts-refusal.ts';
import { passportEvent, reissuePassport } from '@svc/operations/agents/agents/issue-passport.ts';
import { nameRefusal } from '@svc/operations/agents/agents/name-refusal.ts';
import { liftStop, recordStops } from '@svc/operations/agents/stops-by-people.ts';
import { findAgent, lockAgent, updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { holdEpochs } from '@svc/postgres/agents/fleet/lock-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { readInTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import type { ControlDeps } from '../../deps.ts';

const differing = (before: Agent, body: Partial<Agent>) => {
  const names = (['name', 'description', 'labels', 'expires_at'] as const).filter(
    (key) => body[key] !== undefined && !isDeepStrictEqual(body[key], before[key]),
  );
  return {
    before: Object.fromEntries(names.map((key) => [key, before[key]])),
    after: Object.fromEntries(names.map((key) => [key, body[key]])),
  };
};

/** Whoever brings the end of an agent nearer ends it, though later: that takes what ending it now does. To put it off or take it back does not. */
const endingRefusal = (call: Call<Endpoints['updateAgent']>, before: Agent) => {
  if (!comesNearer(before.expires_at, call.body.expires_at)) return undefined;
  if (call.holds('agent:revoke')) return hasFreshStepUp(call.caller, call.now) ? undefined : stepUpRefusal(call.caller);
  return call.refuse('PERMISSION_DENIED', 'Setting an expiry, or an earlier one, requires the permission to end agents.', {
    permission: 'agent:revoke',
  });
};

/** Records or lifts the end that a person sets. Returns why an API key may not make the change. */
const automationRefusal = async (tx: TenantTransaction, call: Call<Endpoints['updateAgent']>, before: Agent, after: Partial<Agent>) => {
  const { scope, caller, now } = call;
  const named = after.name === undefined ? [] : ['agent.name'];
  const labelled = after.labels === undefined ? [] : labelFields(before.labels, after.labels);
  const refused = await factsRefusal(tx, { scope, by: caller.actor }, before, [...named, ...labelled]);
  if (refused || after.expires_at === undefined) return refused;
  const stop = { subject_id: before.id, stop: 'END' } as const;
  const kept = await liftStop(tx, scope.organization_id, stop, caller.actor);
  if (kept === undefined && after.expires_at !== null) await recordStops(tx, scope.organization_id, [stop], { by: caller.actor, now });
  return kept;
};

const change = (call: Call<Endpoints['updateAgent']>, deps: ControlDeps) =>
  call.change(
    async ({ tx, emit }) => {
      const { organization_id } = call.scope;
      const locked = await lockAgent(tx, organization_id, call.params.agentId);
      const before = locked && (await findAgent(tx, organization_id, locked.id));
      if (!before) return call.refuse('NOT_FOUND');
      const refused = endingRefusal(call, before) ?? finalStatusRefusal('update', before.status);
      if (refused) return refused;
      const changed = differing(before, call.body);
      if (Object.keys(changed.after).length === 0) return before;
      const kept = await automationRefusal(tx, call, before, changed.after);
      if (kept) return kept;
      // The end of an agent moves the epochs of those below it.
      if ('expires_at' in changed.after) await inWholeOrganization(tx, call.scope, () => holdEpochs(tx, organization_id, [before.id]));
      await updateAgentRow(tx, organization_id, before.id, changed.after, call.now);
      emit('agent.updated', { ...about.agent(before), data: changed });
      const after = (await findAgent(tx, organization_id, before.id)) ?? before;
      if (after.name === before.name && after.expires_at === before.expires_at) return after;
      const { agent, passport } = await reissuePassport(tx, deps, organization_id, after, call.now);
      emit('passport.issued', passportEvent(agent, passport));
      return agent;
    },
    { agents_name_is_unique: () => call.refuse('ALREADY_EXISTS') },
  );

/** Metadata only; a new name or end is a new version of the passport, which states them. */
export const updateAgent: Handler<Endpoints['updateAgent'], ControlDeps> = async (call, deps) => {
  const { body, scope, params } = call;
  if (Object.keys(body).length === 0) return call.fault('', 'Send at least one member to change.');
  const wrongEnd = endFault(body.expires_at, call.now.getTime());
  if (wrongEnd) return call.fault('/expires_at', wrongEnd);
  const changed = await change(call, deps);
  if (!isRefusal(changed) || changed.refused !== 'ALREADY_EXISTS') return changed;
  const agent = await readInTenant(call.database, scope, (tx) => findAgent(tx, scope.organization_id, params.agentId));
  return agent && body.name !== undefined ? await nameRefusal(call.database, scope, { ...agent, name: body.name }) : changed;
};
