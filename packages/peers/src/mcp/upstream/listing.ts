/** Takes the lists of an MCP server over streamable HTTP, from servers of modern and legacy revisions. */
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { isDefinitionFault } from '../definitions/definition.ts';
import { digestText } from '../definitions/digest.ts';
import { offerPin, readOffer } from '../definitions/offers.ts';
import { serverPin } from '../definitions/pin.ts';
import { type McpConnection, newConnection, type OpenConnection } from './connection.ts';
import { isFailure, type ListingFailure, newFailure } from './failures.ts';
import { discoverModern, endSession, type Greeting, initializeLegacy, type OtherEra, type ServerInfo } from './handshake.ts';
import { type ListedToolText, readPages } from './pages.ts';
import type { Era } from './protocol.ts';

/** Whole lists of tools, resources and prompts. `hash` is the same for two listings whose pins are the same. */
export type Listing = {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: ServerInfo;
  readonly instructions: string | null;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly tools: readonly ListedToolText[];
  readonly hash: string;
};

/** `known` is the era of an earlier listing, which is tried first. */
export type TakeListing = OpenConnection & { readonly known?: Era };

const STREAM_MS = 3_000;

/** Returns true if the address answers GET with the first event of the old HTTP+SSE transport. */
const isOldTransport = async ({ send, url, remainingMs }: McpConnection): Promise<boolean> => {
  let isEndpoint = false;
  await send({
    method: 'GET',
    url,
    headers: { accept: 'text/event-stream' },
    timeoutMs: Math.min(STREAM_MS, remainingMs()),
    responseBytesMax: 65_536,
    onEvent: ({ event }) => {
      isEndpoint = event === 'endpoint';
      return true;
    },
  });
  return isEndpoint;
};

const explainStranger = async (connection: McpConnection, { answer, failure }: OtherEra): Promise<ListingFailure> => {
  if (failure !== undefined) return failure;
  if (await isOldTransport(connection))
    return newFailure(
      'SSE_TRANSPORT',
      'The server speaks the old HTTP+SSE transport, which this service does not. Use its streamable HTTP address, often ending in /mcp.',
    );
  if (answer !== undefined && answer.status >= 500)
    return newFailure('PROTOCOL', `The server failed with status ${answer.status}. Check its log, then list its tools again.`);
  const status = answer === undefined ? 'did not answer in time' : `answered with status ${answer.status}`;
  return newFailure('NOT_MCP', `No MCP server is at this address: it ${status} and sent no message of the protocol. Check the address.`);
};

const greet = async (connection: McpConnection, known: Era | undefined): Promise<Greeting | ListingFailure> => {
  const attempts = known === 'LEGACY' ? [initializeLegacy, discoverModern] : [discoverModern, initializeLegacy];
  let last: OtherEra = { kind: 'OTHER_ERA', answer: undefined };
  for (const attempt of attempts) {
    const greeting = await attempt(connection);
    if (!('kind' in greeting) || isFailure(greeting)) return greeting;
    if (last.failure === undefined) last = greeting;
  }
  return explainStranger(connection, last);
};

const pinTool = ({ kind, name, text }: ListedToolText): readonly [string, string] => {
  const definition = readOffer(kind, text);
  return [name, isDefinitionFault(definition) ? digestText(text) : offerPin(kind, definition)];
};

const hashListing = ({ instructions, capabilities, serverInfo }: Greeting, tools: readonly ListedToolText[]): string => {
  const pins = tools.map(pinTool).sort(([a], [b]) => (a < b ? -1 : 1));
  return digestText(canonicalJson({ server: serverPin({ instructions, capabilities, name: serverInfo.name }), tools: pins }));
};

/**
 * Takes the list of tools of a server: by the modern protocol first, then by the legacy one. Ends within 15 seconds, and reads all pages or fails.
 * Never throws for anything that a server answers.
 */
export const takeListing = async ({ known, ...open }: TakeListing): Promise<Listing | ListingFailure> => {
  const connection = newConnection(open);
  const greeting = await greet(connection, known);
  if ('kind' in greeting) return greeting;
  const tools = await readPages(connection, greeting, greeting.capabilities);
  await endSession(connection, greeting);
  if ('kind' in tools) return tools;
  const { era, protocolVersion, serverInfo, instructions, capabilities } = greeting;
  return { era, protocolVersion, serverInfo, instructions, capabilities, tools, hash: hashListing(greeting, tools) };
};
