import path from 'node:path';
import { fewOf } from '@svc/testing/length/test-length.ts';
import { SESSIONS, textOf } from './play-session.ts';

const GOES_ON = /\bThis goes on (?:where|from) \[[^\]]+\]\(([\w-]+\.md)\)/;

/** The guides that one has to have followed before this one, by its own words, and itself. */
export const upTo = (file: string): string[] => {
  const before = GOES_ON.exec(textOf(file))?.[1];
  return before === undefined ? [file] : [...upTo(path.join(path.dirname(file), before)), file];
};

/** The sessions of a group; where everything is run, that of one of its documents, with those that lead to it. */
export const sessionsOf = (group: keyof typeof SESSIONS): readonly (readonly string[])[] => {
  const all: readonly (readonly string[])[] = SESSIONS[group];
  const documents = [...new Set(all.flat())];
  const chosen = fewOf(documents, 1, `documents of ${group}`);
  return chosen.length === documents.length ? all : chosen.map(upTo);
};
