import path from 'node:path';
import { fewOf } from '@svc/testing/length/test-length.ts';
import { SESSIONS, textOf } from './play-session.ts';

const NEEDS = /^You need the terminal of \[[^\]]+\]\(([\w-]+\.md)\)/m;

/** Returns the guides that a guide builds on, in order, and itself. */
export const upTo = (file: string): string[] => {
  const before = NEEDS.exec(textOf(file))?.[1];
  return before === undefined ? [file] : [...upTo(path.join(path.dirname(file), before)), file];
};

/** Returns the sessions of a group. The short run plays one document of it, with those that it builds on. */
export const sessionsOf = (group: keyof typeof SESSIONS): readonly (readonly string[])[] => {
  const all: readonly (readonly string[])[] = SESSIONS[group];
  const documents = [...new Set(all.flat())];
  const chosen = fewOf(documents, 1, `documents of ${group}`);
  return chosen.length === documents.length ? all : chosen.map(upTo);
};
