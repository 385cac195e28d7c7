import type { BulkResult } from '@svc/contract/agents/fleet/bulk.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { cancelAgentApprovals, revokeAgentDelegations } from '@svc/operations/agents/agents/end-agents.ts';
import { changeAgents } from '@svc/operations/agents/fleet/change-agents.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { AgentsDeps } from '../deps.ts';
import { BULK_PERMISSIONS } from './bulk/bulk-permissions.ts';
import { runInBatches } from './bulk/in-batches.ts';
import { createThrottledQueue } from './bulk/resting-turns.ts';

const { batchesAtOnceMax, turnWaitMs } = LIMITS.bulk;
const inTurn = createThrottledQueue(batchesAtOnceMax, turnWaitMs);

type BulkCall = Call<Endpoints['bulkChangeAgents']>;
type Left = 'approval.cancelled' | 'delegation.revoked';

const createBreakageReporter =
  ({ log, requestId, traceId }: BulkCall) =>
  (error: unknown): void =>
    log.warn({ request_id: requestId, trace_id: traceId, err: error }, 'a batch of a bulk operation broke off');

const HANGS_ON = 'The agent is revoked, but its dependent objects have not ended yet. None of them can be used. Repeat the call.';

/** Ends what depends on revoked agents beyond the first batch, also if an earlier call stopped before that. */
const endWhatIsLeft = async (call: BulkCall, results: readonly BulkResult[], isLate: () => boolean): Promise<BulkResult[]> => {
  const isOver = ({ outcome }: BulkResult) => outcome === 'CHANGED' || outcome === 'UNCHANGED';
  const ids = results.filter(isOver).map(({ agent_id }) => agent_id);
  const ending = { scope: call.scope, reason: call.body.reason, now: call.now };
  /** True if something remains when the time of the call is used up. */
  const isLeft = async (step: (change: Change<Left>) => Promise<boolean>): Promise<boolean> => {
    while (ids.length > 0) {
      if (isLate()) return true;
      const more = await inTurn(call.scope.organization_id, () => call.change(step));
      if (more !== true) return isRefusal(more);
    }
    return false;
  };
  const end = async () =>
    (await isLeft((change) => cancelAgentApprovals(change, ids, ending))) ||
    (await isLeft((change) => revokeAgentDelegations(change, ids, ending)));
  const left = await runOrRefuse(end, createBreakageReporter(call));
  if (left === false) return [...results];
  const code = left === true ? 'DEPENDENCY_UNAVAILABLE' : left.refused;
  return results.map((each) => (isOver(each) ? { ...each, outcome: 'NOT_DONE', code, reason: HANGS_ON } : each));
};

const runBatch = async (
  call: BulkCall,
  agentIds: readonly string[],
  isLate: () => boolean,
): Promise<BulkResult[] | Refusal<'RATE_LIMITED'>> => {
  const { scope, now } = call;
  const { operation, reason } = call.body;
  const mayLift = { SUSPENSION: call.holds('agent:suspend'), ISOLATION: call.holds('emergency:execute') };
  const step = { scope, operation, reason, now, mayLift, by: call.caller.actor };
  const results = await inTurn(scope.organization_id, () => call.change((change) => changeAgents(change, agentIds, step)));
  if (isRefusal(results)) return results;
  return operation === 'revoke' ? await endWhatIsLeft(call, results, isLate) : results;
};

/** Applies one operation to many agents. Each agent changes completely, with its events, or not at all; the response states each result. */
export const bulkChangeAgents: Handler<Endpoints['bulkChangeAgents'], AgentsDeps> = async (call) => {
  const { agent_ids, operation } = call.body;
  const [permission] = call.lacks(BULK_PERMISSIONS[operation]);
  if (permission) return call.refuse('PERMISSION_DENIED', `To ${operation} agents needs ${permission} too.`, { permission });
  const began = performance.now();
  const elapsedMs = () => performance.now() - began;
  const isLate = () => elapsedMs() > LIMITS.bulk.workMs;
  const results = await runInBatches(agent_ids, {
    run: (ids) => runBatch(call, ids, isLate),
    onBreakage: createBreakageReporter(call),
    elapsedMs,
  });
  const count = (wanted: BulkResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  const counts = { changed: count('CHANGED'), unchanged: count('UNCHANGED'), refused: count('REFUSED'), not_done: count('NOT_DONE') };
  return { operation, results, counts };
};
