/** Reads JSON-RPC messages of a server, alone or as events of a stream. */

import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';

export const isMembers = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON text; undefined if it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const TEXT_CHARS_MAX = 2_000;

/** Returns a text of a server without control characters, cut to 2,000 characters. */
export const plainText = (text: unknown): string =>
  typeof text === 'string'
    ? text
        .slice(0, TEXT_CHARS_MAX)
        .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
        .trim()
    : '';

/** The JSON text of an answer, with what HTTP says about it. */
export type AnswerText = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isJson: boolean;
};

type Answered = Extract<EgressResult, { kind: 'answered' | 'answered_large' }>;

const isJsonType = (type: string | undefined): boolean => /^[\w.+-]{1,64}\/(?:[\w.-]{1,64}\+)?json\s{0,8}(?:;|$)/iu.test(type ?? '');
const isStreamType = (type: string | undefined): boolean => /^text\/event-stream\s{0,8}(?:;|$)/iu.test(type ?? '');

/** The reason why the text of an answer is not there: its size, or that no thread could read it in time. */
export type NoText = 'TOO_LARGE' | 'UNREADABLE';

/**
 * Returns the text of an answer, or why there is none. Text without escapes, or from a client that returns text, is byte for
 * byte what the server sent.
 */
export const answerText = (answered: Answered): AnswerText | NoText => {
  if (answered.kind === 'answered') {
    const { status, headers, body, raw } = answered;
    const type = headers['content-type'];
    const text = raw === undefined ? body : Buffer.from(raw).toString('utf8');
    return { status, headers, text, isJson: isJsonType(type) || isStreamType(type) };
  }
  const { status, contentType, large, untold } = answered;
  if (large === undefined) return untold === 'UNREADABLE' ? 'UNREADABLE' : 'TOO_LARGE';
  const json = Buffer.from(large.json).toString('utf8');
  large.release();
  // An answer with too many values is handed on as one JSON string.
  const text = json.startsWith('"') ? String(parseJson(json) ?? '') : json;
  return { status, headers: {}, text, isJson: isJsonType(contentType) || isStreamType(contentType) };
};
