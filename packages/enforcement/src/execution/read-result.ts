import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ActionStatus } from '@svc/contract/tables/vocabulary.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import type { HttpResult, LargeResult } from '../ports/execution-results.ts';
import { readAnswered } from './read-answered.ts';

/** What is answered when the call of a permitted action did not go well. */
export const EXECUTION_CODES = [
  'EXECUTION_FAILED',
  'EXECUTION_TIMEOUT',
  'DESTINATION_BLOCKED',
  'CREDENTIAL_SERVICE_UNAVAILABLE',
  'RATE_LIMITED',
  'DEPENDENCY_UNAVAILABLE',
] as const;
export type ExecutionCode = (typeof EXECUTION_CODES)[number];

export type Executed = {
  readonly status: ActionStatus;
  readonly execution: Execution;
  readonly code: ExecutionCode | null;
  /** The result, where it is too large to be a member of `execution`. To be released by whoever does not tell it. */
  readonly large?: LargeResult;
  /** Why, in words for people of the organization alone. */
  readonly detail?: string;
  /** The state that its decision was made at has moved meanwhile. */
  readonly isOvertaken?: true;
  /** No byte of the call was sent. */
  readonly isUnsent?: true;
  /** It went where nothing may go. */
  readonly isBlocked?: true;
};

/** One sentence, whether the destination is unknown, closed or not to be called: the difference would map a network for whoever asks. */
const UNREACHABLE = 'The destination could not be reached.';

const unsent = (reason: string, code: ExecutionCode = 'EXECUTION_FAILED'): Executed => ({
  status: 'FAILED',
  execution: { state: 'FAILED', reason },
  code,
});

const BUSY_CODES = { tenant: 'RATE_LIMITED', service: 'DEPENDENCY_UNAVAILABLE' } as const;

type Broken = Extract<HttpResult, { kind: 'failed' }>;

/** An answer that is longer than the tool allows has been given all the same. */
const tooLong = ({ reason, status }: Broken): Executed => ({
  status: 'FAILED',
  execution: { state: 'FAILED', reason, ...(status === undefined ? {} : { http_status: status }), expectation_failed: 'SIZE' },
  code: 'EXECUTION_FAILED',
});

/** A downstream that answered decided itself; one that fell silent after the request left may have acted all the same. */
const readOne = (result: HttpResult, expects: Expectations | null): Executed => {
  switch (result.kind) {
    case 'answered':
    case 'answered_large':
      return readAnswered(result, expects);
    case 'disabled':
      return { status: 'ALLOWED', execution: { state: 'NOT_EXECUTED', reason: result.reason }, code: null };
    case 'refused':
      return { status: 'FAILED', execution: { state: 'FAILED', reason: result.reason }, code: 'DESTINATION_BLOCKED', isBlocked: true };
    case 'no_credential':
      return unsent(result.reason, 'CREDENTIAL_SERVICE_UNAVAILABLE');
    case 'unreachable':
      return { ...unsent(UNREACHABLE), detail: result.detail, ...(result.forbidden ? { isBlocked: true } : {}) };
    case 'timeout':
      return {
        status: 'UNKNOWN',
        execution: { state: 'UNKNOWN', reason: 'No response in time.', duration_ms: result.duration_ms },
        code: 'EXECUTION_TIMEOUT',
      };
    case 'failed':
      // An earlier try that was sent makes this no request to retry later.
      if (!result.sent) return unsent(result.reason, result.isUnsent && result.busy ? BUSY_CODES[result.busy] : undefined);
      if (result.tooLarge && expects !== null && expects.bytes_max !== null) return tooLong(result);
      return { status: 'UNKNOWN', execution: { state: 'UNKNOWN', reason: result.reason }, code: 'EXECUTION_TIMEOUT' };
  }
};

/** What a call came to, by what its tool expects of answers. */
export const readResult = (result: HttpResult, expects: Expectations | null = null): Executed => {
  const executed = readOne(result, expects);
  const { tries, isUnsent } = result;
  return {
    ...executed,
    ...(tries === undefined ? {} : { execution: { ...executed.execution, tries } }),
    ...(isUnsent && executed.status === 'FAILED' ? { isUnsent } : {}),
  };
};
