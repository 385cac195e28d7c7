import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { findEndFault } from '@svc/domain/agents/agents/end-fault.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createAgent as create } from '@svc/operations/agents/agents/create-agent.ts';
import { findNameRefusal } from '@svc/operations/agents/agents/name-refusal.ts';
import { readAgentKey } from '@svc/operations/agents/agents/read-agent-key.ts';
import type { AgentsDeps } from '../deps.ts';

type CreateAgent = Endpoints['createAgent'];

export const createAgent: Handler<CreateAgent, AgentsDeps> = async (call, deps) => {
  const { body, scope, now } = call;
  if (body.capabilities.length > 0 && !call.holds('agent:manage_capabilities')) {
    const details = { permission: 'agent:manage_capabilities' };
    return call.refuse('PERMISSION_DENIED', 'Granting capabilities requires agent:manage_capabilities.', details);
  }
  const wrongEnd = findEndFault(body.expires_at, now.getTime());
  if (wrongEnd) return call.fault('/expires_at', wrongEnd);
  const key = readAgentKey(body.public_key);
  if (isRefusal(key)) return key;
  const made = await call.change(
    (change) => create(change, { ...asActing(call), steppedUpUntil: call.caller.steppedUpUntil, body: call.body }, key, deps),
    { agents_name_is_unique: () => call.refuse('ALREADY_EXISTS') },
  );
  return isRefusal(made) && made.refused === 'ALREADY_EXISTS' ? await findNameRefusal(call.database, scope, body) : made;
};
