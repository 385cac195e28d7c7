import { BLOCK_BYTES, BLOCK_ROWS, blockOf, ROW_BYTES, ROW_NUMBERS, rowOf, SEGMENT_CHUNKS } from './places.ts';

/** Rows for each hash of a chunk: one in a thousand chunks is looked at in vain. */
const ROWS_PER_HASH = 24;
/** Beyond so many a chunk is told from no other; a table of twice as many places stays half empty. */
const HASHES_MAX = 16_384;
const SLOTS = 2 * HASHES_MAX;

export type SegmentBits = {
  readonly blocks: number;
  readonly bits: Uint8Array;
  /** A character for each chunk: 1 for those that have to be looked at, whatever is asked for. */
  readonly fullChunks: string;
};

export type Signature = {
  /** What is noted from now on is of the next chunk. */
  readonly beginChunk: () => void;
  readonly note: (hash: number) => void;
  /** The present chunk may hold anything. */
  readonly fill: () => void;
  readonly finish: () => SegmentBits;
};

const set = (bits: Uint8Array, blocks: number, chunk: number, hash: number): void => {
  const base = (blockOf(hash) % blocks) * BLOCK_BYTES + (chunk >> 3);
  for (const n of ROW_NUMBERS) {
    const at = base + rowOf(hash, n) * ROW_BYTES;
    bits[at] = (bits[at] ?? 0) | (0x80 >> (chunk & 7));
  }
};

/** The signature of a segment as it is made: which hashes stand in which of its chunks [bit-sliced, blocked Bloom filter]. */
export const newSignature = (): Signature => {
  const chunks: Uint32Array[] = [];
  const full = new Set<number>();
  const slots = new Uint32Array(SLOTS);
  const noted = new Uint32Array(HASHES_MAX);
  let count = 0;
  let isBegun = false;
  const endChunk = (): void => {
    if (isBegun) chunks.push(full.has(chunks.length) ? new Uint32Array() : noted.slice(0, count));
    slots.fill(0);
    count = 0;
  };
  return {
    beginChunk: () => {
      endChunk();
      isBegun = true;
    },
    note: (hash) => {
      let slot = hash % SLOTS;
      while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) % SLOTS;
      if (slots[slot] === hash) return;
      if (count === HASHES_MAX) {
        full.add(chunks.length);
        return;
      }
      slots[slot] = hash;
      noted[count] = hash;
      count += 1;
    },
    fill: () => {
      full.add(chunks.length);
    },
    finish: () => {
      endChunk();
      const most = Math.max(0, ...chunks.map(({ length }) => length));
      const blocks = Math.max(1, Math.ceil((most * ROWS_PER_HASH) / BLOCK_ROWS));
      const bits = new Uint8Array(blocks * BLOCK_BYTES);
      for (const [chunk, hashes] of chunks.entries()) for (const hash of hashes) set(bits, blocks, chunk, hash);
      const fullChunks = Array.from({ length: SEGMENT_CHUNKS }, (_, chunk) => (full.has(chunk) ? '1' : '0')).join('');
      return { blocks, bits, fullChunks };
    },
  };
};
