import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PASSWORD_WORDS } from '@svc/contract/tables/vocabulary.ts';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

const { judgedCharsMax, guessesMin, guessesBesideFactorMin, contextWordsMax } = LIMITS.passwords;
const WORD_CHARS_MIN = 3;

export const GUESSABLE =
  'This password is easily guessed: it is a common one, follows a pattern such as a date or a row of keys, or is made of your name, your e-mail address or the name of the organization. Use several unrelated words, or a password manager.';

/** What is known of whoever sets a password, as the words that a guesser tries first. */
export const contextWords = (texts: readonly string[]): readonly string[] => {
  const words = texts.flatMap((text) => [text, text.replace(/@.*/s, ''), ...text.split(/[^\p{L}\p{N}]+/u)]);
  const fit = words.map((word) => word.toLowerCase().slice(0, judgedCharsMax)).filter((word) => word.length >= WORD_CHARS_MIN);
  return [...new Set(fit)].slice(0, contextWordsMax);
};

/** The lists take 50 ms and some megabytes, so they are read when the first password is set. */
const loadEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judgedCharsMax, l33tMaxSubstitutions: 8 });
};
let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether a password would be among the first that a guesser tries: common ones in any spelling, patterns, words of the service, and those of its context.
 * Judges no more than its first characters, which bounds the time; a few milliseconds of the calling thread. Beside a second factor fewer
 * guesses are enough, since none is tried without the factor.
 */
export const isGuessable = async (password: string, context: readonly string[], isBesideFactor = false): Promise<boolean> => {
  estimator ??= loadEstimator();
  const least = isBesideFactor ? guessesBesideFactorMin : guessesMin;
  return (await estimator).check(password, [...PASSWORD_WORDS, ...contextWords(context)]).guesses < least;
};
