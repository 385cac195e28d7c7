import type { HttpMethod } from '@svc/contract/tables/vocabulary.ts';
import type { ToolExecution } from '@svc/contract/tools/tools.ts';
import { type Faults, faultsAmong, isFaults } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';
import type { CallTerms } from '../terms/call-terms.ts';
import { parseTerms } from './parse-terms.ts';
import { BODY_FORMATS, type BodyTemplate, listBodyNames, parseBody, parseGraphql, type RequestBodyFormat } from './request-body.ts';
import { type HeaderTemplates, parseHeaders } from './request-headers.ts';
import { parseQuery, type QueryTemplates } from './request-query.ts';
import { listTemplateNames } from './text-template.ts';
import { parseUrlTemplate, type UrlTemplate } from './url-template.ts';

/** A tool's `execution`, read once and then used for every call. Without `body` in a method that has one, the parameters are the body. */
export type ParsedExecution = {
  readonly method: HttpMethod;
  readonly url: UrlTemplate;
  readonly headers: HeaderTemplates;
  readonly query: QueryTemplates;
  readonly format: RequestBodyFormat;
  readonly body?: BodyTemplate;
  /** Omitted if the tool declares no terms beyond the request. */
  readonly terms?: CallTerms;
};

const sendsParameters = new Set<HttpMethod>(['POST', 'PUT', 'PATCH']);

/** Returns true if a call without a declared body sends the whole parameters instead. */
export const defaultsToParameters = (method: HttpMethod): boolean => sendsParameters.has(method);

const isFormat = (text: string): text is RequestBodyFormat => BODY_FORMATS.some((format) => format === text);

/** Only formats whose encoding contains a parameter; in XML, say, a value could begin an element of its own. */
const readFormat = (headers: Readonly<Record<string, string>>): RequestBodyFormat | Faults => {
  const written = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  if (written === undefined) return 'application/json';
  const format = (written[1].split(';', 1)[0] ?? '').trim().toLowerCase();
  if (isFormat(format)) return format;
  if (/^application\/[a-z0-9.+-]+\+json$/.test(format)) return 'application/json';
  const message = 'must be JSON, application/x-www-form-urlencoded or text/plain';
  return { faults: [{ pointer: formatPointer(['execution', 'headers', written[0]]), message }] };
};

const bodyFault = (message: string): Faults => ({ faults: [{ pointer: '/execution/body', message }] });

const readGraphql = ({ graphql, body, method }: ToolExecution, format: RequestBodyFormat): BodyTemplate | Faults | undefined => {
  if (graphql === undefined) return undefined;
  if (body !== undefined) return bodyFault('must be omitted, because graphql defines the body');
  if (method !== 'POST') return { faults: [{ pointer: '/execution/method', message: 'must be POST to call a GraphQL service' }] };
  return format === 'application/json'
    ? parseGraphql(graphql)
    : { faults: [{ pointer: '/execution/headers', message: 'must be JSON or omitted for a GraphQL call' }] };
};

const readBody = (execution: ToolExecution, format: RequestBodyFormat): BodyTemplate | Faults | undefined => {
  const { body, method, graphql } = execution;
  if (graphql !== undefined) return readGraphql(execution, format);
  if (body !== undefined) return method === 'GET' ? bodyFault('must be omitted, because GET sends no body') : parseBody(body, format);
  return format === 'text/plain' && defaultsToParameters(method) ? bodyFault('is required to send plain text') : undefined;
};

const readUrl = (text: string): UrlTemplate | Faults => {
  const url = parseUrlTemplate(text);
  return 'fault' in url ? { faults: [{ pointer: '/execution/url', message: url.fault }] } : url;
};

/** Reads a declared execution; its faults point below `/execution`. */
export const parseExecution = (execution: ToolExecution): ParsedExecution | Faults => {
  const url = readUrl(execution.url);
  const query = parseQuery(execution.query ?? {});
  const headers = parseHeaders(execution.headers ?? {});
  const format = readFormat(execution.headers ?? {});
  const body = isFaults(format) ? undefined : readBody(execution, format);
  const terms = parseTerms(execution);
  if (isFaults(url) || isFaults(query) || isFaults(headers) || isFaults(format) || isFaults(body) || isFaults(terms)) {
    return faultsAmong([url, query, headers, format, body, terms]);
  }
  return {
    method: execution.method,
    url,
    headers,
    query,
    format,
    ...(body === undefined ? {} : { body }),
    ...(terms === null ? {} : { terms }),
  };
};

/** Returns every parameter that the execution names, with its position. */
export const listExecutionNames = (execution: ParsedExecution): readonly { readonly name: string; readonly pointer: string }[] => [
  ...execution.url.expressions.flatMap(({ variables }) => variables.map(({ name }) => ({ name, pointer: '/execution/url' }))),
  ...execution.headers.flatMap(([header, text]) =>
    listTemplateNames(text).map((name) => ({ name, pointer: formatPointer(['execution', 'headers', header]) })),
  ),
  ...execution.query.flatMap(([member, text]) =>
    listTemplateNames(text).map((name) => ({ name, pointer: formatPointer(['execution', 'query', member]) })),
  ),
  ...(execution.body === undefined ? [] : listBodyNames(execution.body).map((name) => ({ name, pointer: '/execution/body' }))),
];
