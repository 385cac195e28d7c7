import { createError, type GovernanceError } from '../wire/errors.ts';
import { isObject, isText } from '../wire/read-members.ts';
import { HEADER_NAMES } from '../wire/wire-format.ts';
import { readRetryAfter } from './backoff.ts';
import { raceAbort } from './deadline.ts';
import type { DpopProver } from './dpop-prover.ts';

/** Address and fetch of the gateway. */
export type GatewayTransport = { readonly url: string; readonly fetch: typeof fetch; readonly dpop?: DpopProver };

export type GatewayRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

type SystemError = { readonly code?: unknown; readonly message?: unknown; readonly cause?: SystemError };

/** Returns the system's cause, such as ECONNREFUSED and its address. Nothing else of the error is kept: it may contain the request. */
const systemCause = (error: unknown): (Error & { readonly code: string }) | undefined => {
  const thrown = (error ?? {}) as SystemError;
  const { code, message } = isText(thrown.cause?.code) ? thrown.cause : thrown;
  return isText(code) ? Object.assign(new Error(isText(message) ? message : code), { code }) : undefined;
};

const unreachable = (url: string, error: unknown): GovernanceError => {
  const cause = systemCause(error);
  const message = `The gateway at ${url} did not respond${cause ? ` (${cause.code})` : ''}.`;
  return createError({ code: 'GATEWAY_UNREACHABLE', message, details: { address: url }, cause });
};

const send = async (transport: GatewayTransport, request: GatewayRequest, signal: AbortSignal): Promise<Answer> => {
  const { method, path, body, headers } = request;
  try {
    const response = await transport.fetch(`${transport.url}${path}`, {
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
      // A token is for this gateway only, so no redirect is followed.
      redirect: 'manual',
      signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    throw unreachable(transport.url, error);
  }
};

const DPOP_NONCE = 'dpop-nonce';
const NEEDS_NONCE = 'use_dpop_nonce';
const [UNAUTHORIZED, UNPROCESSABLE] = [401, 422];

/** True if the gateway refused the nonce of a proof. Nothing was done with the request. */
const refusesNonce = ({ status, headers, text }: Answer): boolean =>
  (status === UNAUTHORIZED && headers.get('www-authenticate')?.includes(NEEDS_NONCE) === true) ||
  (status === UNPROCESSABLE && text.includes(`"${NEEDS_NONCE}"`));

/** Sends a request with a proof if it needs one, and once more with the nonce that the gateway wants. */
const sendProven = async (transport: GatewayTransport, request: GatewayRequest, signal: AbortSignal, isAgain = false): Promise<Answer> => {
  const { dpop } = transport;
  const proof = await dpop?.prove(request);
  const answer = await send(
    transport,
    proof === undefined ? request : { ...request, headers: { ...request.headers, dpop: proof } },
    signal,
  );
  const nonce = answer.headers.get(DPOP_NONCE);
  if (nonce !== null) dpop?.useNonce(nonce);
  const isRepeated = proof !== undefined && nonce !== null && !isAgain && refusesNonce(answer);
  return isRepeated ? sendProven(transport, request, signal, true) : answer;
};

const parse = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const unreadable = ({ status, headers }: Answer): GovernanceError =>
  createError({
    code: 'ANSWER_UNREADABLE',
    message: `The response with status ${status} is not a gateway response.`,
    status,
    requestId: headers.get(HEADER_NAMES.requestId) ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get(HEADER_NAMES.retryAfter), Date.now()),
  });

/** Resolves an address, which is relative to the plane that sent it. */
const absolute = (reference: unknown, url: string): string | undefined =>
  isText(reference) && URL.canParse(reference, url) ? new URL(reference, url).href : undefined;

const getRefusal = (answer: Answer, json: unknown, url: string): GovernanceError => {
  const error = isObject(json) ? json.error : undefined;
  if (!isObject(error) || !isText(error.code)) return unreadable(answer);
  const { code, message, remedy, docs_url, request_id, details } = error;
  return createError({
    code,
    message: isText(message) ? message : code,
    status: answer.status,
    requestId: isText(request_id) ? request_id : (answer.headers.get(HEADER_NAMES.requestId) ?? undefined),
    remedy: isText(remedy) ? remedy : undefined,
    docsUrl: absolute(docs_url, url),
    details: isObject(details) ? details : undefined,
    retryAfterSeconds: readRetryAfter(answer.headers.get(HEADER_NAMES.retryAfter), Date.now()),
  });
};

/**
 * Sends one request. Returns the JSON of a success that `understands` accepts; throws anything else as a `GovernanceError`, or the signal's
 * reason.
 */
export const exchange = async <Result>(
  transport: GatewayTransport,
  request: GatewayRequest,
  understands: (json: unknown) => json is Result,
  signal: AbortSignal,
): Promise<Result> => {
  // A fetch that ignores the signal cannot delay the call either.
  const answer = await raceAbort(sendProven(transport, request, signal), signal);
  const parsed = parse(answer.text);
  if (answer.status < 200 || answer.status > 299) throw getRefusal(answer, parsed?.json, transport.url);
  if (!parsed || !understands(parsed.json)) throw unreadable(answer);
  return parsed.json;
};
