import { readFileSync } from 'node:fs';
import { getUsageError } from '../exit-codes.ts';
import { isSystemError, parseJson } from '../files/json-file.ts';
import type { FlagRow } from '../table/command-table.ts';
import { type Io, readStdinBytes } from '../terminal/io.ts';

const listAmong = (words: readonly string[]): string => words.join(', ');

const readWhole = (text: string, flag: string): number => {
  if (!/^-?\d{1,16}$/.test(text)) throw getUsageError(`--${flag} needs a whole number, and got "${text}".`);
  return Number(text);
};

const readDecimal = (text: string, flag: string): number => {
  if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) throw getUsageError(`--${flag} needs a number, and got "${text}".`);
  return Number(text);
};

/** The bytes of a file, or of standard input for "-". */
export const readBytes = async (io: Io, source: string): Promise<Uint8Array<ArrayBuffer>> => {
  if (source === '-') return readStdinBytes(io);
  try {
    return new Uint8Array(readFileSync(source));
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR')) throw error;
    throw getUsageError(`${source} cannot be read.`, 'Name a file, or "-" for standard input.');
  }
};

/** The text of a file, or of standard input for "-". */
export const readSource = async (io: Io, source: string): Promise<string> => Buffer.from(await readBytes(io, source)).toString('utf8');

const checkWord = (text: string, { flag, words }: FlagRow): string => {
  if (words === undefined || words.includes(text)) return text;
  const upper = text.toUpperCase();
  if (words.includes(upper)) return upper;
  throw getUsageError(`--${flag} is one of: ${listAmong(words)}. It was "${text}".`);
};

/** `true`, `false`, or nothing, which is true. */
const readBoolean = (value: unknown, flag: string): boolean => {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw getUsageError(`--${flag} is true or false.`);
};

/** The value of a flag as its member expects it. */
export const readFlag = async (io: Io, row: FlagRow, value: unknown): Promise<unknown> => {
  if (row.kind === 'boolean') return readBoolean(value, row.flag);
  if (row.kind === 'list') {
    const parts = (Array.isArray(value) ? value : [value]).flatMap((each) => String(each).split(','));
    return parts.map((part) => checkWord(part.trim(), row)).filter((part) => part !== '');
  }
  const text = String(value);
  if (row.nullable && text === 'null') return null;
  if (row.kind === 'secret') return (await readSource(io, text)).replace(/\r?\n$/, '');
  if (row.kind === 'json') return parseJson(text.startsWith('@') ? await readSource(io, text.slice(1)) : text, `--${row.flag}`);
  if (row.kind === 'integer') return readWhole(text, row.flag);
  if (row.kind === 'number') return readDecimal(text, row.flag);
  return checkWord(text, row);
};
