import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { type RequestTarget, readTarget } from '@svc/domain/tools/routes/request-target.ts';
import type { Call } from '@svc/http/calls/call.ts';

type ProxyCall = Pick<Call<Endpoints['authorizeProxiedRequest']>, 'params' | 'body' | 'header' | 'requestLine'>;

export type ProxiedRequest = RequestTarget & { readonly method: string; readonly body: unknown };

const BASE = '/gateway/v1/ext-authz';
const METHOD = /^[A-Z]{1,20}$/;
const PARTIAL_BODY = 'x-envoy-auth-partial-body';
/** Methods whose bodies are not read here. A server behind the proxy could read them. */
const WITHOUT_BODY = ['GET', 'HEAD', 'OPTIONS'];

const invalid = (message: string): Refusal<'VALIDATION_FAILED'> => buildRefusal('VALIDATION_FAILED', message);

/** Reads method and target of the request at the proxy from the request itself if a path follows the mapping, otherwise from headers. */
const readRequestLine = ({ params, header, requestLine }: ProxyCall): { method: string; target: string } | Refusal<'VALIDATION_FAILED'> => {
  const { method, target, isSubPath } = requestLine;
  if (isSubPath) {
    const base = `${BASE}/${params.mapping}`;
    return target.startsWith(`${base}/`) ? { method, target: target.slice(base.length) } : invalid('The path of the mapping is encoded.');
  }
  const original = { method: header('x-original-method'), target: header('x-original-uri') };
  if (original.method === undefined || original.target === undefined)
    return invalid('Send the request in the headers X-Original-Method and X-Original-URI, or append its path to the path of the mapping.');
  return { method: original.method, target: original.target };
};

const isEmpty = (body: unknown): boolean => typeof body === 'object' && body !== null && Object.keys(body).length === 0;

/** Reads the request at the proxy. One that the server behind the proxy could read differently is refused. */
export const readProxiedRequest = (call: ProxyCall): ProxiedRequest | Refusal<'VALIDATION_FAILED'> => {
  const { header, body, requestLine } = call;
  const line = readRequestLine(call);
  if ('refused' in line) return line;
  if (!METHOD.test(line.method)) return invalid('The method of the request is not valid.');
  if (header(PARTIAL_BODY) === 'true') return invalid('The proxy sent a part of the body only.');
  const hasBody = header('transfer-encoding') !== undefined || Number(header('content-length') ?? 0) > 0;
  if (hasBody && WITHOUT_BODY.includes(requestLine.method)) return invalid(`A ${requestLine.method} request must not have a body.`);
  const target = readTarget(line.target);
  if ('fault' in target) return invalid(target.fault);
  return { method: line.method, ...target, body: isEmpty(body) ? undefined : body };
};
