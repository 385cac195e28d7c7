import { sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import type { Wire } from './wire.ts';

/** Bytes of another media type, for programs. */
export type Bytes = { readonly type: string; readonly bytes: Buffer };

const BYTES_TYPE = 'application/octet-stream';

/** Wire whose response is not JSON; its refusals are. */
export const bytes: Wire = {
  reads: json.reads,
  answer: (reply, status, result) => {
    const { type, bytes: told } = result as Bytes;
    return reply.code(status).header('content-type', type).header('cross-origin-resource-policy', 'same-origin').send(told);
  },
  refuse: sendJsonRefusal,
  told: (row) => ({ ...json.told(row), answer: BYTES_TYPE }),
};
