import type { BenchEffect, BenchRequest, BenchRule } from '../rules.ts';

/** An engine with its rules loaded. Requests are converted in advance, so that no engine is charged for it. */
export type LoadedEngine = {
  /** Decides the request at this index of the list. */
  readonly decide: (index: number) => BenchEffect | Promise<BenchEffect>;
};

export type BenchEngine = {
  readonly name: string;
  /** Loads the rules and prepares everything that the engine's documentation recommends. */
  readonly load: (rules: readonly BenchRule[], requests: readonly BenchRequest[]) => Promise<LoadedEngine>;
};

/** Returns the element at an existing index. */
export const getAt = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error(`there is nothing at ${index}`);
  return item;
};
