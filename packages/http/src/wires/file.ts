import { send, sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import type { Wire } from './wire.ts';

export const FILE_TYPE = 'application/octet-stream';

/**
 * A file as the body, whatever its format, with a JSON answer. Nothing of it is read before its handler does, so that no more of such bodies
 * are in memory than the handler has room for.
 */
export const file: Wire = {
  reads: [FILE_TYPE],
  isUnread: true,
  answer: send,
  refuse: sendJsonRefusal,
  told: (row) => ({ ...json.told(row), body: FILE_TYPE }),
};
