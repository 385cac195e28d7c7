import path from 'node:path';
import { sampleFew } from '@svc/testing/length/test-length.ts';
import { readDocument, SESSIONS } from './play-session.ts';

const NEEDS = /^You need the terminal of \[[^\]]+\]\(([\w-]+\.md)\)/m;

/** Returns the guides that a guide builds on, in order, and itself. */
export const listGuidesUpTo = (file: string): string[] => {
  const before = NEEDS.exec(readDocument(file))?.[1];
  return before === undefined ? [file] : [...listGuidesUpTo(path.join(path.dirname(file), before)), file];
};

/** Returns the sessions of a group. The short run plays one document of it, with those that it builds on. */
export const getSessions = (group: keyof typeof SESSIONS): readonly (readonly string[])[] => {
  const all: readonly (readonly string[])[] = SESSIONS[group];
  const documents = [...new Set(all.flat())];
  const chosen = sampleFew(documents, 1, `documents of ${group}`);
  return chosen.length === documents.length ? all : chosen.map(listGuidesUpTo);
};
