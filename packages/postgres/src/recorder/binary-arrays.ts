/** Types of an array's elements, by the numbers they have in every PostgreSQL. */
const ELEMENT_TYPES = { text: 25, json: 114 } as const;
export type ElementType = keyof typeof ELEMENT_TYPES;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const OF_NULL = -1;

/** What a usual batch needs. More is allocated for the batch that needs it and not kept. */
const KEPT_BYTES = 262_144;

/** UTF-8 needs no more than this for each of a text's UTF-16 units. */
const UNIT_BYTES_MAX = 3;
/** A text up to this long gets room for the worst case, which costs less than to measure it. */
const UNMEASURED_CHARS_MAX = 256;

const roomFor = (value: string | null): number =>
  value === null ? 0 : value.length > UNMEASURED_CHARS_MAX ? Buffer.byteLength(value) : value.length * UNIT_BYTES_MAX;

export type BinaryArrays = {
  /**
   * A one-dimensional array in PostgreSQL's binary form, to be sent as a parameter. The server copies the elements as they stand,
   * where those of a text would have to be escaped on this side and parsed on the other.
   */
  readonly encode: (type: ElementType, values: readonly (string | null)[]) => Buffer;
  /** Lets the memory of every array so far be used again: they must have been sent. */
  readonly reuse: () => void;
};

const writeHeader = (bytes: Buffer, type: ElementType, length: number, hasNull: boolean): void => {
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(hasNull ? 1 : 0, 4);
  bytes.writeInt32BE(ELEMENT_TYPES[type], 8);
  bytes.writeInt32BE(length, 12);
  bytes.writeInt32BE(1, 16);
};

/** Answers where the element ends. */
const writeElement = (bytes: Buffer, at: number, value: string | null): number => {
  const size = value === null ? OF_NULL : bytes.write(value, at + LENGTH_BYTES);
  bytes.writeInt32BE(size, at);
  return at + LENGTH_BYTES + Math.max(0, size);
};

/** Makes arrays in memory that is used again and again: as many buffers as there are columns, for each batch, would keep the collector busy. */
export const newBinaryArrays = (): BinaryArrays => {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES);
  let used = 0;
  return {
    encode: (type, values) => {
      let room = HEADER_BYTES;
      for (const value of values) room += LENGTH_BYTES + roomFor(value);
      const isKept = used + room <= KEPT_BYTES;
      const bytes = isKept ? kept.subarray(used) : Buffer.allocUnsafeSlow(room);
      let end = HEADER_BYTES;
      for (const value of values) end = writeElement(bytes, end, value);
      writeHeader(bytes, type, values.length, values.includes(null));
      if (isKept) used += end;
      return bytes.subarray(0, end);
    },
    reuse: () => {
      used = 0;
    },
  };
};
