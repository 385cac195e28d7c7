import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { suspendAgent as suspend } from '@svc/operations/agents/agents/suspend-agent.ts';
import type { AgentsDeps } from '../deps.ts';

export const suspendAgent: Handler<Endpoints['suspendAgent'], AgentsDeps> = (call) =>
  call.change((change) =>
    suspend(change, {
      ...asActing(call),
      agentId: call.params.agentId,
      body: call.body,
      holds: call.holds,
      steppedUpUntil: call.caller.steppedUpUntil,
    }),
  );
