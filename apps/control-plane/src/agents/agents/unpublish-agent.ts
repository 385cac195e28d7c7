import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { unpublishAgent as unpublish } from '@svc/operations/agents/agents/publish-agent.ts';
import type { AgentsDeps } from '../deps.ts';

export const unpublishAgent: Handler<Endpoints['unpublishAgent'], AgentsDeps> = (call) =>
  call.change((change) => unpublish(change, { ...asActing(call), agentId: call.params.agentId, reason: call.body?.reason }));
