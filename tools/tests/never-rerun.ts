import type { FailedFile } from './rerun-failed.ts';

/** Folders whose failed tests are never repeated, each with the reason. */
const FOLDERS: Readonly<Record<string, string>> = {
  'e2e/attacks/': 'an attack that succeeds once is a vulnerability',
  'e2e/promises/': 'a promise that is broken once is broken',
  'e2e/crash/': 'the state after a crash depends on its moment, which does not repeat',
};

/**
 * Words of faults that show only now and then, each with its reason. A test whose name or path contains one is not repeated: a failure of
 * one in ten runs would be found in one of a hundred.
 */
const WORDS: readonly { readonly word: RegExp; readonly since: string }[] = [
  { word: /\bonce\b/i, since: 'concurrent requests interleave differently each time, and a repetition fails rarely' },
  { word: /\btwice\b/i, since: 'a double execution is rare when it exists' },
  { word: /\b(at|in) the same (time|moment|instant)\b/i, since: 'the order differs each time' },
  { word: /\bparallel\b|\bconcurren/i, since: 'parallel work interleaves differently each time' },
  { word: /\brac(e|es|ed|ing)\b/i, since: 'a race condition shows rarely' },
  { word: /\b(wins?|winners?)\b/i, since: 'the winner differs each time' },
  { word: /\breplay/i, since: 'a replay must be refused each time' },
];

/** Returns why a failed file is not repeated, if so. */
export const getRerunRefusal = ({ file, tests }: FailedFile): string | undefined => {
  const folder = Object.keys(FOLDERS).find((start) => file.startsWith(start));
  if (folder !== undefined) return `${file} is not run again: ${FOLDERS[folder]}.`;
  if (tests.length === 0) return `${file} is not run again: it failed without naming a failed test.`;
  for (const name of [file.replaceAll(/[-/.]/g, ' '), ...tests]) {
    const found = WORDS.find(({ word }) => word.test(name));
    if (found !== undefined) return `${file} is not run again: ${found.since} ("${name}").`;
  }
  return undefined;
};
