import type { Order, Outcome } from './run-in-order.ts';

/** Failed files that are run once more: all of them when each measures time or load, and none when any does not. */
export const onceMore = (failed: readonly string[], measuring: Readonly<Record<string, string>>): readonly string[] =>
  failed.every((file) => Object.hasOwn(measuring, file)) ? failed : [];

/**
 * Runs files in order, and those that measure time or load once more alone where they were the only ones to fail. Answers whether all
 * passed, each at the first time or at its second.
 */
export const runWithSecondChance = async (
  first: Outcome,
  measuring: Readonly<Record<string, string>>,
  runAlone: (files: Order['files']) => Promise<Outcome>,
): Promise<boolean> => {
  if (first.failed.length === 0) return true;
  const again = onceMore(first.failed, measuring);
  if (again.length === 0) return false;
  console.log(`\nOnly files that measure time or load failed; each is run once more alone: ${again.join(', ')}`);
  const second = await runAlone(again);
  for (const file of again)
    console.log(
      `${file}: failed beside others, ${second.failed.includes(file) ? 'failed alone' : 'passed alone'}; it measures ${measuring[file]}`,
    );
  return second.failed.length === 0;
};
