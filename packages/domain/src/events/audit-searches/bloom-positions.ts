/** Layout of the Bloom filter of the audit search: leaves per chunk, and chunks per segment. A row has one bit per chunk. */
export const CHUNK_LEAVES = 128;
export const SEGMENT_CHUNKS = 64;
export const SEGMENT_LEAVES = CHUNK_LEAVES * SEGMENT_CHUNKS;

/** Rows of a block. A block contains all bits of a hash, so one short read covers a whole segment. */
export const BLOCK_ROWS = 128;
export const ROW_BYTES = SEGMENT_CHUNKS / 8;
export const BLOCK_BYTES = BLOCK_ROWS * ROW_BYTES;

/** The position of a hash in the Bloom filter: the block, to be taken modulo the number of blocks, and the rows in it. */
export type BloomPlace = { readonly block: number; readonly rows: readonly number[] };

const ROW_BITS = 7;
const ROWS_PER_HASH = 4;

/** Finalizer of MurmurHash3: each input bit affects about half of the output bits. */
const mixBits = (hash: number): number => {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
};

export const computeBlock = (hash: number): number => mixBits(hash);

/** Returns the n-th row of a hash: seven bits of a second hash. */
export const computeRow = (hash: number, n: number): number => (mixBits(hash ^ 0x9e3779b9) >>> (n * ROW_BITS)) & (BLOCK_ROWS - 1);

export const ROW_INDEXES = Array.from({ length: ROWS_PER_HASH }, (_, n) => n);

export const computeBloomPosition = (hash: number): BloomPlace => ({
  block: computeBlock(hash),
  rows: ROW_INDEXES.map((n) => computeRow(hash, n)),
});
