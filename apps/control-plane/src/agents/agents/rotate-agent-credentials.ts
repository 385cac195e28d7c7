import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { rotateAgentCredentials as rotate } from '@svc/operations/agents/agents/rotate-agent-credentials.ts';
import type { AgentsDeps } from '../deps.ts';

export const rotateAgentCredentials: Handler<Endpoints['rotateAgentCredentials'], AgentsDeps> = (call, deps) => {
  return call.change((change) =>
    rotate(change, { ...asActing(call), agentId: call.params.agentId, steppedUpUntil: call.caller.steppedUpUntil, body: call.body }, deps),
  );
};
