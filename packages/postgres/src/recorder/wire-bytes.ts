/** What a usual batch needs. What a larger one takes is given back before the next. */
const KEPT_BYTES = 262_144;
/** UTF-8 needs no more than this for each of a text's UTF-16 units. */
const UNIT_BYTES_MAX = 3;
const INT_BYTES = 4;

/** Values one after the other in PostgreSQL's binary form. */
export type WireBytes = {
  /** Forgets all that was written: it must have been sent. */
  readonly begin: () => void;
  /** All that was written since; it stands until the next beginning. */
  readonly written: () => Buffer;
  /** Of a number that has no sign its 32 bits, too. */
  readonly int32: (value: number) => void;
  /** UTF-8, and before it its length. */
  readonly text: (value: string) => void;
  /** The bytes that the hex digits stand for, and before them how many. */
  readonly hex: (digits: string) => void;
  /** Leaves room for the length of what follows; `close` writes it there. */
  readonly open: () => number;
  readonly close: (opened: number) => void;
};

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Memory that is used again and again: new buffers for each batch would keep the collector busy. */
export const newWireBytes = (): WireBytes => {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES);
  let bytes: Buffer = kept;
  let view = viewOf(bytes);
  let end = 0;
  const use = (memory: Buffer): void => {
    bytes = memory;
    view = viewOf(memory);
  };
  const reserve = (room: number): void => {
    if (end + room <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * bytes.length + room);
    bytes.copy(larger, 0, 0, end);
    use(larger);
  };
  const int32 = (value: number): void => {
    reserve(INT_BYTES);
    view.setInt32(end, value);
    end += INT_BYTES;
  };
  const close = (opened: number): void => view.setInt32(opened - INT_BYTES, end - opened);
  const open = (): number => {
    reserve(INT_BYTES);
    end += INT_BYTES;
    return end;
  };
  return {
    begin: () => {
      if (bytes !== kept) use(kept);
      end = 0;
    },
    written: () => bytes.subarray(0, end),
    int32,
    text: (value) => {
      reserve(INT_BYTES + value.length * UNIT_BYTES_MAX);
      const size = bytes.write(value, end + INT_BYTES);
      view.setInt32(end, size);
      end += INT_BYTES + size;
    },
    hex: (digits) => {
      const opened = open();
      reserve(digits.length);
      end += bytes.write(digits, end, 'hex');
      close(opened);
    },
    open,
    close,
  };
};
