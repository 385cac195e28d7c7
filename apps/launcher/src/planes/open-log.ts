import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findSystemFault } from '../faults/system-fault.ts';

export type LogFile = {
  readonly file: string;
  /** Returns what this process wrote in plain text. */
  readonly said: () => readonly string[];
  /** Returns the error of its crash, as it logged it. */
  readonly breakage: () => string | undefined;
  /** Resolves when no more output can arrive. */
  readonly ended: Promise<void>;
};

const TAIL_BYTES = 65_536;
const FATAL = 60;
const ERROR = 50;

const isJsonLine = (line: string): boolean => line.startsWith('{') && line.endsWith('}');

const getTail = (file: string): string => {
  const descriptor = openSync(file, 'r');
  const from = Math.max(0, fstatSync(descriptor).size - TAIL_BYTES);
  const bytes = Buffer.alloc(TAIL_BYTES);
  const size = readSync(descriptor, bytes, 0, TAIL_BYTES, from);
  closeSync(descriptor);
  return bytes.toString('utf8', 0, size);
};

const lastBreakage = (file: string): string | undefined => {
  const line = getTail(file)
    .split('\n')
    .findLast((each) => isJsonLine(each) && each.startsWith(`{"level":${FATAL},`));
  const { err } = JSON.parse(line ?? '{}') as { readonly err?: { readonly type: string; readonly message: string } };
  return err && `${err.type}: ${err.message}`;
};

/** A line that does not fit on the disk is lost; the service continues. */
const append = (file: string, line: string): void => {
  try {
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch (error) {
    if (findSystemFault(error) === undefined) throw error;
  }
};

/**
 * Opens the log of one plane, for its owner only. The plane writes and rotates it itself; other output on its standard error, such as an
 * engine crash, is appended as a JSON line, so that every line of the file is JSON.
 */
export const openLog = (file: string, output: NodeJS.ReadableStream): LogFile => {
  const said: string[] = [];
  let taken = 0;
  const lines = createInterface({ input: output });
  lines.on('line', (line) => {
    if (line.trim() === '' || taken >= LIMITS.logs.strayLinesMax) return;
    taken += 1;
    const text = line.slice(0, LIMITS.logs.strayCharactersMax);
    const isOwn = isJsonLine(text);
    if (!isOwn) said.push(text);
    const told = { level: ERROR, time: new Date().toISOString(), source: 'standard error', msg: text };
    append(file, isOwn ? text : JSON.stringify(told));
  });
  const ended = new Promise<void>((resolve) => lines.once('close', resolve));
  return { file, said: () => said, breakage: () => lastBreakage(file), ended };
};

/** Checks that a log can be written before there is anything to write. Throws the system's error otherwise. */
export const touchLog = (file: string): void => closeSync(openSync(file, 'a', 0o600));
