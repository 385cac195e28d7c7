import type { CallOptions, FileContent } from './client-types.ts';
import { readFailure, ServiceError } from './errors.ts';
import { readStream } from './read-stream.ts';
import type { Transport, TransportRequest } from './transports/transport.ts';

export type ClientOptions = {
  readonly transport: Transport;
  /** Milliseconds until a call fails with `TIMED_OUT`, retries included. Default: 30,000. Streams and downloads are not timed. */
  readonly timeoutMs?: number;
  /** Retries of calls that the service was too busy for and that are safe to repeat. Default: 2. */
  readonly retries?: number;
};

export type Operation = {
  readonly plane: 'control' | 'gateway';
  readonly method: string;
  readonly path: string;
  readonly wire?: 'stream' | 'download' | 'bytes' | 'file' | 'scim' | 'authzen' | 'ext-authz' | 'mcp' | 'a2a' | 'a2a-push' | 'form';
  readonly idempotent?: true;
};

export type Input = CallOptions & {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

/** Returns an operation by its name; undefined for a name that the service does not have. */
type FindOperation = (name: string) => Operation | undefined | Promise<Operation | undefined>;

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const RETRY_AFTER_SECONDS_MAX = 10;
const RETRY_DELAY_SECONDS = 0.25;

const getPath = ({ path }: Operation, { params = {}, query = {} }: Input): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`params.${name} is required for ${path}.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) search.append(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
};

const MEDIA_TYPES = {
  json: 'application/json',
  scim: 'application/scim+json',
  file: 'application/octet-stream',
  form: 'application/x-www-form-urlencoded',
};

const getContent = ({ wire }: Operation, body: unknown): Pick<TransportRequest, 'body'> & { readonly type?: string } => {
  if (body === undefined) return {};
  if (wire === 'file') return { body: body as FileContent, type: MEDIA_TYPES.file };
  if (wire === 'form') return { body: new URLSearchParams(body as Record<string, string>).toString(), type: MEDIA_TYPES.form };
  return { body: JSON.stringify(body), type: wire === 'scim' ? MEDIA_TYPES.scim : MEDIA_TYPES.json };
};

const getRequest = (operation: Operation, input: Input, signal: AbortSignal): TransportRequest => {
  const { type, ...content } = getContent(operation, input.body);
  const headers: Record<string, string> = {};
  if (type !== undefined) headers['content-type'] = type;
  if (input.workspaceId !== undefined) headers['x-svc-workspace'] = input.workspaceId;
  if (input.environmentId !== undefined) headers['x-svc-environment'] = input.environmentId;
  if (operation.idempotent) headers['idempotency-key'] = input.idempotencyKey ?? crypto.randomUUID();
  for (const [name, value] of Object.entries(input.headers ?? {})) headers[name.toLowerCase()] = value;
  return { method: operation.method, path: getPath(operation, input), headers, signal, ...content };
};

/** Only the service's own message of a thrown error is kept: the error itself may hold the request with its credential. */
const unreachable = (error: unknown): ServiceError => {
  const { cause } = (error ?? {}) as { readonly cause?: { readonly code?: unknown } };
  const reason = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return new ServiceError({
    code: 'SERVICE_UNREACHABLE',
    message: `The service did not respond${reason}. Check that it is running and that the address is correct.`,
  });
};

const readResult = async (response: Response): Promise<unknown> => {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch {
    throw new ServiceError({
      code: 'RESPONSE_UNREADABLE',
      message: 'The response is not JSON. Check the address of the service.',
      status: response.status,
    });
  }
};

/** Aborts after `timeoutMs` or with the caller's signal. */
const newDeadline = (timeoutMs: number, signal: AbortSignal | undefined) => {
  const timer = AbortSignal.timeout(timeoutMs);
  return { timer, signal: signal === undefined ? timer : AbortSignal.any([timer, signal]) };
};

const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });

/** Sends an operation's request and reads its response, within the time and the retries of the options. */
export const newCaller = (find: FindOperation, { transport, timeoutMs = TIMEOUT_MS, retries = RETRIES }: ClientOptions) => {
  const attempt = async (request: TransportRequest): Promise<Response> => {
    request.signal.throwIfAborted();
    try {
      return await transport.send(request);
    } catch (error) {
      request.signal.throwIfAborted();
      throw error instanceof ServiceError ? error : unreachable(error);
    }
  };

  const send = async (operation: Operation, request: TransportRequest): Promise<Response> => {
    const isRepeatable = operation.method === 'GET' || operation.idempotent === true;
    for (let attempted = 0; ; attempted += 1) {
      const response = await attempt(request);
      if (response.ok) return response;
      const error = await readFailure(response);
      const seconds = error.retryAfterSeconds ?? RETRY_DELAY_SECONDS * 2 ** attempted;
      const isBusy = error.status === 429 || error.status === 503;
      if (!isBusy || !isRepeatable || attempted >= retries || seconds > RETRY_AFTER_SECONDS_MAX) throw error;
      await wait(seconds, request.signal);
    }
  };

  const read = async (operation: Operation, response: Response): Promise<unknown> => {
    if (operation.wire === 'stream') return readStream(response);
    if (operation.wire === 'download' || operation.wire === 'bytes') return response;
    const result = await readResult(response);
    transport.observe?.(result);
    return result;
  };

  return async (name: string, input: Input = {}): Promise<{ readonly response: Response; readonly body: unknown }> => {
    const operation = await find(name);
    if (operation === undefined) throw new TypeError(`Unknown operation: ${name}.`);
    const isTimed = operation.wire !== 'stream' && operation.wire !== 'download';
    const { timer, signal } = newDeadline(isTimed ? (input.timeoutMs ?? timeoutMs) : 2 ** 31 - 1, input.signal);
    try {
      const response = await send(operation, getRequest(operation, input, signal));
      return { response, body: await read(operation, response) };
    } catch (error) {
      if (!timer.aborted || input.signal?.aborted) throw error;
      throw new ServiceError({ code: 'TIMED_OUT', message: `${name} did not complete within ${input.timeoutMs ?? timeoutMs} ms.` });
    }
  };
};
