import { failureOf, ServiceError } from '@svc/client/errors.ts';
import { bearerTransport } from '@svc/client/transports/bearer.ts';
import type { Transport } from '@svc/client/transports/transport.ts';
import { transport } from './client.ts';

export type ApiError = ServiceError;
/** The result of a request, or why there is none. */
export type Answer<Body> = { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly error: ServiceError };

const unreachable = (): ServiceError =>
  new ServiceError({ code: 'SERVICE_UNREACHABLE', message: 'The service did not respond. Check your connection and try again.' });

const readJson = async (response: Response): Promise<unknown> => (response.status === 204 ? undefined : response.json());

const ask = async <Body>(by: Transport, method: string, path: string, body: unknown, read = readJson): Promise<Answer<Body>> => {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const response = await by.send({ method, path, headers, ...content, signal: new AbortController().signal });
    if (!response.ok) return { ok: false, error: await failureOf(response) };
    const result = await read(response);
    by.observe?.(result);
    return { ok: true, body: result as Body };
  } catch {
    return { ok: false, error: unreachable() };
  }
};

/** Sends a request that has no typed method yet; the session is in a cookie. */
export const call = <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> => ask(transport, method, path, body);

/** Downloads a file without reading it into the page's scripts. */
export const callForFile = (method: string, path: string, body?: unknown): Promise<Answer<Blob>> =>
  ask(transport, method, path, body, (response) => response.blob());

type AsProgram = { readonly token?: string; readonly body?: unknown };

/** Sends a request without cookies, as a program would: a session that it opens is returned and not kept by the browser. */
export const callAsProgram = <Body>(method: string, path: string, { token, body }: AsProgram): Promise<Answer<Body>> =>
  ask(bearerTransport({ url: location.origin, ...(token === undefined ? {} : { token }) }), method, path, body);
