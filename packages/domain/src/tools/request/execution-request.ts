import type { HttpMethod } from '@svc/contract/tables/vocabulary.ts';
import { type Faults, faultsAmong, isFaults } from '../fault.ts';
import type { CallTerms } from '../terms/call-terms.ts';
import { encodeBody } from './encode-body.ts';
import { expandUrl } from './expand-url.ts';
import { defaultsToParameters, type ParsedExecution } from './parse-execution.ts';
import { fillBody } from './request-body.ts';
import { expandHeaders } from './request-headers.ts';
import { expandQuery } from './request-query.ts';

/** The HTTP request that executes one action. Header names are lower case; no credential is on it yet. */
export type ExecutionRequest = {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The terms of the call and its response; omitted if there are none. */
  readonly terms?: CallTerms;
};

const buildBody = ({ body, format, method }: ParsedExecution, parameters: unknown): string | Faults | undefined => {
  if (body === undefined) return defaultsToParameters(method) ? encodeBody(parameters, format, false) : undefined;
  const filled = fillBody(body, parameters);
  if (filled === undefined) return undefined;
  return isFaults(filled) ? filled : encodeBody(filled.value, format, true);
};

const withQuery = (url: URL, query: string): string => {
  if (query !== '') url.search = url.search === '' ? query : `${url.search}&${query}`;
  return url.href;
};

/** Puts an action's parameters into its tool's execution. Faults point at or below `/parameters`, at what to correct. */
export const buildExecutionRequest = (
  execution: ParsedExecution,
  parameters: Readonly<Record<string, unknown>>,
): ExecutionRequest | Faults => {
  const url = expandUrl(execution.url, parameters);
  const query = expandQuery(execution.query, parameters);
  const headers = expandHeaders(execution.headers, parameters);
  const body = buildBody(execution, parameters);
  if (isFaults(url) || isFaults(query) || isFaults(headers) || isFaults(body)) return faultsAmong([url, query, headers, body]);
  const { method, terms } = execution;
  const request = { method, url: withQuery(url, query), headers, ...(terms === undefined ? {} : { terms }) };
  return body === undefined ? request : { ...request, headers: { 'content-type': execution.format, ...headers }, body };
};
