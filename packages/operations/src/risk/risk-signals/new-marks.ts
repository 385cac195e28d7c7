import { type Mark, readMark } from '@svc/domain/risk/conduct/mark.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { RequestHashes } from '@svc/keyring/bytes/request-hashes.ts';

const HELD_MAX = 50_000;

/**
 * Creates keyed hashes of names; recent ones are cached in memory. Each organization has its own, so that no other one can compute them.
 */
export const newMarks = (hashes: RequestHashes): Ports['mark'] => {
  const held = new Map<string, Mark>();
  return (organizationId, kind, name) => {
    const text = `risk ${organizationId} ${kind} ${name}`;
    const known = held.get(text);
    if (known !== undefined) return known;
    const mark = readMark(hashes(text).keyed.slice(0, 16));
    if (mark === null) throw new Error('a keyed hash is not hexadecimal');
    if (held.size >= HELD_MAX) held.clear();
    held.set(text, mark);
    return mark;
  };
};
