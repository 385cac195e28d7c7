import type { IncomingMessage } from 'node:http';
import { findOutOfBounds } from '@svc/domain/tools/json-bounds.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyJson?: unknown;
};
export type Unreadable = { readonly unreadable: string };

const recordable = { depthMax: 100, bytesMax: Number.POSITIVE_INFINITY };

const readHeaders = (message: IncomingMessage): Record<string, string> => {
  // A cookie is a credential between the peer and whoever sends it back. Nobody here does.
  const { 'set-cookie': _cookies, ...headers } = message.headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The body as JSON, when it says it is and holds nothing that would break the record it goes to. */
const readJson = (message: IncomingMessage, text: string): unknown => {
  if (!/[/+]json\s*(;|$)/i.test(message.headers['content-type'] ?? '')) return undefined;
  const value = parseJson(text);
  return findOutOfBounds(value, recordable) === undefined ? value : undefined;
};

const isCompressed = (message: IncomingMessage): boolean => {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase();
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
};

/**
 * Reads an answer to its end, or says why it cannot be read as soon as that is known. Nothing is decompressed: no compression is asked for,
 * and a small compressed body can be a huge one. Rejects when the connection breaks.
 */
export const readAnswer = async (message: IncomingMessage, bytesMax: number): Promise<Answer | Unreadable> => {
  if (isCompressed(message)) return { unreadable: 'The answer is compressed, which was not asked for.' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return { unreadable: `The answer is larger than ${bytesMax} bytes.` };
    chunks.push(chunk);
  }
  // U+0000 cannot be kept in the record.
  const body = Buffer.concat(chunks, bytes).toString('utf8').replaceAll('\u0000', '\ufffd');
  const bodyJson = readJson(message, body);
  return { status: message.statusCode ?? 0, headers: readHeaders(message), body, ...(bodyJson === undefined ? {} : { bodyJson }) };
};
