import type { Fault } from '@svc/contract/rows/fault.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { completeFault } from '@svc/contract/rows/whole-fault.ts';
import { ERROR_CODES, ERRORS, type ErrorCode, getDocsUrl } from '@svc/contract/tables/errors.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { NoShareError } from '@svc/fairness/semaphore/fair-shares.ts';
import { findBrokenPart, isLockWait } from '@svc/operations/service/health/broken-part.ts';

export type WireError = {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly body: {
    readonly error: {
      code: ErrorCode;
      message: string;
      remedy: string;
      docs_url: string;
      request_id: string;
      details?: Readonly<Record<string, unknown>>;
    };
  };
};

const DOCS_URLS = Object.fromEntries(ERROR_CODES.map((code) => [code, getDocsUrl(code)])) as Readonly<Record<ErrorCode, string>>;

/** Carries a refusal out of code that cannot return one. */
export class RefusalError extends Error {
  readonly refused: Refusal;
  constructor(refused: Refusal) {
    super(refused.refused);
    this.refused = refused;
  }
}

/** Errors of requests that the HTTP layer finds before any row is reached. */
const REQUEST_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty. Send a JSON object.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body does not match its Content-Length header.',
  FST_ERR_BAD_URL: 'The path is not a valid URL.',
  BODY_IN_CRUMBS: 'The body arrived in too many small chunks. Send it in fewer.',
};

const OWN_SHARE = 'This organization has too much work in progress. Wait for some of it to finish, or search for less.';
const NOT_COUNTED = 'Redis, which counts requests for all processes, does not respond, so the request was refused.';
const DISK_FULL = 'The disk of the database is full, so nothing can be recorded and the request was refused. The operator must free space.';
const LOCKED =
  'Another transaction holds records that this request needs, so it was refused and nothing was changed. Retry; if it persists, the operator must end that transaction.';
const WRONG_TYPE = 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
const TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE';

/** Converts any exception to a code of the table; an unknown one discloses nothing. */
export const toRefusal = (error: unknown, bodyBytesMax: number = LIMITS.bodies.requestBytesMax, bodyType = 'application/json'): Refusal => {
  if (error instanceof RefusalError) return error.refused;
  if (error instanceof NoShareError && error.own) return buildRefusal('RATE_LIMITED', OWN_SHARE, { retry_after_seconds: 1 });
  if (isLockWait(error)) return buildRefusal('DEPENDENCY_UNAVAILABLE', LOCKED, { retry_after_seconds: 1 });
  const part = findBrokenPart(error);
  if (part === 'disk') return buildRefusal('DEPENDENCY_UNAVAILABLE', DISK_FULL, { part });
  if (part === 'redis') return buildRefusal('DEPENDENCY_UNAVAILABLE', NOT_COUNTED, { part });
  if (part !== undefined) return buildRefusal('DEPENDENCY_UNAVAILABLE');
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  if (code === TOO_LARGE) return buildRefusal('INVALID_REQUEST', `The body is larger than ${bodyBytesMax / 1024} KiB.`);
  if (code === WRONG_TYPE) return buildRefusal('INVALID_REQUEST', `Send the body as ${bodyType}.`);
  const fault = typeof code === 'string' ? REQUEST_FAULTS[code] : undefined;
  if (fault) return buildRefusal('INVALID_REQUEST', fault);
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return buildRefusal('INVALID_REQUEST', 'The request is malformed.');
  }
  return buildRefusal('INTERNAL_ERROR');
};

/** Runs a handler; converts exceptions to refusals and reports them to `onBreakage`. */
export const runOrRefuse = async <Result>(
  work: () => Promise<Result> | Result,
  onBreakage: (error: unknown, refused: Refusal) => void,
): Promise<Result | Refusal> => {
  try {
    return await work();
  } catch (error) {
    const refused = toRefusal(error);
    onBreakage(error, refused);
    return refused;
  }
};

const RETRY_AFTER: Partial<Record<number, number>> = { 429: 1, 503: 1 };

const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'pointer' in value && 'message' in value && typeof value.message === 'string';

/** Maximum characters of a fault in a message, and of its pointer. */
const FAULT_SHOWN_MAX = 300;
const shortened = (text: string): string =>
  text.length <= FAULT_SHOWN_MAX ? text : `${text.slice(0, FAULT_SHOWN_MAX - 1).toWellFormed()}…`;

/**
 * Adds the first fault and its pointer to the message: programs that pass on only the message, as agent frameworks do to a model, then pass
 * these on too.
 */
const withFirstFault = (message: string | undefined, faults: readonly Fault[], [whole]: readonly Fault[]): string | undefined => {
  const [first] = faults;
  if (first === undefined || whole === undefined) return message;
  if (message === undefined || message === first.message) return whole.message;
  const at = first.pointer === '' ? '' : `${shortened(first.pointer)}: `;
  const others = faults.length > 1 ? ` And ${faults.length - 1} more.` : '';
  return message.includes(first.message) ? message : `${message} ${at}${shortened(whole.message)}${others}`;
};

/** Completes each fault to a sentence, and the message that contains one: either may be shown alone. */
const inWholeSentences = ({ message, details }: Refusal): Pick<Refusal, 'message' | 'details'> => {
  const faults = details?.faults;
  if (!Array.isArray(faults) || !faults.every(isFault))
    return { ...(message === undefined ? {} : { message }), ...(details ? { details } : {}) };
  const whole = faults.map((fault) => ({ ...fault, ...completeFault(fault) }));
  const named = withFirstFault(message, faults, whole);
  return { ...(named === undefined ? {} : { message: named }), details: { ...details, faults: whole } };
};

export const toWire = (refused: Refusal, requestId: string): WireError => {
  const row = ERRORS[refused.refused];
  const { message, details } = inWholeSentences(refused);
  const asked = details?.retry_after_seconds;
  return {
    status: row.status,
    retryAfterSeconds: typeof asked === 'number' ? asked : RETRY_AFTER[row.status],
    body: {
      error: {
        code: refused.refused,
        message: message ?? row.message,
        remedy: row.remedy,
        docs_url: DOCS_URLS[refused.refused],
        request_id: requestId,
        ...(details ? { details } : {}),
      },
    },
  };
};
