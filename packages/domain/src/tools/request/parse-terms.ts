import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { HttpMethod } from '@svc/contract/tables/vocabulary.ts';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import type { Fault, Faults } from '../fault.ts';
import { parsePointer } from '../json-pointer.ts';
import type { CallTerms, Expectations, RetryPlan } from '../terms/call-terms.ts';
import { matchesStatus } from '../terms/statuses.ts';
import { findHeaderNameFault } from './request-headers.ts';

const { backoffMs } = LIMITS.execution;
const DEFAULT_KEY_HEADER = 'idempotency-key';
const RETRIED_STATUSES = ['429', '502', '503', '504'];
/** Methods that are not idempotent by definition, so that a destination needs a key to recognize a repetition. */
const NEEDS_KEY: ReadonlySet<HttpMethod> = new Set(['POST', 'PATCH']);

const at = (pointer: string, message: string): Fault => ({ pointer: `/execution/${pointer}`, message });

const listTokens = (pointer: string): readonly string[] => parsePointer(pointer) ?? [];

const getExpectations = ({ expects, graphql }: ToolExecution): Expectations | null => {
  if (expects === undefined && graphql === undefined) return null;
  const { success_statuses = ['2xx'], failure_statuses = [], content_types, response_bytes_max, fails_where = [], keep } = expects ?? {};
  const conditions = fails_where.map(({ pointer, equals }) => ({
    pointer,
    tokens: listTokens(pointer),
    ...(equals === undefined ? {} : { equals }),
  }));
  // A GraphQL failure is in the body, mostly with status 200.
  const errors = graphql === undefined ? [] : [{ pointer: '/errors', tokens: ['errors'] }];
  return {
    success: success_statuses,
    failure: failure_statuses,
    saysStatuses: expects?.success_statuses !== undefined || expects?.failure_statuses !== undefined,
    content_types: content_types ?? null,
    bytes_max: response_bytes_max ?? null,
    conditions: [...conditions, ...errors],
    keep: keep === undefined ? null : keep.map((pointer) => ({ pointer, tokens: listTokens(pointer) })),
  };
};

const getPlan = ({ retries }: ToolExecution): RetryPlan | null =>
  retries === undefined
    ? null
    : {
        tries_max: retries.tries_max,
        statuses: retries.statuses ?? RETRIED_STATUSES,
        network_errors: retries.network_errors ?? true,
        backoff_ms: retries.backoff_ms ?? backoffMs,
        try_timeout_ms: retries.try_timeout_ms ?? null,
      };

const getKeyHeader = ({ idempotency }: ToolExecution): string | null =>
  idempotency === undefined || idempotency.key_header === null ? null : (idempotency.key_header ?? DEFAULT_KEY_HEADER).toLowerCase();

const headerFaults = (execution: ToolExecution): Fault[] => {
  const faults: Fault[] = [];
  const taken = new Set(Object.keys(execution.headers ?? {}).map((name) => name.toLowerCase()));
  const places = [
    ['idempotency/key_header', getKeyHeader(execution)],
    ['decision_header', execution.decision_header?.toLowerCase() ?? null],
  ] as const;
  for (const [pointer, name] of places) {
    if (name === null) continue;
    const message =
      name === 'content-type'
        ? 'defines the content type of the body'
        : (findHeaderNameFault(name) ?? (taken.has(name) ? 'is a header that the call already sends' : undefined));
    if (message !== undefined) faults.push(at(pointer, message));
    taken.add(name);
  }
  return faults;
};

const idempotencyFaults = (execution: ToolExecution): Fault[] => {
  const { idempotency, retries, method } = execution;
  if (idempotency === undefined)
    return retries === undefined ? [] : [at('retries', 'require an execution with idempotency, so that the call may be repeated')];
  return getKeyHeader(execution) === null && NEEDS_KEY.has(method)
    ? [at('idempotency/key_header', `must set a header, because ${method} without an idempotency key is executed each time it is sent`)]
    : [];
};

const expectationFaults = ({ expects, retries }: ToolExecution): Fault[] => {
  const success = expects?.success_statuses ?? ['2xx'];
  const failure = expects?.failure_statuses ?? [];
  const repeated = (retries?.statuses ?? []).flatMap((status, index) =>
    success.some((each) => matchesStatus(each, status)) && !failure.some((each) => matchesStatus(each, status))
      ? [at(`retries/statuses/${index}`, 'is a success status')]
      : [],
  );
  const unreachable = failure.flatMap((status, index) =>
    success.includes(status) ? [at(`expects/failure_statuses/${index}`, 'is also in success_statuses')] : [],
  );
  return [...unreachable, ...repeated];
};

/** Parses a tool's terms of execution beyond the request; null if there are none. Faults point below `/execution`. */
export const parseTerms = (execution: ToolExecution): CallTerms | null | Faults => {
  const faults = [...idempotencyFaults(execution), ...headerFaults(execution), ...expectationFaults(execution)];
  if (faults.length > 0) return { faults };
  const terms: CallTerms = {
    expects: getExpectations(execution),
    retries: getPlan(execution),
    key_header: getKeyHeader(execution),
    decision_header: execution.decision_header?.toLowerCase() ?? null,
    timeout_ms: execution.timeout_ms ?? null,
  };
  return Object.values(terms).every((term) => term === null) ? null : terms;
};
