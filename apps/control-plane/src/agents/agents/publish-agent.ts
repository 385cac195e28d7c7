import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asAgentListing } from '@svc/operations/agents/agents/as-agent-listing.ts';
import { publishAgent as publish } from '@svc/operations/agents/agents/publish-agent.ts';
import type { AgentsDeps } from '../deps.ts';

export const publishAgent: Handler<Endpoints['publishAgent'], AgentsDeps> = (call, { urls }) =>
  call.change(async (change) => {
    const published = await publish(change, { ...asActing(call), agentId: call.params.agentId, body: call.body });
    return isRefusal(published) ? published : asAgentListing(published.agent_id, published, urls.gateway);
  });
