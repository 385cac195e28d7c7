import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { OnEvent } from '../requests/server-event.ts';
import { newEventParser } from './event-parser.ts';
import type { BodyBounds, OnLarge, Unreadable } from './read-body.ts';

const { eventsMax } = LIMITS.egress;
/** Pieces cost time, however small: those of all events, and of comments that keep the connection open, in halves. */
const PIECES_MAX = 4 * eventsMax;

export const isEventStream = ({ headers }: IncomingMessage): boolean => /^text\/event-stream\s*(;|$)/i.test(headers['content-type'] ?? '');

const TOO_MANY = { unreadable: `The event stream has more than ${eventsMax} events.`, tooLarge: true } as const;
const TOO_SMALL = { unreadable: 'The event stream comes in too many small pieces.' } as const;
const NO_ANSWER = { unreadable: 'The event stream ended without an answer.' } as const;
const COMPRESSED = { unreadable: 'The answer is compressed, which was not asked for.' } as const;

/**
 * Reads an event stream until its answer, and returns the answer's data, or why there is none. Bounds apply to all bytes of the stream and
 * to
 * what is held of one event. Rejects if the connection breaks.
 */
export const readEvents = async (
  message: IncomingMessage,
  { bytesMax, smallBytesMax }: BodyBounds,
  onLarge: OnLarge,
  onEvent: OnEvent,
): Promise<Buffer<ArrayBuffer> | Unreadable> => {
  if (!['', 'identity'].includes(message.headers['content-encoding']?.trim().toLowerCase() ?? '')) return COMPRESSED;
  const decoder = new StringDecoder('utf8');
  const parser = newEventParser();
  let [bytes, pieces, events, isLarge] = [0, 0, 0, false];
  for await (const piece of message as AsyncIterable<Buffer>) {
    bytes += piece.length;
    pieces += 1;
    if (bytes > bytesMax) return { unreadable: `The answer is larger than ${bytesMax} bytes.`, tooLarge: true };
    if (pieces > PIECES_MAX) return TOO_SMALL;
    for (const event of parser.add(decoder.write(piece))) {
      events += 1;
      if (events > eventsMax) return TOO_MANY;
      if (!onEvent(event)) continue;
      const data = Buffer.from(event.data);
      const unreadable = data.length > smallBytesMax && !isLarge ? await onLarge() : undefined;
      return unreadable ?? data;
    }
    if (!isLarge && parser.heldChars() > smallBytesMax) {
      const unreadable = await onLarge();
      if (unreadable !== undefined) return unreadable;
      isLarge = true;
    }
  }
  return NO_ANSWER;
};
