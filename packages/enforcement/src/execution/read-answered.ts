import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import { judgeBody, judgeHead, type KeptBody, readsBody, UNREADABLE, type Unexpected } from '@svc/domain/tools/terms/judge-answer.ts';
import { isSuccess } from '@svc/domain/tools/terms/statuses.ts';
import type { Executed } from '../ports/executed.ts';
import type { HttpResult } from '../ports/execution-results.ts';

export type Answered = Extract<HttpResult, { kind: `answered${string}` }>;

const UNTOLD: Readonly<Record<string, string>> = {
  TOO_LARGE: 'is not shown, because it is too large.',
  UNREADABLE: 'is not shown, because it could not be read within its limits.',
};

const untoldOf = (result: Answered): string | undefined =>
  result.kind === 'answered' || result.untold === undefined || result.untold === 'MASKED'
    ? undefined
    : `The result of ${result.bytes} bytes ${UNTOLD[result.untold]}`;

/** Returns the result as far as it is known here. Empty text stands for one that cannot be masked by path. */
const plainResult = (result: Answered): Partial<KeptBody> => {
  if (result.kind === 'answered') return { value: result.bodyJson ?? result.body };
  if (result.large !== undefined) return {};
  return { value: result.untold === 'MASKED' ? '' : null };
};

const nothingOf = ({ keep }: Expectations): Partial<KeptBody> => ({ value: null, ...(keep === null ? {} : { kept: [] }) });

/** Returns the stored part of an examined response, and what differs from the expectation. A large one was examined before. */
const lookedAt = (expects: Expectations, result: Answered): Partial<KeptBody> => {
  if (result.kind === 'answered_large') return result.read === undefined ? { ...plainResult(result), ...UNREADABLE } : result.read;
  if (result.read !== undefined) return { value: result.bodyJson, ...result.read };
  if (result.bytes === 0) return nothingOf(expects);
  if (result.bodyJson !== undefined) return judgeBody(expects, result.bodyJson);
  return expects.keep === null ? { value: result.body, unexpected: UNREADABLE.unexpected as Unexpected } : UNREADABLE;
};

const getBody = (expects: Expectations | null, result: Answered, head: Unexpected | undefined): Partial<KeptBody> => {
  if (expects !== null && head?.expectation === 'CONTENT_TYPE') return nothingOf(expects);
  return readsBody(expects) ? lookedAt(expects, result) : plainResult(result);
};

/** True if the deviation is a stated expectation: a failure status without one is not. */
const isTold = (expects: Expectations | null, unexpected: Unexpected | undefined): unexpected is Unexpected =>
  unexpected !== undefined && (unexpected.expectation !== 'STATUS' || expects?.saysStatuses === true);

/**
 * Returns the outcome of an action from the destination's response: by the tool's expectations, or by status alone. Contains only what is
 * stored.
 */
export const readAnswered = (result: Answered, expects: Expectations | null): Executed => {
  const head = expects === null ? undefined : judgeHead(expects, result);
  const { value, kept, unexpected: inBody } = getBody(expects, result, head);
  const unexpected = head ?? inBody;
  const ok = unexpected === undefined && isSuccess(expects, result.status);
  const isDropped = unexpected?.expectation === 'CONTENT_TYPE';
  const held = result.kind === 'answered_large' ? result.large : undefined;
  if (isDropped) held?.release();
  const rejected = ok ? undefined : (unexpected?.reason ?? `The destination returned ${result.status}.`);
  const reason = [rejected, isDropped ? undefined : untoldOf(result)].filter(Boolean).join(' ');
  const execution: Execution = {
    state: ok ? 'EXECUTED' : 'FAILED',
    http_status: result.status,
    duration_ms: result.duration_ms,
    ...(value === undefined ? {} : { result: value }),
    ...(reason === '' ? {} : { reason }),
    response_bytes: result.bytes,
    ...(isTold(expects, unexpected) ? { expectation_failed: unexpected.expectation } : {}),
    ...(kept === undefined ? {} : { kept: [...kept] }),
  };
  const large = held === undefined || isDropped ? {} : { large: held };
  return { status: ok ? 'COMPLETED' : 'FAILED', execution, code: ok ? null : 'EXECUTION_FAILED', ...large };
};
