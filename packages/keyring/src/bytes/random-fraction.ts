import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

/** One of 256 evenly spaced numbers from 0 to below 1. Drawn many at a time: asking the kernel for each byte costs more than what is made of it. */
export const randomFraction = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool.readUInt8(used);
  used += 1;
  return byte / 256;
};
