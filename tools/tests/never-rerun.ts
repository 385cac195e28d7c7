import type { FailedFile } from './rerun-failed.ts';

/** Folders whose failed tests are never repeated, each with the reason. */
const FOLDERS: Readonly<Record<string, string>> = {
  'e2e/attacks/': 'an attack that comes through once has come through',
  'e2e/promises/': 'a promise that is broken once is broken',
  'e2e/crash/': 'what a crash leaves depends on when it comes, and it comes once',
};

/**
 * Words of faults that show only now and then, each with its reason. A test whose name or path contains one is not repeated: a failure of
 * one in ten runs would be found in one of a hundred.
 */
const WORDS: readonly { readonly word: RegExp; readonly since: string }[] = [
  { word: /\bonce\b/i, since: 'what acts at once meets differently each time, and a second time happens only now and then' },
  { word: /\btwice\b/i, since: 'a second time happens now and then where it happens at all' },
  { word: /\b(at|in) the same (time|moment|instant)\b/i, since: 'which of them comes first differs each time' },
  { word: /\bparallel\b|\bconcurren/i, since: 'what runs in parallel meets differently each time' },
  { word: /\brac(e|es|ed|ing)\b/i, since: 'a race is lost now and then where it is lost at all' },
  { word: /\b(wins?|winners?)\b/i, since: 'who wins differs each time' },
  { word: /\breplay/i, since: 'what is replayed has to be refused each time' },
];

/** Returns why a failed file is not repeated, if so. */
export const getRerunRefusal = ({ file, tests }: FailedFile): string | undefined => {
  const folder = Object.keys(FOLDERS).find((start) => file.startsWith(start));
  if (folder !== undefined) return `${file} is not run again: ${FOLDERS[folder]}.`;
  if (tests.length === 0) return `${file} is not run again: it failed without saying which of its tests did.`;
  for (const name of [file.replaceAll(/[-/.]/g, ' '), ...tests]) {
    const found = WORDS.find(({ word }) => word.test(name));
    if (found !== undefined) return `${file} is not run again: ${found.since} ("${name}").`;
  }
  return undefined;
};
