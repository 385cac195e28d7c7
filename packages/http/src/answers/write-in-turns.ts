import { setImmediate as nextTurn } from 'node:timers/promises';
import { isWritten, type SerializedResult, serializeResponse } from './written.ts';

/** Approximate characters that one event-loop tick writes. */
const TURN_CHARACTERS_MAX = 131_072;

type Piece = string | readonly unknown[];

/** JSON text in parts; list elements can be written one by one. */
const listPieces = (value: object): Piece[] => {
  if (Array.isArray(value)) return [value];
  const pieces: Piece[] = [];
  for (const [name, member] of Object.entries(value)) {
    const told: Piece | undefined = Array.isArray(member) ? member : JSON.stringify(member);
    // A value without a JSON form is omitted.
    if (told !== undefined) pieces.push(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`, told);
  }
  return pieces.length === 0 ? ['{}'] : [...pieces, '}'];
};

/** Collects text; earlier ticks are kept as bytes. */
const newText = () => {
  const bytes: Buffer[] = [];
  let text = '';
  return {
    add: (more: string): void => {
      text += more;
    },
    isFull: (): boolean => text.length > TURN_CHARACTERS_MAX,
    endTurn: (): void => {
      bytes.push(Buffer.from(text));
      text = '';
    },
    whole: (): string | Buffer => (bytes.length === 0 ? text : Buffer.concat([...bytes, Buffer.from(text)])),
  };
};

const isPlain = (value: unknown): value is object => typeof value === 'object' && value !== null && !('toJSON' in value);

/**
 * Serializes a response like JSON.stringify: lists, and lists that are members of an object, in several event-loop ticks, since a page of a
 * hundred large rows would block the event loop for a tenth of a second.
 */
export const serializeInSlices = async (result: unknown): Promise<unknown> => {
  if (!isPlain(result) || isWritten(result)) return result;
  const text = newText();
  for (const piece of listPieces(result)) {
    if (typeof piece === 'string') text.add(piece);
    else {
      text.add('[');
      for (const [n, element] of piece.entries()) {
        text.add(`${n === 0 ? '' : ','}${JSON.stringify(element) ?? 'null'}`);
        if (!text.isFull()) continue;
        text.endTurn();
        await nextTurn();
      }
      text.add(']');
    }
  }
  return serializeResponse(text.whole()) satisfies SerializedResult<unknown>;
};
