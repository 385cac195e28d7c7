import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asFinding } from '@svc/operations/runtimes/runtime-findings/as-finding.ts';
import { withdrawAcceptance } from '@svc/operations/runtimes/runtime-findings/withdraw-acceptance.ts';
import type { RuntimesDeps } from '../deps.ts';

export const withdrawRuntimeFindingAcceptance: Handler<Endpoints['withdrawRuntimeFindingAcceptance'], RuntimesDeps> = (call) =>
  call.change(async (change) => {
    const withdrawn = await withdrawAcceptance(change, { ...asActing(call), findingId: call.params.findingId });
    return isRefusal(withdrawn) ? withdrawn : asFinding(withdrawn);
  });
