import { hash } from 'node:crypto';

/** `true` in the environment of `npm run test:long`: everything is tried as often, and on as many, as is promised. */
export const TEST_LONG = 'TEST_LONG';

/** By what the short form chooses among many. Each run has another and prints it; a file that is started by itself always chooses the same. */
export const TEST_SEED = 'TEST_SEED';

/** `true` where somebody named what is to run, so that nothing of it is left out for being of the long form alone. */
export const TEST_NAMED = 'TEST_NAMED';

export const isLong = process.env[TEST_LONG] === 'true';

const isWhole = isLong || process.env[TEST_NAMED] === 'true';

/** Options of a test that a run of everything leaves to the long form and to whoever names its file: `test('...', longOnly, ...)`. */
export const longOnly = { skip: isWhole ? false : 'part of npm run test:long' } as const;

/** How often something is tried: in the short form at least once of each kind. */
export const often = ({ short, long }: { readonly short: number; readonly long: number }): number => (isLong ? long : short);

/** The same for the same seed, and for each name another. */
const rankOf = (name: string): string => hash('sha256', `${process.env[TEST_SEED] ?? '0'}\n${name}`);

/** By what a property makes its examples: always the same in the long form, so that all of them hold. */
export const seedOf = (long: number): number => (isLong ? long : Number.parseInt(rankOf('examples').slice(0, 7), 16));

/** Some of these, in their order; all of them in the long form. `of` tells them apart from what else is chosen. */
export const someOf = <Item>(items: readonly Item[], count: number, of: string): readonly Item[] => {
  if (isLong || items.length <= count) return items;
  const ranks = items.map((_, index) => rankOf(`${of}\n${index}`));
  const last = ranks.toSorted()[count - 1] ?? '';
  return items.filter((_, index) => (ranks[index] ?? '') <= last);
};

/** Some of each kind, in the order of the kinds; all of them in the long form. */
export const someOfEach = <Item>(items: readonly Item[], kindOf: (item: Item) => string, count: number, of: string): readonly Item[] =>
  [...Map.groupBy(items, kindOf)].flatMap(([kind, own]) => someOf(own, count, `${of}\n${kind}`));

/** Some of what is tried as a whole by whoever names the file: a run of everything alone takes fewer than there are. */
export const fewOf = <Item>(items: readonly Item[], count: number, of: string): readonly Item[] =>
  isWhole ? items : someOf(items, count, of);
