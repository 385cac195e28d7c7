import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { systemFault } from '../faults/system-fault.ts';

export type LogFile = {
  readonly file: string;
  /** What this process said in plain text. */
  readonly said: () => readonly string[];
  /** The error with which it broke, as it wrote it down itself. */
  readonly breakage: () => string | undefined;
  /** Resolves when it can say nothing more. */
  readonly ended: Promise<void>;
};

const TAIL_BYTES = 65_536;
const FATAL = 60;
const ERROR = 50;

const isJsonLine = (line: string): boolean => line.startsWith('{') && line.endsWith('}');

const tailOf = (file: string): string => {
  const descriptor = openSync(file, 'r');
  const from = Math.max(0, fstatSync(descriptor).size - TAIL_BYTES);
  const bytes = Buffer.alloc(TAIL_BYTES);
  const size = readSync(descriptor, bytes, 0, TAIL_BYTES, from);
  closeSync(descriptor);
  return bytes.toString('utf8', 0, size);
};

const lastBreakage = (file: string): string | undefined => {
  const line = tailOf(file)
    .split('\n')
    .findLast((each) => isJsonLine(each) && each.startsWith(`{"level":${FATAL},`));
  const { err } = JSON.parse(line ?? '{}') as { readonly err?: { readonly type: string; readonly message: string } };
  return err && `${err.type}: ${err.message}`;
};

/** A line that the disk has no room for is lost; the service goes on. */
const append = (file: string, line: string): void => {
  try {
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch (error) {
    if (systemFault(error) === undefined) throw error;
  }
};

/**
 * The log of one plane, for its owner only. The plane writes it and moves it aside itself; what reaches its standard error besides is no line
 * of its log, such as what an engine says that breaks, and is added as one, so that every line of the file is JSON.
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

/** Makes sure that a log can be written before there is anything to write. Throws what the system says otherwise. */
export const touchLog = (file: string): void => closeSync(openSync(file, 'a', 0o600));
