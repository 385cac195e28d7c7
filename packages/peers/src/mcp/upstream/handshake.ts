/** Finds out how a server is spoken to: modern servers by `server/discover`, legacy ones by `initialize`. */

import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type McpConnection, notifyRpc, type RpcAnswer, requestRpc } from './connection.ts';
import { type ListingFailure, newFailure } from './failures.ts';
import { type AnswerText, isMembers, plainText } from './messages.ts';
import { explainChallenge } from './needs-credential.ts';
import { type Dialect, LEGACY_VERSION, LEGACY_VERSIONS, MODERN_VERSION } from './protocol.ts';

/** A server as it describes itself. `title` is for people. */
export type ServerInfo = { readonly name: string; readonly version: string; readonly title?: string };

/** How a server is spoken to, and its description of itself. */
export type Greeting = Dialect & {
  readonly serverInfo: ServerInfo;
  readonly instructions: string | null;
  readonly capabilities: JsonObject;
};

/** An attempt after which the server may still be of the other era. `failure` is reported if it is not. */
export type OtherEra = { readonly kind: 'OTHER_ERA'; readonly answer: AnswerText | undefined; readonly failure?: ListingFailure };

const MODERN: Dialect = { era: 'MODERN', protocolVersion: MODERN_VERSION };
const INITIALIZING: Dialect = { era: 'LEGACY', protocolVersion: LEGACY_VERSION };
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

const NAME_CHARS_MAX = 256;

const readServerInfo = (value: unknown): ServerInfo => {
  const { name, version, title }: JsonObject = isMembers(value) ? value : {};
  return {
    name: plainText(name).slice(0, NAME_CHARS_MAX),
    version: plainText(version).slice(0, NAME_CHARS_MAX),
    ...(typeof title === 'string' ? { title: plainText(title).slice(0, NAME_CHARS_MAX) } : {}),
  };
};

const describe = (result: JsonObject): Pick<Greeting, 'instructions' | 'capabilities'> => ({
  instructions: typeof result.instructions === 'string' && result.instructions !== '' ? result.instructions : null,
  capabilities: isMembers(result.capabilities) ? result.capabilities : {},
});

const INSTRUCTIONS_TOO_LARGE = newFailure(
  'TOO_LARGE',
  `The instructions of the server are longer than ${LIMITS.mcp.schemaBytesMax} characters. Shorten them.`,
);

const boundInstructions = (greeting: Greeting): Greeting | ListingFailure =>
  (greeting.instructions?.length ?? 0) > LIMITS.mcp.schemaBytesMax ? INSTRUCTIONS_TOO_LARGE : greeting;

/** Codes that only modern servers use: header mismatch, missing capability, unsupported version. */
const isModernCode = (code: number): boolean => code <= -32_020 && code >= -32_022;
const UNSUPPORTED_VERSION = -32_022;

const versionsAmong = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).filter((version) => typeof version === 'string').slice(0, 20);

const speaksNone = (versions: readonly string[]): ListingFailure =>
  newFailure(
    'PROTOCOL',
    `The server speaks ${plainText(versions.join(', ')) || 'no known version'} of the protocol; this service speaks ${MODERN_VERSION} and ${LEGACY_VERSIONS.join(', ')}. Update the server.`,
  );

const chooseLegacy = (versions: readonly string[], answer: AnswerText): OtherEra | ListingFailure =>
  versions.some((version) => LEGACY_VERSIONS.includes(version)) ? { kind: 'OTHER_ERA', answer } : speaksNone(versions);

/** Explains answers that fail in both eras; undefined if the answer is none of them. */
export const explainRefusal = async (connection: McpConnection, answer: AnswerText): Promise<ListingFailure | undefined> => {
  const { status, headers } = answer;
  const challenge = headers['www-authenticate'];
  if (status === 401 || (status === 403 && challenge !== undefined)) return explainChallenge(connection, answer);
  if (status >= 300 && status < 400) {
    const target = plainText(headers.location).slice(0, NAME_CHARS_MAX);
    return newFailure(
      'PROTOCOL',
      `The server redirects${target === '' ? '' : ` to ${target}`}, and redirects are not followed. Register the address it redirects to.`,
    );
  }
  return undefined;
};

