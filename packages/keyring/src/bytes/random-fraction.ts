import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

/** Returns one of 256 evenly spaced numbers in [0, 1). Draws many at a time: a call to the kernel per byte costs more than the rest. */
export const randomFraction = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool.readUInt8(used);
  used += 1;
  return byte / 256;
};
