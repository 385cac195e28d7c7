import { styleText } from 'node:util';
import type { Settings } from '../settings.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** The three streams of the program, and how they may be used. */
export type Io = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Questions may be asked. */
  readonly interactive: boolean;
  /** Standard output is a terminal: tables and colours instead of plain columns. */
  readonly table: boolean;
  readonly columns: number;
  readonly paint: (style: Style, text: string) => string;
  /** Writes a line to standard output: the result, and nothing else. */
  readonly out: (line: string) => void;
  /** Writes a line to standard error: notes, progress and hints. */
  readonly note: (line: string) => void;
};

const WIDTH = 100;

export const openIo = (
  settings: Settings,
  options: { readonly noInput?: boolean; readonly noColor?: boolean; readonly quiet?: boolean },
): Io => {
  const stdin = process.stdin;
  const stdout = process.stdout;
  const stderr = process.stderr;
  const table = stdout.isTTY === true;
  const colors = table && !settings.noColor && !options.noColor;
  return {
    stdin,
    stdout,
    stderr,
    interactive: stdin.isTTY === true && stderr.isTTY === true && !settings.noInput && !settings.ci && !options.noInput,
    table,
    columns: stdout.columns ?? WIDTH,
    paint: (style, text) => (colors ? styleText(style, text, { validateStream: false }) : text),
    out: (line) => void stdout.write(`${line}\n`),
    note: (line) => {
      if (!options.quiet) stderr.write(`${line}\n`);
    },
  };
};

/** Text from the service for a terminal: control characters, which could move the cursor or hide text, are replaced. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

const INPUT_BYTES_MAX = 32 * 1024 * 1024;

/** Everything that comes over standard input, up to a limit. */
export const readStdin = async ({ stdin }: Io): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > INPUT_BYTES_MAX) throw new RangeError('Standard input exceeds 32 MiB.');
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
};
