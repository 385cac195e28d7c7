import type { Mark } from './mark.ts';

/** Two generations of a Bloom filter. A name stays known for one to two generations. */
export type Bloom = { readonly older: Uint8Array; readonly newer: Uint8Array; readonly hashes: number; since: number };

export const GENERATION_MS = 30 * 86_400_000;
/** Above this share of set bits there are too many false positives. */
const FILL_MAX = 0.5;

export const newBloom = (bytes: number, hashes: number): Bloom => ({
  older: new Uint8Array(bytes),
  newer: new Uint8Array(bytes),
  hashes,
  since: 0,
});

const has = (bits: Uint8Array, [high, low]: Mark, hashes: number): boolean => {
  const size = bits.length * 8;
  for (let index = 0; index < hashes; index += 1) {
    const at = (high + index * ((low | 1) >>> 0)) % size;
    if (((bits[at >> 3] as number) & (1 << (at & 7))) === 0) return false;
  }
  return true;
};

export const isKnown = ({ older, newer, hashes }: Bloom, mark: Mark): boolean => has(newer, mark, hashes) || has(older, mark, hashes);

/** Adds a name. Starts a new generation if the current one is old enough. */
export const learn = (bloom: Bloom, [high, low]: Mark, atMs: number): void => {
  if (bloom.since === 0) bloom.since = atMs;
  if (atMs - bloom.since >= GENERATION_MS) {
    bloom.older.set(bloom.newer);
    bloom.newer.fill(0);
    bloom.since = atMs;
  }
  const size = bloom.newer.length * 8;
  for (let index = 0; index < bloom.hashes; index += 1) {
    const at = (high + index * ((low | 1) >>> 0)) % size;
    bloom.newer[at >> 3] = (bloom.newer[at >> 3] as number) | (1 << (at & 7));
  }
};

const bitsSet = (bits: Uint8Array): number => {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count += 1;
  return count;
};

const fillOf = ({ older, newer }: Bloom): number => Math.max(bitsSet(older), bitsSet(newer)) / (newer.length * 8);

/** Returns true if so many names are known that a new one cannot be recognized. */
export const isFull = (bloom: Bloom): boolean => fillOf(bloom) > FILL_MAX;

/** Returns the estimated number of known names. */
export const countKnown = (bloom: Bloom): number =>
  Math.round((-(bloom.newer.length * 8) / bloom.hashes) * Math.log(1 - Math.min(fillOf(bloom), 0.99)));
