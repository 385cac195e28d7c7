import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Compressed } from '../answers/choose-encoding.ts';

/** Smaller than gzip in about the same time. Higher qualities take seconds for the larger files, during which a plane would answer nothing. */
const QUALITY = 5;

/** Compresses a document that is kept; not for content that differs from request to request. */
export const compress = (bytes: Buffer): Required<Compressed> => ({
  br: brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }),
  gzip: gzipSync(bytes),
});
