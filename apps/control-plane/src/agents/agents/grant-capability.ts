import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { grantCapability as grant } from '@svc/operations/agents/agents/grant-capability.ts';
import type { AgentsDeps } from '../deps.ts';

export const grantCapability: Handler<Endpoints['grantCapability'], AgentsDeps> = (call, deps) =>
  call.change((change) => grant(change, { ...asActing(call), body: call.body, agentId: call.params.agentId }, deps));
