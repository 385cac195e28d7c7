import type { CredentialTest, TestFailure } from '@svc/contract/credentials/test-calls.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { HIDDEN_SECRET } from '@svc/domain/credentials/hide-secret.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { isTlsReason } from '@svc/egress/requests/failure-reason.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';

/** Result of a test call, without what is known in advance. */
export type CredentialTestResult = Pick<CredentialTest, 'status' | 'headers' | 'body' | 'body_bytes' | 'failure'>;

const { testExcerptCharsMax } = LIMITS.credentials;

/** Response headers that are shown: type, destination and reason of a refusal. None can take over a session. */
const TOLD_HEADERS = ['content-type', 'content-length', 'date', 'location', 'retry-after', 'server', 'www-authenticate'] as const;

/**
 * Matches escapes. An address is escaped again in each address it becomes part of, and is scanned decoded twice; a value with more levels
 * is not shown.
 */
const ESCAPED = /[%\\]/;
const toldHeader = (value: string): string => {
  const [place = ''] = value.split('?', 1);
  return ESCAPED.test(place) ? HIDDEN_SECRET : place;
};

/** Serializes JSON again from its parsed values, so that no escape hides the secret from the scan. */
const toldBody = ({ body, bodyJson }: Extract<EgressResult, { kind: 'answered' }>): string =>
  bodyJson === undefined ? body : JSON.stringify(bodyJson);

const IN_TIME = 'There was no answer in time.';
const TOO_LARGE = 'The answer is larger than one that is read for a test: name an address that answers less.';

export const formatFailedTest = (reason: TestFailure, message: string, status: number | null = null): CredentialTestResult => ({
  ...{ status, headers: {}, body: null, body_bytes: null },
  failure: { reason, message },
});

const getFailure = ({ tooLarge, sent, reason, status }: Extract<EgressResult, { kind: 'failed' }>): CredentialTestResult => {
  if (tooLarge) return formatFailedTest('TOO_LARGE', TOO_LARGE, status);
  if (isTlsReason(reason)) return formatFailedTest('TLS_FAILED', reason);
  return formatFailedTest(sent ? 'BROKEN_OFF' : 'UNREACHABLE', reason, status);
};

/** Formats the result of the egress client. */
export const formatTestResult = (result: EgressResult, method: CredentialTest['method']): CredentialTestResult => {
  switch (result.kind) {
    case 'answered': {
      const headers = TOLD_HEADERS.flatMap((name) => {
        const value = result.headers[name];
        return value === undefined ? [] : [[name, toldHeader(value)] as const];
      });
      const body = method === 'HEAD' ? null : truncateText(toldBody(result), testExcerptCharsMax);
      return { status: result.status, headers: Object.fromEntries(headers), body, body_bytes: result.bytes, failure: null };
    }
    case 'answered_large':
      return formatFailedTest('TOO_LARGE', TOO_LARGE, result.status);
    case 'unreachable':
      return formatFailedTest(result.forbidden ? 'ADDRESS_REFUSED' : 'UNREACHABLE', result.detail);
    case 'timeout':
      return formatFailedTest('TIMEOUT', IN_TIME);
    case 'disabled':
      return formatFailedTest('EGRESS_OFF', result.reason);
    case 'failed':
      return getFailure(result);
    default:
      return formatFailedTest('NOT_SENDABLE', result.reason);
  }
};
