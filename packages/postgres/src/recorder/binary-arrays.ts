/** Types of an array's elements, by the numbers they have in every PostgreSQL. */
const ELEMENT_TYPES = { text: 25, json: 114 } as const;
export type ElementType = keyof typeof ELEMENT_TYPES;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const OF_NULL = -1;

/** What a usual batch needs. More is allocated for the batch that needs it and not kept. */
const KEPT_BYTES = 262_144;

export type BinaryArrays = {
  /**
   * A one-dimensional array in PostgreSQL's binary form, to be sent as a parameter. The server copies the elements as they stand,
   * where those of a text would have to be escaped on this side and parsed on the other.
   */
  readonly encode: (type: ElementType, values: readonly (string | null)[]) => Buffer;
  /** Lets the memory of every array so far be used again: they must have been sent. */
  readonly reuse: () => void;
};

/** Makes arrays in memory that is used again and again: as many buffers as there are columns, for each batch, would keep the collector busy. */
export const newBinaryArrays = (): BinaryArrays => {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES);
  let used = 0;
  const take = (size: number): Buffer => {
    if (used + size > KEPT_BYTES) return Buffer.allocUnsafeSlow(size);
    used += size;
    return kept.subarray(used - size, used);
  };
  return {
    encode: (type, values) => {
      const lengths = values.map((value) => (value === null ? OF_NULL : Buffer.byteLength(value)));
      const bytes = take(lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(0, length), HEADER_BYTES));
      let at = 0;
      for (const word of [1, lengths.includes(OF_NULL) ? 1 : 0, ELEMENT_TYPES[type], values.length, 1]) at = bytes.writeInt32BE(word, at);
      for (const [index, value] of values.entries()) {
        at = bytes.writeInt32BE(lengths[index] ?? OF_NULL, at);
        if (value !== null) at += bytes.write(value, at);
      }
      return bytes;
    },
    reuse: () => {
      used = 0;
    },
  };
};
