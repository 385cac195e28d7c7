import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import type { Executed, ExecutionCode } from '../ports/executed.ts';
import type { HttpResult } from '../ports/execution-results.ts';
import { readAnswered } from './read-answered.ts';

/** Message for an unknown, closed or forbidden destination: a difference would let callers map a network. */
const UNREACHABLE = 'The destination could not be reached.';

const unsent = (reason: string, code: ExecutionCode = 'EXECUTION_FAILED'): Executed => ({
  status: 'FAILED',
  execution: { state: 'FAILED', reason },
  code,
});

const BUSY_CODES = { tenant: 'RATE_LIMITED', service: 'DEPENDENCY_UNAVAILABLE' } as const;

type Broken = Extract<HttpResult, { kind: 'failed' }>;

/** A response that is longer than the tool permits was given all the same. */
const tooLong = ({ reason, status }: Broken): Executed => ({
  status: 'FAILED',
  execution: { state: 'FAILED', reason, ...(status === undefined ? {} : { http_status: status }), expectation_failed: 'SIZE' },
  code: 'EXECUTION_FAILED',
});

/** A destination that responded has decided itself; one that fell silent after the request was sent may have acted. */
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
      // If an earlier attempt was sent, the response must not invite a retry.
      if (!result.sent) return unsent(result.reason, result.isUnsent && result.busy ? BUSY_CODES[result.busy] : undefined);
      if (result.tooLarge && expects !== null && expects.bytes_max !== null) return tooLong(result);
      return { status: 'UNKNOWN', execution: { state: 'UNKNOWN', reason: result.reason }, code: 'EXECUTION_TIMEOUT' };
  }
};

/** Returns the outcome of a call by its tool's expectations. */
export const readResult = (result: HttpResult, expects: Expectations | null = null): Executed => {
  const executed = readOne(result, expects);
  const { tries, isUnsent } = result;
  return {
    ...executed,
    ...(tries === undefined ? {} : { execution: { ...executed.execution, tries } }),
    ...(isUnsent && executed.status === 'FAILED' ? { isUnsent } : {}),
  };
};
