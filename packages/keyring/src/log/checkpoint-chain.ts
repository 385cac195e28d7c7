import { hash } from 'node:crypto';
import { type History, readCheckpoint } from './signed-note.ts';

/** A checkpoint that is kept: its number from 1 on, when it was signed, and its hash. */
export type KeptCheckpoint = Pick<History, 'number' | 'hash'> & { readonly at: string };

/** The hash by which later checkpoints commit to a kept one: SHA-256 of its text with its signature, base64. */
export const checkpointHash = (note: string): string => hash('sha256', note, 'base64');

/** The first kept checkpoint has none before it. */
const NO_HASH = Buffer.alloc(32).toString('base64');

/** The newest kept checkpoint that a note commits to, which may be itself; undefined in a note of a release that linked none. */
export const newestKept = (note: string): KeptCheckpoint | undefined => {
  const history = readCheckpoint(note)?.history;
  if (history === undefined) return undefined;
  const { kind, number, at, hash: linked } = history;
  return { number, at, hash: kind === 'kept' ? checkpointHash(note) : linked };
};

/**
 * How the checkpoint that follows a note is linked: kept where the newest kept one is as old as `everySeconds`. It follows from what was signed
 * alone, so that no row that is changed or deleted changes it.
 */
export const nextHistory = (note: string | undefined, nowMs: number, everySeconds: number): History => {
  const newest = note === undefined ? undefined : newestKept(note);
  if (newest !== undefined && Math.abs(nowMs - Date.parse(newest.at)) < everySeconds * 1_000) return { kind: 'after', ...newest };
  return { kind: 'kept', number: (newest?.number ?? 0) + 1, at: new Date(nowMs).toISOString(), hash: newest?.hash ?? NO_HASH };
};
