import type { BenchRequest, BenchRule, Effect } from '../rules.ts';

/** An engine with its rules loaded. Requests are handed over beforehand, so that no engine is charged for their translation. */
export type LoadedEngine = {
  /** Decides the request at this place of the list. */
  readonly decide: (index: number) => Effect | Promise<Effect>;
};

export type Engine = {
  readonly name: string;
  /** Loads the rules and prepares whatever the engine's documents say to prepare. */
  readonly load: (rules: readonly BenchRule[], requests: readonly BenchRequest[]) => Promise<LoadedEngine>;
};

/** The element at a place that is known to be there. */
export const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error(`there is nothing at ${index}`);
  return item;
};
