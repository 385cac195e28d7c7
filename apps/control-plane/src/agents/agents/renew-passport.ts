import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { renewPassport as renew } from '@svc/operations/agents/agents/renew-passport.ts';
import type { AgentsDeps } from '../deps.ts';

export const renewPassport: Handler<Endpoints['renewPassport'], AgentsDeps> = (call, deps) =>
  call.change((change) => renew(change, { ...asActing(call), agentId: call.params.agentId, body: call.body }, deps));
