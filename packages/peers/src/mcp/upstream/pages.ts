/** Reads all pages of what a server lists: its tools, resources, templates of resources and prompts. */
import type { McpOfferKind } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { childSlices, findSlice } from '../definitions/json-text.ts';
import { KEY_MEMBERS } from '../definitions/offers.ts';
import { type McpConnection, requestRpc } from './connection.ts';
import { type ListingFailure, newFailure } from './failures.ts';
import { explainRefusal } from './handshake.ts';
import { isMembers, parseJson, plainText } from './messages.ts';
import type { Dialect } from './protocol.ts';

/** An entry of a listing. `name` identifies it among those of its kind, `text` is its definition as it was sent. */
export type ListedToolText = { readonly kind: McpOfferKind; readonly name: string; readonly text: string };

/** A list of a server: its method, the member of the answer, and words for messages. */
type OfferedList = {
  readonly kind: McpOfferKind;
  readonly method: string;
  readonly member: string;
  readonly noun: string;
  /** The capability of servers that have the list; any server is asked for tools. */
  readonly capability?: string;
};

const LISTS: readonly OfferedList[] = [
  { kind: 'TOOL', method: 'tools/list', member: 'tools', noun: 'tool' },
  { kind: 'RESOURCE', method: 'resources/list', member: 'resources', noun: 'resource', capability: 'resources' },
  {
    ...{ kind: 'RESOURCE_TEMPLATE', method: 'resources/templates/list', member: 'resourceTemplates' },
    ...{ noun: 'template of resources', capability: 'resources' },
  },
  { kind: 'PROMPT', method: 'prompts/list', member: 'prompts', noun: 'prompt', capability: 'prompts' },
];

const { listingPagesMax, listingToolsMax, cursorCharsMax } = LIMITS.mcp;
const METHOD_NOT_FOUND = -32_601;

type Page = { readonly tools: readonly ListedToolText[]; readonly next: string | undefined };

const readEntry = (kind: McpOfferKind, text: string): ListedToolText | undefined => {
  const entry = parseJson(text);
  const name = isMembers(entry) ? entry[KEY_MEMBERS[kind]] : undefined;
  return typeof name === 'string' && name !== '' ? { kind, name, text } : undefined;
};

const protocolFailure = (explanation: string): ListingFailure => newFailure('PROTOCOL', explanation);

const readPage = (
  { kind, method, member, noun }: OfferedList,
  text: string,
  result: Readonly<Record<string, unknown>>,
): Page | ListingFailure => {
  const { resultType = 'complete', nextCursor } = result;
  if (resultType !== 'complete' || !Array.isArray(result[member]))
    return protocolFailure(`The answer to ${method} holds no list of ${noun}s. Update the server.`);
  const hasCursor = nextCursor !== undefined && nextCursor !== null && nextCursor !== '';
  if (hasCursor && (typeof nextCursor !== 'string' || nextCursor.length > cursorCharsMax))
    return protocolFailure(`The cursor of the next page is not a text of at most ${cursorCharsMax} characters. Update the server.`);
  const list = findSlice(text, ['result', member]);
  const read: ListedToolText[] = [];
  for (const { start, end } of list === undefined ? [] : childSlices(text, list.start)) {
    const entry = readEntry(kind, text.slice(start, end));
    if (entry === undefined)
      return protocolFailure(
        `${noun[0]?.toUpperCase()}${noun.slice(1)} ${read.length + 1} of a page has no ${KEY_MEMBERS[kind]}. Correct the server.`,
      );
    read.push(entry);
  }
  return { tools: read, next: hasCursor ? nextCursor : undefined };
};

const requestPage = async (
  connection: McpConnection,
  dialect: Dialect,
  list: OfferedList,
  cursor: string | undefined,
): Promise<Page | ListingFailure> => {
  const { method, noun, kind } = list;
  const params = cursor === undefined ? {} : { cursor };
  const answered = await requestRpc(connection, dialect, { method, params });
  if (answered.kind === 'failed') return answered.failure;
  if (answered.kind === 'result') return readPage(list, answered.answer.text, answered.result);
  const refusal = await explainRefusal(connection, answered.answer);
  if (refusal !== undefined) return refusal;
  if (answered.kind === 'http')
    return protocolFailure(
      `The server answered ${method} with status ${answered.answer.status} and no message of the protocol. Check its log.`,
    );
  // A server without tools need not know the method. One that fails to list its resources or prompts has none: its tools still work.
  if ((answered.code === METHOD_NOT_FOUND || kind !== 'TOOL') && cursor === undefined) return { tools: [], next: undefined };
  return protocolFailure(`The server refused to list its ${noun}s: ${answered.message || `error ${answered.code}`}. Check its log.`);
};

const repeatedName = (seen: ReadonlySet<string>, page: readonly ListedToolText[]): string | undefined => {
  const names = new Set(seen);
  for (const { name } of page) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
};

/** Reads one list to its end. `countMax` is the number of entries that may still be read. */
const readList = async (
  connection: McpConnection,
  dialect: Dialect,
  list: OfferedList,
  countMax: number,
): Promise<readonly ListedToolText[] | ListingFailure> => {
  const { noun } = list;
  const entries: ListedToolText[] = [];
  const names = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < listingPagesMax; count += 1) {
    const page = await requestPage(connection, dialect, list, cursor);
    if ('kind' in page) return page;
    const repeated = repeatedName(names, page.tools);
    if (repeated !== undefined) return protocolFailure(`The server lists the ${noun} ${plainText(repeated)} twice. Correct the server.`);
    for (const entry of page.tools) {
      names.add(entry.name);
      entries.push(entry);
    }
    if (entries.length > countMax)
      return newFailure(
        'TOO_LARGE',
        `The server lists more than ${listingToolsMax} tools, resources and prompts. Offer fewer, or register several servers.`,
      );
    if (page.next === undefined) return entries;
    if (cursors.has(page.next)) return protocolFailure(`The pages of the list of ${noun}s repeat without end. Correct the server.`);
    cursors.add(page.next);
    cursor = page.next;
  }
  return newFailure('TOO_LARGE', `The list of ${noun}s has more than ${listingPagesMax} pages. Use larger pages or fewer ${noun}s.`);
};

/**
 * Reads the lists that a server states to have, to their ends. Each bound that is exceeded fails the whole listing: a part of a list would hide
 * tools.
 */
export const readPages = async (
  connection: McpConnection,
  dialect: Dialect,
  capabilities: Readonly<Record<string, unknown>>,
): Promise<readonly ListedToolText[] | ListingFailure> => {
  const entries: ListedToolText[] = [];
  for (const list of LISTS) {
    if (list.capability !== undefined && !isMembers(capabilities[list.capability])) continue;
    const read = await readList(connection, dialect, list, listingToolsMax - entries.length);
    if ('kind' in read) return read;
    entries.push(...read);
  }
  return entries;
};
