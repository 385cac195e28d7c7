import type { Breadth } from './breadths.ts';
import { selectTests } from './select-tests.ts';

/** Samples a list: `of` distinguishes it from other lists. */
export type Choose = (items: readonly string[], count: number, of: string) => readonly string[];

export type Breadths = Readonly<Record<string, Breadth>>;

/** Returns the test files that a full run leaves to the long run: all breadths but a sample, and of these all but the chosen files. */
export const leaveForLong = (breadths: Breadths, atOnceMax: number, choose: Choose): Set<string> => {
  const tried = choose(Object.keys(breadths), atOnceMax, 'breadths');
  return new Set(
    Object.entries(breadths).flatMap(([of, { short, files }]) => {
      const chosen = tried.includes(of) ? choose(files, short, of) : [];
      return files.filter((file) => !chosen.includes(file));
    }),
  );
};

export type TestRun = {
  /** True if a file or a test was named: then everything of it runs. */
  readonly isNamed: boolean;
  readonly files: readonly string[];
  /** Number of files left to the long run. */
  readonly left: number;
};

export type RunOptions = {
  readonly areas: readonly string[];
  readonly isLong: boolean;
  readonly breadths: Breadths;
  /** Number of breadths that a full run samples; a run of areas samples none, so that it is fast. */
  readonly breadthsMax: number;
  readonly choose: Choose;
};

/** Returns the files of a run, by the arguments of `npm test --`. */
export const getFilesOfRun = (
  all: readonly string[],
  words: readonly string[],
  { areas, isLong, breadths, breadthsMax, choose }: RunOptions,
): TestRun => {
  const parts = words.filter((word) => !word.startsWith('-'));
  const selected = selectTests(all, parts, areas);
  const isNamed = words.some((word) => !areas.includes(word));
  const left = isNamed || isLong ? new Set<string>() : leaveForLong(breadths, parts.length > 0 ? 0 : breadthsMax, choose);
  const files = selected.filter((file) => !left.has(file));
  return { isNamed, files, left: selected.length - files.length };
};
