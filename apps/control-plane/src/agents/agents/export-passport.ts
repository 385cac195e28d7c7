import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { exportPassport as exportOne } from '@svc/operations/agents/agents/export-passport.ts';
import type { AgentsDeps } from '../deps.ts';

export const exportPassport: Handler<Endpoints['exportPassport'], AgentsDeps> = async (call, { platformKeys }) => {
  await platformKeys.renew();
  const request = { ...asActing(call), agentId: call.params.agentId, reason: call.body?.reason };
  return call.change((change) => exportOne(change, request, platformKeys));
};
