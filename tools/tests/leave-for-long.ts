import type { Breadth } from './breadths.ts';
import { selectTests } from './select-tests.ts';

/** Some of a list: `of` tells it apart from other lists. */
export type Choose = (items: readonly string[], count: number, of: string) => readonly string[];

export type Breadths = Readonly<Record<string, Breadth>>;

/** The test files that a run of everything leaves for the long form: all breadths but so many, and of each of these all but those that are chosen. */
export const leaveForLong = (breadths: Breadths, atOnceMax: number, choose: Choose): Set<string> => {
  const tried = choose(Object.keys(breadths), atOnceMax, 'breadths');
  return new Set(
    Object.entries(breadths).flatMap(([of, { short, files }]) => {
      const chosen = tried.includes(of) ? choose(files, short, of) : [];
      return files.filter((file) => !chosen.includes(file));
    }),
  );
};

export type Run = {
  /** Whether somebody named a file or a test: then all of it is meant, and nothing is left out. */
  readonly isNamed: boolean;
  readonly files: readonly string[];
  /** How many files it leaves for the long form. */
  readonly left: number;
};

export type RunOptions = {
  readonly areas: readonly string[];
  readonly isLong: boolean;
  readonly breadths: Breadths;
  /** Of how many breadths a run of everything tries something; one of areas tries none, so that it is over soon. */
  readonly breadthsMax: number;
  readonly choose: Choose;
};

/** What a run is of, by the words behind `npm test --`. */
export const filesOfRun = (
  all: readonly string[],
  words: readonly string[],
  { areas, isLong, breadths, breadthsMax, choose }: RunOptions,
): Run => {
  const parts = words.filter((word) => !word.startsWith('-'));
  const selected = selectTests(all, parts, areas);
  const isNamed = words.some((word) => !areas.includes(word));
  const left = isNamed || isLong ? new Set<string>() : leaveForLong(breadths, parts.length > 0 ? 0 : breadthsMax, choose);
  const files = selected.filter((file) => !left.has(file));
  return { isNamed, files, left: selected.length - files.length };
};
