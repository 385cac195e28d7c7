import { send, sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import type { Wire } from './wire.ts';

export const FILE_TYPE = 'application/octet-stream';

/**
 * A file as the body, in any format, with a JSON response. Nothing of it is read before its handler does, so that memory holds no more of
 * such bodies than the handler has capacity for.
 */
export const file: Wire = {
  reads: [FILE_TYPE],
  isUnread: true,
  answer: send,
  refuse: sendJsonRefusal,
  told: (row) => ({ ...json.told(row), body: FILE_TYPE }),
};
