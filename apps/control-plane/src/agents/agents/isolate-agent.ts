import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { isolateAgent as isolate } from '@svc/operations/agents/agents/isolate-agent.ts';
import type { AgentsDeps } from '../deps.ts';

export const isolateAgent: Handler<Endpoints['isolateAgent'], AgentsDeps> = (call) =>
  call.change((change) => isolate(change, { ...asActing(call), agentId: call.params.agentId, body: call.body }));
