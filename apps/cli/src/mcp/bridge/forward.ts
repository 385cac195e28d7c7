import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { AgentSession } from '@svc/sdk/identity/connect.ts';
import { GovernanceError } from '@svc/sdk/wire/errors.ts';
import { splitLines } from '@svc/stdio/lines/split-lines.ts';
import { errorMessage, INTERNAL_ERROR, isId, newMessage, readMessage, readParams, type StdioMessage } from '@svc/stdio/messages/message.ts';
import { isObject } from '../../files/json-file.ts';
import { getRefusalResult } from '../proxy/messages.ts';

const LINE_BYTES_MAX = 16 * 1024 * 1024;
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const PLAIN_NAME = /^[\x21-\x7e]+$/;

/** The governed address of a server, and what requests to it need. */
export type Bridge = {
  readonly session: AgentSession;
  readonly url: string;
  readonly timeoutMs: number;
  readonly toClient: (line: string) => void;
  /** The revision that a legacy client agreed on. */
  version: string | undefined;
};

const headerName = (name: string): string =>
  PLAIN_NAME.test(name) && !name.startsWith('=?') ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** Headers that repeat parts of the message, as revisions without sessions require. */
const messageHeaders = ({ version }: Bridge, { value }: StdioMessage): Record<string, string> => {
  const { _meta, name } = readParams(value);
  const current = isObject(_meta) ? _meta[META_VERSION] : undefined;
  if (typeof current !== 'string') return version === undefined ? {} : { 'mcp-protocol-version': version };
  return {
    'mcp-protocol-version': current,
    'mcp-method': String(value.method),
    ...(typeof name === 'string' ? { 'mcp-name': headerName(name) } : {}),
  };
};

const post = async (bridge: Bridge, message: StdioMessage, signal: AbortSignal): Promise<Response> => {
  const { session, url } = bridge;
  const send = async (token: string): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...messageHeaders(bridge, message),
      },
      body: message.line,
      signal,
    });
  const token = await session.tokens.take(signal);
  const response = await send(token);
  if (response.status !== 401) return response;
  await response.body?.cancel();
  session.tokens.discard(token);
  return send(await session.tokens.take(signal));
};

/** Reads events of a stream and hands on the message in each. */
const readEvents = async (body: ReadableStream<Uint8Array>, onMessage: (line: string) => void): Promise<void> => {
  // Blank lines end an event, and the splitter skips them: each message of this gateway is one line of data.
  const splitter = splitLines(LINE_BYTES_MAX, (line) => {
    if (!line.startsWith('data:')) return;
    const data = line.slice('data:'.length).trimStart();
    if (readMessage(data) !== undefined) onMessage(data);
  });
  for await (const chunk of body) if (!splitter.take(chunk)) throw new RangeError('A message of the gateway exceeds 16 MiB.');
  splitter.end();
};

const rememberVersion = (bridge: Bridge, { value }: StdioMessage, answer: JsonObject | undefined): void => {
  const version = isObject(answer?.result) ? answer.result.protocolVersion : undefined;
  if (value.method === 'initialize' && typeof version === 'string') bridge.version = version;
};

const readAnswer = async (bridge: Bridge, message: StdioMessage, response: Response): Promise<void> => {
  const { id } = message.value;
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body !== null)
    return readEvents(response.body, bridge.toClient);
  const answer = readMessage(await response.text());
  rememberVersion(bridge, message, answer?.value);
  if (answer !== undefined && answer.value.jsonrpc === '2.0') return bridge.toClient(JSON.stringify(answer.value));
  if (!isId(id)) return;
  const { error } = answer?.value ?? {};
  const detail = isObject(error) ? `${String(error.code)}: ${String(error.message)}` : `status ${response.status}`;
  bridge.toClient(errorMessage(id, INTERNAL_ERROR, `The gateway refused the request (${detail}).`).line);
};

const refuse = ({ value }: StdioMessage, error: unknown): StdioMessage | undefined => {
  const { id, method } = value;
  if (!isId(id)) return undefined;
  const isDenied = error instanceof GovernanceError;
  const code = isDenied ? error.code : 'GATEWAY_UNREACHABLE';
  const reason = isDenied ? error.message : 'The gateway did not answer.';
  if (method !== 'tools/call') return errorMessage(id, INTERNAL_ERROR, `${code}: ${reason}`);
  const remedy = 'The outcome is unknown if the gateway got the call. Do not repeat it; report this to a person.';
  return newMessage({ id, result: getRefusalResult({ code, reason, remedy: isDenied ? error.nextStep : remedy }) });
};

/** Sends a message and hands on what comes back. Nothing is thrown: failures are answers to the client. */
export const forward = async (bridge: Bridge, message: StdioMessage, signal: AbortSignal): Promise<void> => {
  try {
    await readAnswer(bridge, message, await post(bridge, message, AbortSignal.any([signal, AbortSignal.timeout(bridge.timeoutMs)])));
  } catch (error) {
    if (signal.aborted) return;
    // The ways in which fetch fails: no connection, a time limit, a broken or oversized answer.
    const isExpected = [GovernanceError, TypeError, DOMException, RangeError].some((kind) => error instanceof kind);
    if (!isExpected) throw error;
    const answer = refuse(message, error);
    if (answer !== undefined) bridge.toClient(answer.line);
  }
};
