import type { ErrorCode } from './operations.ts';

/** Codes of failures that no plane answered. */
export type ClientErrorCode = 'SERVICE_UNREACHABLE' | 'TIMED_OUT' | 'RESPONSE_UNREADABLE';

/** One fault of a request. `pointer` is a JSON Pointer into the request's body or query. */
export type Fault = { readonly pointer: string; readonly message: string };

/** The known facts of a failed call. */
export type ServiceFailure = {
  /** Stable. New codes may be added to the service within a version. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  readonly message: string;
  /** HTTP status; absent where no response came back. */
  readonly status?: number;
  readonly remedy?: string;
  /** Page that explains the code. */
  readonly docsUrl?: string;
  /** Id of the request in the service's logs. */
  readonly requestId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
};

const isFault = (value: unknown): value is Fault => {
  const { pointer, message } = (value ?? {}) as Partial<Record<keyof Fault, unknown>>;
  return typeof pointer === 'string' && typeof message === 'string';
};

/** The failure of a call: an error response, or no usable response at all. Branch on `code`; `message` is for people and may change. */
export class ServiceError extends Error {
  readonly code: ServiceFailure['code'];
  readonly status: number | undefined;
  readonly remedy: string | undefined;
  readonly docsUrl: string | undefined;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: ServiceFailure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.code = failure.code;
    this.status = failure.status;
    this.remedy = failure.remedy;
    this.docsUrl = failure.docsUrl;
    this.requestId = failure.requestId;
    this.details = failure.details ?? {};
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }

  /** The faults of a request that was refused as invalid; empty otherwise. */
  get faults(): readonly Fault[] {
    const { faults } = this.details;
    return Array.isArray(faults) ? faults.filter(isFault) : [];
  }
}

/** True if a value is a {@link ServiceError} and, where codes are given, has one of them. */
export const isServiceError = (value: unknown, ...codes: readonly string[]): value is ServiceError =>
  value instanceof ServiceError && (codes.length === 0 || codes.includes(value.code));

const textMember = (members: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = members[name];
  return typeof value === 'string' ? value : undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Seconds of a `Retry-After` header: a number or an HTTP date; undefined when it is neither. */
const readRetryAfter = (header: string | null): number | undefined => {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, (time - Date.now()) / 1000);
};

/** SCIM answers errors in the form of RFC 7644, section 3.12; everything else in the service's own. */
const errorMembers = (body: unknown): Readonly<Record<string, unknown>> => {
  if (!isObject(body)) return {};
  if (isObject(body.error)) return body.error;
  // OAuth: RFC 6749, section 5.2.
  if (typeof body.error === 'string') return { message: body.error_description ?? body.error, code: body.error };
  return 'detail' in body ? { message: body.detail, code: body.scimType } : {};
};

/** Reads the failure of an error response. A body that is not of the service's form gives `RESPONSE_UNREADABLE`. */
export const readFailure = async (response: Response): Promise<ServiceError> => {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const members = errorMembers(body);
  const message = textMember(members, 'message');
  const optional = {
    remedy: textMember(members, 'remedy'),
    docsUrl: textMember(members, 'docs_url'),
    requestId: textMember(members, 'request_id') ?? response.headers.get('x-request-id') ?? undefined,
    details: isObject(members.details) ? members.details : undefined,
    retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')),
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return new ServiceError({
    code: textMember(members, 'code') ?? (message === undefined ? 'RESPONSE_UNREADABLE' : `HTTP_${response.status}`),
    message: message ?? `The response with status ${response.status} is not an error of this service. Check the address of the service.`,
    status: response.status,
    ...known,
  });
};
