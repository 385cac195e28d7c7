import { readFileSync } from 'node:fs';
import path from 'node:path';
import { digestText } from '../../digest/digest.ts';

let read: string | undefined;

/** Returns the hook file. It is the same for every runtime: its settings are environment variables. */
export const hookFile = (): string => {
  read ??= readFileSync(path.join(import.meta.dirname, 'hook.cjs'), 'utf8');
  return read;
};

/** Returns what the hook file answers to a nonce. */
export const hookProof = (nonce: string): string => digestText(nonce + hookFile());

export const hookFileHash = (): string => digestText(hookFile());
