import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

/** Returns random bytes in hex, at most 4,096. Draws many at a time, since a call to the kernel for few costs more than the rest. */
export const randomHex = (bytes: number): string => {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
};
