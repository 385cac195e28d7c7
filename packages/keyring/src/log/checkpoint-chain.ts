import { hash } from 'node:crypto';
import { type CheckpointHistory, readCheckpoint } from './signed-note.ts';

/** A checkpoint that is kept: its number from 1 on, the time of its signature, and its hash. */
export type KeptCheckpoint = Pick<CheckpointHistory, 'number' | 'hash'> & { readonly at: string };

/** Returns the hash by which later checkpoints commit to a kept one: SHA-256 of its text with its signature, in base64. */
export const checkpointHash = (note: string): string => hash('sha256', note, 'base64');

/** The predecessor of the first kept checkpoint. */
const NO_HASH = Buffer.alloc(32).toString('base64');

/** Returns the newest kept checkpoint that a note commits to, which may be itself; undefined in a note of a release without links. */
export const findNewestKept = (note: string): KeptCheckpoint | undefined => {
  const history = readCheckpoint(note)?.history;
  if (history === undefined) return undefined;
  const { kind, number, at, hash: linked } = history;
  return { number, at, hash: kind === 'kept' ? checkpointHash(note) : linked };
};

/**
 * Returns the link of the checkpoint that follows a note: it is kept if the newest kept one is `everySeconds` old. This follows from signed
 * data
 * alone, so that no changed or deleted row influences it.
 */
export const nextHistory = (note: string | undefined, nowMs: number, everySeconds: number): CheckpointHistory => {
  const newest = note === undefined ? undefined : findNewestKept(note);
  if (newest !== undefined && Math.abs(nowMs - Date.parse(newest.at)) < everySeconds * 1_000) return { kind: 'after', ...newest };
  return { kind: 'kept', number: (newest?.number ?? 0) + 1, at: new Date(nowMs).toISOString(), hash: newest?.hash ?? NO_HASH };
};
