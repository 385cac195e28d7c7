import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { findEndFault } from '@svc/domain/agents/agents/end-fault.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { findNameRefusal } from '@svc/operations/agents/agents/name-refusal.ts';
import { updateAgent as update } from '@svc/operations/agents/agents/update-agent.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

const change = (call: Call<Endpoints['updateAgent']>, deps: AgentsDeps) =>
  call.change(
    (change) =>
      update(
        change,
        { ...asActing(call), agentId: call.params.agentId, body: call.body, holds: call.holds, steppedUpUntil: call.caller.steppedUpUntil },
        deps,
      ),
    { agents_name_is_unique: () => call.refuse('ALREADY_EXISTS') },
  );

/** Updates metadata only. A new name or expiry issues a new version of the passport, which states them. */
export const updateAgent: Handler<Endpoints['updateAgent'], AgentsDeps> = async (call, deps) => {
  const { body, scope, params } = call;
  if (Object.keys(body).length === 0) return call.fault('', 'Send at least one member to change.');
  const wrongEnd = findEndFault(body.expires_at, call.now.getTime());
  if (wrongEnd) return call.fault('/expires_at', wrongEnd);
  const changed = await change(call, deps);
  if (!isRefusal(changed) || changed.refused !== 'ALREADY_EXISTS') return changed;
  const agent = await readInTenant(call.database, scope, (tx) => findAgent(tx, scope.organization_id, params.agentId));
  return agent && body.name !== undefined ? await findNameRefusal(call.database, scope, { ...agent, name: body.name }) : changed;
};
