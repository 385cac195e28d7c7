import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { restrictTool as restrictToolNow } from '@svc/operations/tools/tools/restrict-tool.ts';
import type { ToolsDeps } from '../deps.ts';
import { withdrawApprovals } from './declaration/withdraw-approvals.ts';

type RestrictCall = Call<Endpoints['restrictTool']>;

const restrict = (call: RestrictCall) =>
  call.change((change) => restrictToolNow(change, { ...asActing(call), body: call.body, toolId: call.params.toolId }));

/** Narrows the destinations or the agents of a tool. The new set must be a subset, so that nothing is widened. */
export const restrictTool: Handler<Endpoints['restrictTool'], ToolsDeps> = async (call) => {
  const { destination_allowlist, agent_ids, reason } = call.body;
  if (destination_allowlist === undefined && agent_ids === undefined)
    return call.fault('', 'Name the destinations or the agents that stay.');
  const done = await restrict(call);
  if (isRefusal(done)) return done;
  if (done.isDeclared) await withdrawApprovals(call, done.restricted, reason);
  return done.restricted;
};
