/** Reads all pages of a server's list of tools. */
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { childSlices, findSlice } from '../definitions/json-text.ts';
import { type Connection, requestRpc } from './connection.ts';
import { type ListingFailure, newFailure } from './failures.ts';
import { explainRefusal } from './handshake.ts';
import { isMembers, parseJson, plainText } from './messages.ts';
import type { Dialect } from './protocol.ts';

/** A tool of a listing. `text` is its definition as it was sent. */
export type ListedTool = { readonly name: string; readonly text: string };

const { listingPagesMax, listingToolsMax, cursorCharsMax } = LIMITS.mcp;
const METHOD_NOT_FOUND = -32_601;

type Page = { readonly tools: readonly ListedTool[]; readonly next: string | undefined };

const readTool = (text: string): ListedTool | undefined => {
  const tool = parseJson(text);
  return isMembers(tool) && typeof tool.name === 'string' && tool.name !== '' ? { name: tool.name, text } : undefined;
};

const protocolFailure = (explanation: string): ListingFailure => newFailure('PROTOCOL', explanation);

const readPage = (text: string, result: Readonly<Record<string, unknown>>): Page | ListingFailure => {
  const { resultType = 'complete', tools, nextCursor } = result;
  if (resultType !== 'complete' || !Array.isArray(tools))
    return protocolFailure('The answer to tools/list holds no list of tools. Update the server.');
  const hasCursor = nextCursor !== undefined && nextCursor !== null && nextCursor !== '';
  if (hasCursor && (typeof nextCursor !== 'string' || nextCursor.length > cursorCharsMax))
    return protocolFailure(`The cursor of the next page is not a text of at most ${cursorCharsMax} characters. Update the server.`);
  const list = findSlice(text, ['result', 'tools']);
  const read: ListedTool[] = [];
  for (const { start, end } of list === undefined ? [] : childSlices(text, list.start)) {
    const tool = readTool(text.slice(start, end));
    if (tool === undefined) return protocolFailure(`Tool ${read.length + 1} of a page has no name. Correct the server.`);
    read.push(tool);
  }
  return { tools: read, next: hasCursor ? nextCursor : undefined };
};

const requestPage = async (connection: Connection, dialect: Dialect, cursor: string | undefined): Promise<Page | ListingFailure> => {
  const params = cursor === undefined ? {} : { cursor };
  const answered = await requestRpc(connection, dialect, { method: 'tools/list', params });
  if (answered.kind === 'failed') return answered.failure;
  if (answered.kind === 'result') return readPage(answered.answer.text, answered.result);
  const refusal = await explainRefusal(connection, answered.answer);
  if (refusal !== undefined) return refusal;
  if (answered.kind === 'http')
    return protocolFailure(
      `The server answered tools/list with status ${answered.answer.status} and no message of the protocol. Check its log.`,
    );
  // A server without tools need not know the method.
  if (answered.code === METHOD_NOT_FOUND && cursor === undefined) return { tools: [], next: undefined };
  return protocolFailure(`The server refused to list its tools: ${answered.message || `error ${answered.code}`}. Check its log.`);
};

const repeatedName = (seen: ReadonlySet<string>, page: readonly ListedTool[]): string | undefined => {
  const names = new Set(seen);
  for (const { name } of page) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
};

/** Reads the list of tools to its end. Each bound that is exceeded fails the whole listing: a part of a list would hide tools. */
export const readPages = async (connection: Connection, dialect: Dialect): Promise<readonly ListedTool[] | ListingFailure> => {
  const tools: ListedTool[] = [];
  const names = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < listingPagesMax; count += 1) {
    const page = await requestPage(connection, dialect, cursor);
    if ('kind' in page) return page;
    const repeated = repeatedName(names, page.tools);
    if (repeated !== undefined) return protocolFailure(`The server lists the tool ${plainText(repeated)} twice. Correct the server.`);
    for (const tool of page.tools) {
      names.add(tool.name);
      tools.push(tool);
    }
    if (tools.length > listingToolsMax)
      return newFailure('TOO_LARGE', `The server lists more than ${listingToolsMax} tools. Offer fewer, or register several servers.`);
    if (page.next === undefined) return tools;
    if (cursors.has(page.next)) return protocolFailure('The pages of the list of tools repeat without end. Correct the server.');
    cursors.add(page.next);
    cursor = page.next;
  }
  return newFailure('TOO_LARGE', `The list of tools has more than ${listingPagesMax} pages. Use larger pages or fewer tools.`);
};
