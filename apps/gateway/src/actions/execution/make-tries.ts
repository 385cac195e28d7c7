import { setTimeout as sleep } from 'node:timers/promises';
import { type Tried, tryTimeoutMs, waitBeforeNext } from '@svc/domain/tools/terms/next-try.ts';
import { isSuccess } from '@svc/domain/tools/terms/statuses.ts';
import type { EgressRequest, EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { ExecutionCall } from '@svc/enforcement/ports/executors.ts';

/** A call, and a callback right before its first byte is sent. */
export type TriedCall = ExecutionCall<'http'> & Pick<EgressRequest, 'onSend'>;

/** Makes one attempt of a call, within its timeout. */
export type MakeTry = (call: TriedCall, timeoutMs: number) => Promise<EgressResult>;

/** Final result of a call, and the number of attempts. */
export type AttemptResult = { readonly result: EgressResult; readonly tries: number };

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
      // A response that was too large once is too large again.
      if (result.tooLarge) return { kind: 'final' };
      return { kind: result.sent ? 'doubtful' : 'unsent' };
    default:
      return { kind: 'final' };
  }
};

const release = (result: EgressResult): void => {
  if (result.kind === 'answered_large') result.large?.release();
};

/** Drops the body of a large response while another attempt is made, since there is capacity for only a few. */
const withoutLarge = (result: EgressResult): EgressResult => {
  if (result.kind !== 'answered_large') return result;
  release(result);
  const { large: _large, ...rest } = result;
  return { ...rest, untold: 'UNREADABLE' };
};

/**
 * Makes a call, and repeats it as its tool permits, within the timeout of one call. Each further attempt checks again that the call may be
 * sent. An attempt with an unknown outcome determines the result unless a later one was executed: a refusal after it does not undo what may
 * have happened.
 */
export const makeTries = async (call: TriedCall, makeTry: MakeTry, withinMs: number): Promise<AttemptResult> => {
  const plan = call.terms?.retries ?? null;
  const beganAt = performance.now();
  let doubtful: EgressResult | undefined;
  for (let tries = 1; ; tries += 1) {
    const result = await makeTry(call, tryTimeoutMs(plan, { elapsedMs: performance.now() - beganAt, withinMs }));
    const tried = triedOf(call, result);
    if (tried.kind === 'doubtful') doubtful = result;
    const settled = (last: EgressResult): AttemptResult => {
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
