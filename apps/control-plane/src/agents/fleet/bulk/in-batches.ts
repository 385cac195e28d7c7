import type { BulkResult } from '@svc/contract/agents/fleet/bulk.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { ErrorCode } from '@svc/contract/tables/errors.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';

/** Number of consecutive failed batches after which the operation stops: the cause is not the agents. */
const FAILURES_MAX = 3;

export type Batches = {
  /** Changes some of the agents in one transaction. */
  readonly run: (agentIds: readonly string[]) => Promise<BulkResult[] | Refusal<'RATE_LIMITED'>>;
  readonly onBreakage: (error: unknown) => void;
  readonly elapsedMs: () => number;
};

const notDone = (agentIds: readonly string[], code: ErrorCode, reason: string): BulkResult[] =>
  agentIds.map((agent_id) => ({ agent_id, outcome: 'NOT_DONE', from: null, to: null, code, reason }));

const LATE = 'The time limit of the call was reached before this agent. Repeat the call.';
const CROWDED = 'Too many changes of this organization were in progress. Repeat the call.';
const BROKEN = 'The change could not be saved. Repeat the call.';

/**
 * Runs a bulk operation in batches, in the order of ids, so that two concurrent operations cannot deadlock. A failed batch changes nothing
 * and is retried once agent by agent; what fails again, or does not start in time, is reported as not done. So is everything after a batch
 * that was refused.
 */
export const runInBatches = async (agentIds: readonly string[], { run, onBreakage, elapsedMs }: Batches): Promise<BulkResult[]> => {
  const results: BulkResult[] = [];
  let failures = 0;
  let isCrowded = false;
  const attempt = async (ids: readonly string[]): Promise<BulkResult[] | Refusal> => {
    if (isCrowded) return notDone(ids, 'RATE_LIMITED', CROWDED);
    if (failures >= FAILURES_MAX) return notDone(ids, 'DEPENDENCY_UNAVAILABLE', BROKEN);
    if (elapsedMs() > LIMITS.bulk.workMs) return notDone(ids, 'DEPENDENCY_UNAVAILABLE', LATE);
    const done = await runOrRefuse(() => run(ids), onBreakage);
    failures = isRefusal(done) ? failures + 1 : 0;
    isCrowded = isRefusal(done) && done.refused === 'RATE_LIMITED';
    return isCrowded ? notDone(ids, 'RATE_LIMITED', CROWDED) : done;
  };
  const sorted = agentIds.toSorted();
  for (let at = 0; at < sorted.length; at += LIMITS.bulk.batchCount) {
    const ids = sorted.slice(at, at + LIMITS.bulk.batchCount);
    const done = await attempt(ids);
    if (!isRefusal(done)) {
      results.push(...done);
      continue;
    }
    for (const id of ids) {
      const one = await attempt([id]);
      results.push(...(isRefusal(one) ? notDone([id], one.refused, BROKEN) : one));
    }
  }
  const byId = new Map(results.map((result) => [result.agent_id, result]));
  return agentIds.flatMap((id) => byId.get(id) ?? []);
};
