import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ActionStatus } from '@svc/contract/tables/vocabulary.ts';
import type { ExecutionResult, LargeResult } from '../ports/ports.ts';

/** What is answered when the call of a permitted action did not go well. */
export type ExecutionCode = 'EXECUTION_FAILED' | 'EXECUTION_TIMEOUT' | 'DESTINATION_BLOCKED' | 'CREDENTIAL_SERVICE_UNAVAILABLE';

export type Executed = {
  readonly status: ActionStatus;
  readonly execution: Execution;
  readonly code: ExecutionCode | null;
  /** The result, where it is too large to be a member of `execution`. To be released by whoever does not tell it. */
  readonly large?: LargeResult;
  /** Why, in words for people of the organization alone. */
  readonly detail?: string;
  /** It went where nothing may go. */
  readonly isBlocked?: true;
};

type Answered = Extract<ExecutionResult, { kind: `answered${string}` }>;

const REJECTED_FROM_STATUS = 300;

/** One sentence, whether the destination is unknown, closed or not to be called: the difference would map a network for whoever asks. */
const UNREACHABLE = 'The destination could not be reached.';

const UNTOLD: Readonly<Record<string, string>> = {
  TOO_LARGE: 'is not shown, since it is too large.',
  UNREADABLE: 'is not shown, since it could not be read within its bounds.',
};

const reasonOf = (result: Answered, ok: boolean): string | undefined => {
  const rejected = ok ? undefined : `The destination answered ${result.status}.`;
  if (result.kind === 'answered' || result.untold === undefined || result.untold === 'MASKED') return rejected;
  return [rejected, `The result of ${result.bytes} bytes ${UNTOLD[result.untold]}`].filter(Boolean).join(' ');
};

/** What the result is as far as it is known here. Empty text stands for one that masks apply to and cannot be laid on. */
const resultIn = (result: Answered): { readonly result?: unknown } => {
  if (result.kind === 'answered') return { result: result.bodyJson ?? result.body };
  if (result.large !== undefined) return {};
  return { result: result.untold === 'MASKED' ? '' : null };
};

const readAnswered = (result: Answered): Executed => {
  const ok = result.status < REJECTED_FROM_STATUS;
  const reason = reasonOf(result, ok);
  const execution: Execution = {
    state: ok ? 'EXECUTED' : 'FAILED',
    http_status: result.status,
    duration_ms: result.duration_ms,
    ...resultIn(result),
    ...(reason === undefined ? {} : { reason }),
  };
  const large = result.kind === 'answered_large' && result.large ? { large: result.large } : {};
  return { status: ok ? 'COMPLETED' : 'FAILED', execution, code: ok ? null : 'EXECUTION_FAILED', ...large };
};

const unsent = (reason: string): Executed => ({ status: 'FAILED', execution: { state: 'FAILED', reason }, code: 'EXECUTION_FAILED' });

/** A downstream that answered decided itself; one that fell silent after the request left may have acted all the same. */
export const readResult = (result: ExecutionResult): Executed => {
  switch (result.kind) {
    case 'answered':
    case 'answered_large':
      return readAnswered(result);
    case 'disabled':
      return { status: 'ALLOWED', execution: { state: 'NOT_EXECUTED', reason: result.reason }, code: null };
    case 'refused':
      return { status: 'FAILED', execution: { state: 'FAILED', reason: result.reason }, code: 'DESTINATION_BLOCKED', isBlocked: true };
    case 'no_credential':
      return { ...unsent(result.reason), code: 'CREDENTIAL_SERVICE_UNAVAILABLE' };
    case 'unreachable':
      return { ...unsent(UNREACHABLE), detail: result.detail, ...(result.forbidden ? { isBlocked: true } : {}) };
    case 'timeout':
      return {
        status: 'UNKNOWN',
        execution: { state: 'UNKNOWN', reason: 'No answer in time.', duration_ms: result.duration_ms },
        code: 'EXECUTION_TIMEOUT',
      };
    case 'failed':
      if (!result.sent) return unsent(result.reason);
      return { status: 'UNKNOWN', execution: { state: 'UNKNOWN', reason: result.reason }, code: 'EXECUTION_TIMEOUT' };
  }
};
