import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { revokeCapability as revoke } from '@svc/operations/agents/agents/revoke-capability.ts';
import type { AgentsDeps } from '../deps.ts';

export const revokeCapability: Handler<Endpoints['revokeCapability'], AgentsDeps> = (call, deps) =>
  call.change((change) => revoke(change, { ...asActing(call), agentId: call.params.agentId, capability: call.params.capability }, deps));
