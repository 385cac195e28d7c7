/** The size of a usual batch. A larger buffer is freed before the next. */
const KEPT_BYTES = 262_144;
/** UTF-8 needs no more than this for each of a text's UTF-16 units. */
const UNIT_BYTES_MAX = 3;
const INT_BYTES = 4;

/** Values one after the other in PostgreSQL's binary form. */
export type WireBytes = {
  /** Forgets all that was written: it must have been sent. */
  readonly begin: () => void;
  /** Returns everything written since the last reset; valid until the next one. */
  readonly written: () => Buffer;
  /** Also writes the 32 bits of an unsigned number. */
  readonly int32: (value: number) => void;
  /** UTF-8, and before it its length. */
  readonly text: (value: string) => void;
  /** Writes the bytes of hex digits, after their number. */
  readonly hex: (digits: string) => void;
  /** Reserves the length field of what follows; `close` fills it in. */
  readonly open: () => number;
  readonly close: (opened: number) => void;
};

const getView = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Memory that is used again and again: new buffers for each batch would keep the collector busy. */
const newMemory = () => {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES);
  const memory: { bytes: Buffer; view: DataView } = { bytes: kept, view: getView(kept) };
  const use = (bytes: Buffer): void => {
    memory.bytes = bytes;
    memory.view = getView(bytes);
  };
  return {
    memory,
    reserve: (end: number, room: number): void => {
      if (end + room <= memory.bytes.length) return;
      const larger = Buffer.allocUnsafeSlow(2 * memory.bytes.length + room);
      memory.bytes.copy(larger, 0, 0, end);
      use(larger);
    },
    giveBack: (): void => {
      if (memory.bytes !== kept) use(kept);
    },
  };
};

export const newWireBytes = (): WireBytes => {
  const { memory, reserve, giveBack } = newMemory();
  let end = 0;
  const int32 = (value: number): void => {
    reserve(end, INT_BYTES);
    memory.view.setInt32(end, value);
    end += INT_BYTES;
  };
  const close = (opened: number): void => memory.view.setInt32(opened - INT_BYTES, end - opened);
  const open = (): number => {
    reserve(end, INT_BYTES);
    end += INT_BYTES;
    return end;
  };
  return {
    begin: () => {
      giveBack();
      end = 0;
    },
    written: () => memory.bytes.subarray(0, end),
    int32,
    text: (value) => {
      reserve(end, INT_BYTES + value.length * UNIT_BYTES_MAX);
      const size = memory.bytes.write(value, end + INT_BYTES);
      memory.view.setInt32(end, size);
      end += INT_BYTES + size;
    },
    hex: (digits) => {
      const opened = open();
      reserve(end, digits.length);
      end += memory.bytes.write(digits, end, 'hex');
      close(opened);
    },
    open,
    close,
  };
};
