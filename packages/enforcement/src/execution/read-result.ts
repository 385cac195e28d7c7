import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import type { Executed, ExecutionCode } from '../ports/executed.ts';
import type { HttpResult } from '../ports/execution-results.ts';
import { readAnswered } from './read-answered.ts';

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
