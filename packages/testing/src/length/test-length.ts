import { hash } from 'node:crypto';

/** `true` in `npm run test:long`: everything is tried as often, and on as many, as promised. */
export const TEST_LONG = 'TEST_LONG';

/**
 * Seed of the random samples in the short run. Each run has another one and prints it; a file that is run by itself always uses the same.
 */
export const TEST_SEED = 'TEST_SEED';

/** `true` if files were named, so that none of their tests is left to the long run. */
export const TEST_NAMED = 'TEST_NAMED';

export const isLong = process.env[TEST_LONG] === 'true';

const isWhole = isLong || process.env[TEST_NAMED] === 'true';

/** Options of a test that a full run leaves to the long run and to runs that name its file: `test('...', longOnly, ...)`. */
export const longOnly = { skip: isWhole ? false : 'part of npm run test:long' } as const;

/** Returns the number of repetitions: in the short run at least one of each kind. */
export const countRepetitions = ({ short, long }: { readonly short: number; readonly long: number }): number => (isLong ? long : short);

/** Ranks a name; the same for the same seed. */
const getRank = (name: string): string => hash('sha256', `${process.env[TEST_SEED] ?? '0'}\n${name}`);

/** Returns the seed of a property test: always the same in the long run, so that all examples hold. */
export const getSeed = (long: number): number => (isLong ? long : Number.parseInt(getRank('examples').slice(0, 7), 16));

/** Samples a list in order; returns all in the long run. `of` distinguishes it from other samples. */
export const sample = <Item>(items: readonly Item[], count: number, of: string): readonly Item[] => {
  if (isLong || items.length <= count) return items;
  const ranks = items.map((_, index) => getRank(`${of}\n${index}`));
  const last = ranks.toSorted()[count - 1] ?? '';
  return items.filter((_, index) => (ranks[index] ?? '') <= last);
};

/** Samples each kind, in the order of the kinds; returns all in the long run. */
export const sampleEach = <Item>(items: readonly Item[], kindOf: (item: Item) => string, count: number, of: string): readonly Item[] =>
  [...Map.groupBy(items, kindOf)].flatMap(([kind, own]) => sample(own, count, `${of}\n${kind}`));

/** Samples a list only in a full run; a run that names the file uses all. */
export const sampleFew = <Item>(items: readonly Item[], count: number, of: string): readonly Item[] =>
  isWhole ? items : sample(items, count, of);
