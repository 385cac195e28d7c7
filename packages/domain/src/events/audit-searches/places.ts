/** Leaves of one chunk, and chunks of one segment: one for each bit of a row. */
export const CHUNK_LEAVES = 128;
export const SEGMENT_CHUNKS = 64;
export const SEGMENT_LEAVES = CHUNK_LEAVES * SEGMENT_CHUNKS;

/** Rows of a block, which contains all bits of a hash: so one short read covers a whole segment. */
export const BLOCK_ROWS = 128;
export const ROW_BYTES = SEGMENT_CHUNKS / 8;
export const BLOCK_BYTES = BLOCK_ROWS * ROW_BYTES;

/** The block with the bits of a hash, modulo the number of blocks, and its rows. */
export type BloomPlace = { readonly block: number; readonly rows: readonly number[] };

const ROW_BITS = 7;
const ROWS_OF_HASH = 4;

/** Murmur's finalizer: each input bit flips half of the output bits. */
const mix = (hash: number): number => {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
};

export const computeBlock = (hash: number): number => mix(hash);

/** Each seven of 28 bits. */
export const computeRow = (hash: number, n: number): number => (mix(hash ^ 0x9e3779b9) >>> (n * ROW_BITS)) & (BLOCK_ROWS - 1);

export const ROW_NUMBERS = Array.from({ length: ROWS_OF_HASH }, (_, n) => n);

export const computePlace = (hash: number): BloomPlace => ({
  block: computeBlock(hash),
  rows: ROW_NUMBERS.map((n) => computeRow(hash, n)),
});
