import { setTimeout as sleep } from 'node:timers/promises';
import { type Tried, tryTimeoutMs, waitBeforeNext } from '@svc/domain/tools/terms/next-try.ts';
import { isSuccess } from '@svc/domain/tools/terms/statuses.ts';
import type { EgressRequest, EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { ExecutionCall } from '@svc/enforcement/ports/executors.ts';

/** A call, and who is called right before a byte of it is sent. */
export type TriedCall = ExecutionCall<'http'> & Pick<EgressRequest, 'onSend'>;

/** One try of a call, within its time. */
export type MakeTry = (call: TriedCall, timeoutMs: number) => Promise<EgressResult>;

/** What came of a call in the end, and how often it was made. */
export type Made = { readonly result: EgressResult; readonly tries: number };

const triedOf = ({ terms }: TriedCall, result: EgressResult): Tried => {
  switch (result.kind) {
    case 'answered':
    case 'answered_large': {
      const retryAfter = result.kind === 'answered' ? result.headers['retry-after'] : undefined;
      return { kind: 'answered', status: result.status, isSuccess: isSuccess(terms?.expects ?? null, result.status), retryAfter };
    }
    case 'unreachable':
      return result.forbidden ? { kind: 'final' } : { kind: 'unsent' };
    case 'timeout':
      return { kind: 'doubtful' };
    case 'failed':
      // An answer that was too large once is too large again.
      if (result.tooLarge) return { kind: 'final' };
      return { kind: result.sent ? 'doubtful' : 'unsent' };
    default:
      return { kind: 'final' };
  }
};

const release = (result: EgressResult): void => {
  if (result.kind === 'answered_large') result.large?.release();
};

/** What is told of an answer while another try is waited for: of a large one all but the answer, since there is room for a few of them alone. */
const withoutLarge = (result: EgressResult): EgressResult => {
  if (result.kind !== 'answered_large') return result;
  release(result);
  const { large: _large, ...rest } = result;
  return { ...rest, untold: 'UNREADABLE' };
};

/**
 * Makes a call, and makes it again as its tool allows, within the time of one call. Before each further try it is asked anew whether the call
 * may leave at all. A try whose outcome nobody knows stays the outcome unless a later one says that the call was carried out: a refusal that
 * comes after it does not undo what may have happened.
 */
export const makeTries = async (call: TriedCall, makeTry: MakeTry, withinMs: number): Promise<Made> => {
  const plan = call.terms?.retries ?? null;
  const beganAt = performance.now();
  let doubtful: EgressResult | undefined;
  for (let tries = 1; ; tries += 1) {
    const result = await makeTry(call, tryTimeoutMs(plan, { elapsedMs: performance.now() - beganAt, withinMs }));
    const tried = triedOf(call, result);
    if (tried.kind === 'doubtful') doubtful = result;
    const settled = (last: EgressResult): Made => {
      if (doubtful === undefined || (tried.kind === 'answered' && tried.isSuccess)) return { result: last, tries };
      if (doubtful !== last) release(last);
      return { result: doubtful, tries };
    };
    const soFar = { tries, elapsedMs: performance.now() - beganAt, withinMs, random: Math.random() };
    const waitMs = waitBeforeNext(plan, tried, soFar);
    if (waitMs === undefined) return settled(result);
    const kept = withoutLarge(result);
    await sleep(waitMs);
    if (!(await call.mayLeave())) return settled(kept);
  }
};