const readDiscovery = (answered: Extract<RpcAnswer, { kind: 'result' }>): Greeting | OtherEra | ListingFailure => {
  const { result, answer } = answered;
  const { resultType = 'complete', supportedVersions, _meta } = result;
  if (resultType !== 'complete' || !Array.isArray(supportedVersions)) return { kind: 'OTHER_ERA', answer };
  const versions = versionsAmong(supportedVersions);
  if (!versions.includes(MODERN_VERSION)) return chooseLegacy(versions, answer);
  const info = isMembers(_meta) ? _meta['io.modelcontextprotocol/serverInfo'] : undefined;
  return boundInstructions({ ...MODERN, serverInfo: readServerInfo(info ?? result.serverInfo), ...describe(result) });
};

/** Asks a server to describe itself by the modern protocol. */
export const discoverModern = async (connection: McpConnection): Promise<Greeting | OtherEra | ListingFailure> => {
  const answered = await requestRpc(connection, MODERN, { method: 'server/discover' }, LIMITS.mcp.probeMs);
  // A legacy server may stay silent when it does not know the method.
  if (answered.kind === 'failed') return answered.failure.kind === 'TIMEOUT' ? { kind: 'OTHER_ERA', answer: undefined } : answered.failure;
  if (answered.kind === 'result') return readDiscovery(answered);
  const refusal = await explainRefusal(connection, answered.answer);
  if (refusal !== undefined) return refusal;
  if (answered.kind === 'http' || !isModernCode(answered.code)) return { kind: 'OTHER_ERA', answer: answered.answer };
  if (answered.code === UNSUPPORTED_VERSION)
    return chooseLegacy(versionsAmong(isMembers(answered.data) ? answered.data.supported : undefined), answered.answer);
  return newFailure('PROTOCOL', `The server refused to describe itself: ${answered.message || `error ${answered.code}`}. Check its log.`);
};

const readInitialized = ({ result, answer }: Extract<RpcAnswer, { kind: 'result' }>): Greeting | ListingFailure => {
  const { protocolVersion } = result;
  if (typeof protocolVersion !== 'string' || !LEGACY_VERSIONS.includes(protocolVersion))
    return speaksNone(versionsAmong([protocolVersion]));
  const sessionId = answer.headers['mcp-session-id'];
  if (sessionId !== undefined && !SESSION_ID.test(sessionId))
    return newFailure('PROTOCOL', 'The session id of the server holds characters that no header may hold. Update the server.');
  return boundInstructions({
    era: 'LEGACY',
    protocolVersion,
    ...(sessionId === undefined ? {} : { sessionId }),
    serverInfo: readServerInfo(result.serverInfo),
    ...describe(result),
  });
};

/** Begins a session with a legacy server. */
export const initializeLegacy = async (connection: McpConnection): Promise<Greeting | OtherEra | ListingFailure> => {
  const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: connection.clientInfo };
  const answered = await requestRpc(connection, INITIALIZING, { method: 'initialize', params });
  if (answered.kind === 'failed') return answered.failure;
  if (answered.kind !== 'result') {
    const refusal = await explainRefusal(connection, answered.answer);
    if (refusal !== undefined) return refusal;
    if (answered.kind === 'http' || isModernCode(answered.code)) return { kind: 'OTHER_ERA', answer: answered.answer };
    const explanation = `The server refused to begin a session: ${answered.message || `error ${answered.code}`}. Check the address and the server's log.`;
    return { kind: 'OTHER_ERA', answer: answered.answer, failure: newFailure('PROTOCOL', explanation) };
  }
  const greeting = readInitialized(answered);
  if ('kind' in greeting) return greeting;
  return (await notifyRpc(connection, greeting, 'notifications/initialized')) ?? greeting;
};

const END_MS = 2_000;

/** Ends a legacy session. A server need not support it, so that its answer means nothing. */
export const endSession = async (
  { send, url }: Pick<McpConnection, 'send' | 'url'>,
  { sessionId, protocolVersion }: Dialect,
): Promise<void> => {
  if (sessionId === undefined) return;
  await send({
    method: 'DELETE',
    url,
    headers: { 'mcp-session-id': sessionId, 'mcp-protocol-version': protocolVersion },
    timeoutMs: END_MS,
    responseBytesMax: 65_536,
    onEvent: () => true,
  });
};
