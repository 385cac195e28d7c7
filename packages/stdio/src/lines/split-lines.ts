const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Collects chunks of bytes into lines. A line is handed on without its end, as UTF-8. */
export type LineSplitter = {
  /** Takes a chunk. Returns false once a line exceeds the limit; what follows is not read. */
  readonly take: (chunk: Uint8Array) => boolean;
  /** Hands on a last line that has no end. */
  readonly end: () => void;
};

const decode = (pieces: readonly Uint8Array[]): string => {
  const bytes = Buffer.concat(pieces);
  return bytes.subarray(0, bytes.at(-1) === RETURN ? -1 : undefined).toString('utf8');
};

/** Splits a stream of bytes into lines of at most `bytesMax` bytes. Blank lines are skipped. */
export const splitLines = (bytesMax: number, onLine: (line: string) => void): LineSplitter => {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let isTooLong = false;
  const flush = (): void => {
    const line = decode(pieces);
    pieces = [];
    held = 0;
    if (line.trim() !== '') onLine(line);
  };
  const hold = (piece: Uint8Array): boolean => {
    held += piece.length;
    isTooLong = held > bytesMax;
    if (isTooLong) pieces = [];
    else pieces.push(piece);
    return !isTooLong;
  };
  return {
    take: (chunk) => {
      let from = 0;
      while (!isTooLong) {
        const at = chunk.indexOf(NEWLINE, from);
        if (at < 0) return from === chunk.length || hold(chunk.subarray(from));
        if (!hold(chunk.subarray(from, at))) return false;
        flush();
        from = at + 1;
      }
      return false;
    },
    end: () => {
      if (!isTooLong && held > 0) flush();
    },
  };
};
