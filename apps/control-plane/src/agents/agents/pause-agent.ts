import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { pauseAgent as pause } from '@svc/operations/agents/agents/pause-agent.ts';
import type { AgentsDeps } from '../deps.ts';

export const pauseAgent: Handler<Endpoints['pauseAgent'], AgentsDeps> = (call) =>
  call.change((change) => pause(change, { ...asActing(call), agentId: call.params.agentId, body: call.body }));
