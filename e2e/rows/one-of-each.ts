import type { Merged, NounTestScope, NounTests, OwnerSession } from '../nouns/noun-tests.ts';
import { type EachNoun, NOUN_TESTS } from '../nouns/nouns.ts';

type NounIds<Noun> = Noun extends { readonly one: (...args: never) => Promise<infer Ids> } ? Ids : never;
type NounWords<Noun> = Noun extends { readonly words: infer Words } ? Words : never;

/** Ids and words by path parameter. */
type OneOfEach = Merged<NounIds<EachNoun> | NounWords<EachNoun>>;

const tests: readonly NounTests[] = NOUN_TESTS;

/** Creates one of each noun that supports it, and adds the words for other path parameters. */
export const newOneOfEach = async (owner: OwnerSession, word: string, within: NounTestScope = {}): Promise<OneOfEach> => {
  const made: Record<string, string> = {};
  for (const { one, words } of tests) Object.assign(made, words, await one?.(owner, word, within));
  return made as OneOfEach;
};
