import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { acceptFinding } from '@svc/operations/runtimes/runtime-findings/accept-finding.ts';
import { asFinding } from '@svc/operations/runtimes/runtime-findings/as-finding.ts';
import type { RuntimesDeps } from '../deps.ts';

export const acceptRuntimeFinding: Handler<Endpoints['acceptRuntimeFinding'], RuntimesDeps> = (call) =>
  call.change(async (change) => {
    const accepted = await acceptFinding(change, { ...asActing(call), body: call.body, findingId: call.params.findingId });
    return isRefusal(accepted) ? accepted : asFinding(accepted);
  });
