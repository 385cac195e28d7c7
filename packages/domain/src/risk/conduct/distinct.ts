import type { Mark } from './mark.ts';

const REGISTERS = 128;
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

export const newRegisters = (): Uint8Array => new Uint8Array(REGISTERS);

/** Counts a value into a HyperLogLog. */
export const addDistinct = (registers: Uint8Array, [high, low]: Mark): void => {
  const at = high & (REGISTERS - 1);
  const rank = Math.clz32(low) + 1;
  if (rank > (registers[at] as number)) registers[at] = rank;
};

/** About how many different values were counted; the standard error is 9 %. */
export const countDistinct = (registers: Uint8Array): number => {
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty += 1;
  }
  const raw = (ALPHA * REGISTERS * REGISTERS) / sum;
  return Math.round(raw <= 2.5 * REGISTERS && empty > 0 ? REGISTERS * Math.log(REGISTERS / empty) : raw);
};
