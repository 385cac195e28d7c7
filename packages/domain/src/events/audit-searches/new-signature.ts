import { BLOCK_BYTES, BLOCK_ROWS, computeBlock, computeRow, ROW_BYTES, ROW_INDEXES, SEGMENT_CHUNKS } from './bloom-positions.ts';

/** Rows for each hash of a chunk: about one in a thousand chunks is read in vain. */
const ROWS_PER_HASH = 24;
/** Beyond this number a chunk cannot be excluded; a table of twice the size stays half empty. */
const HASHES_MAX = 16_384;
const SLOTS = 2 * HASHES_MAX;

export type SegmentBits = {
  readonly blocks: number;
  readonly bits: Uint8Array;
  /** One character per chunk: 1 for those that must always be read. */
  readonly fullChunks: string;
};

export type SegmentSignature = {
  /** Starts the next chunk. */
  readonly beginChunk: () => void;
  readonly note: (hash: number) => void;
  /** The present chunk may hold anything. */
  readonly fill: () => void;
  readonly finish: () => SegmentBits;
};

const set = (bits: Uint8Array, blocks: number, chunk: number, hash: number): void => {
  const base = (computeBlock(hash) % blocks) * BLOCK_BYTES + (chunk >> 3);
  for (const n of ROW_INDEXES) {
    const at = base + computeRow(hash, n) * ROW_BYTES;
    bits[at] = (bits[at] ?? 0) | (0x80 >> (chunk & 7));
  }
};

/** Builds the signature of a segment: the hashes in each of its chunks [bit-sliced, blocked Bloom filter]. */
export const newSignature = (): SegmentSignature => {
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
