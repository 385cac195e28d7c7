import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { CONNECTION_HEADERS } from '@svc/domain/tools/request/connection-headers.ts';
import type { EgressRequest } from './egress-request.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type Refused = { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): Refused => ({ kind: 'refused', reason });

/** Returns the URL to call in its normal form, or why it may not be called. */
export const checkUrl = (text: string): URL | Refused => {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return refused('Only http and https URLs can be called.');
  if (url.username !== '' || url.password !== '') return refused('The URL must not contain a user name or password.');
  // A trailing dot is a variant of the name that certificates and virtual hosts do not know.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
};

/** Returns the headers to send, those of the connection included; or why the request may not be sent. */
export const checkHeaders = (request: EgressRequest, url: URL): { readonly headers: Readonly<Record<string, string>> } | Refused => {
  if (!methods.has(request.method)) return refused('The method of the request is not supported.');
  const headers: Record<string, string> = Object.assign(Object.create(null), { 'user-agent': `${WIRE_NAME}-gateway`, accept: '*/*' });
  for (const [written, value] of Object.entries(request.headers)) {
    const name = written.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !/^[\t -~\u0080-\u00ff]*$/.test(value))
      return refused('A header of the request is malformed.');
    if (CONNECTION_HEADERS.has(name)) return refused('A header of the request is reserved for the connection.');
    headers[name] = value;
  }
  const bodyless = request.body === undefined && ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(request.method);
  return {
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      host: url.host,
      connection: request.keepFor === undefined ? 'close' : 'keep-alive',
      ...(bodyless ? {} : { 'content-length': String(Buffer.byteLength(request.body ?? '')) }),
    },
  };
};
