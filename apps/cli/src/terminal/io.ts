import { stripVTControlCharacters, styleText } from 'node:util';
import type { Settings } from '../settings.ts';
import { showInPager } from './show-in-pager.ts';

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
  /** Prints what `write` writes, in a pager if it is longer than the terminal. */
  readonly outInPager: (write: () => void) => void;
  /** Writes a line to standard error: notes, progress and hints. */
  readonly note: (line: string) => void;
};

const WIDTH = 100;

const countRows = (text: string, columns: number): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns)), 0);

type IoOptions = { readonly noInput?: boolean; readonly noColor?: boolean; readonly noPager?: boolean; readonly quiet?: boolean };

/** The pager of a terminal on which keys can be pressed. */
const choosePager = ({ stdin, stdout }: NodeJS.Process, settings: Settings, options: IoOptions): string | undefined => {
  const isUsable = stdout.isTTY === true && stdin.isTTY === true && !settings.noInput && !settings.ci;
  return isUsable && !options.noInput && !options.noPager ? settings.pager : undefined;
};

const newOutput = (stdout: NodeJS.WriteStream, pager: string | undefined): Pick<Io, 'out' | 'outInPager'> => {
  let held: string[] | undefined;
  return {
    out: (line) => {
      if (held === undefined) stdout.write(`${line}\n`);
      else held.push(line);
    },
    outInPager: (write) => {
      if (pager === undefined || held !== undefined) {
        write();
        return;
      }
      const lines: string[] = [];
      held = lines;
      try {
        write();
      } finally {
        held = undefined;
      }
      const text = lines.map((line) => `${line}\n`).join('');
      const isLong = countRows(text, stdout.columns ?? WIDTH) > (stdout.rows ?? Number.POSITIVE_INFINITY);
      if (!isLong || !showInPager(pager, text)) stdout.write(text);
    },
  };
};

export const openIo = (settings: Settings, options: IoOptions): Io => {
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
    ...newOutput(stdout, choosePager(process, settings, options)),
    note: (line) => {
      if (!options.quiet) stderr.write(`${line}\n`);
    },
  };
};

/** Text from the service for a terminal: control characters, which could move the cursor or hide text, are replaced. */
export const escapeControlCharacters = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

const INPUT_BYTES_MAX = 32 * 1024 * 1024;

/** Everything that comes over standard input, up to a limit. */
export const readStdinBytes = async ({ stdin }: Io): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > INPUT_BYTES_MAX) throw new RangeError('Standard input exceeds 32 MiB.');
    chunks.push(part);
  }
  return new Uint8Array(Buffer.concat(chunks));
};

/** The same as text. */
export const readStdin = async (io: Io): Promise<string> => Buffer.from(await readStdinBytes(io)).toString('utf8');
