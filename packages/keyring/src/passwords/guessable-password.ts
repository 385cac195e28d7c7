import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PASSWORD_WORDS } from '@svc/contract/tables/vocabulary.ts';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

const { judgedCharsMax, guessesMin, guessesBesideFactorMin, contextWordsMax } = LIMITS.passwords;
const WORD_CHARS_MIN = 3;

export const GUESSABLE =
  'This password is easily guessed: it is a common one, follows a pattern such as a date or a row of keys, or is made of your name, your e-mail address or the name of the organization. Use several unrelated words, or a password manager.';

/** Returns the words about a user that a guesser tries first. */
export const formatContextWords = (texts: readonly string[]): readonly string[] => {
  const words = texts.flatMap((text) => [text, text.replace(/@.*/s, ''), ...text.split(/[^\p{L}\p{N}]+/u)]);
  const fit = words.map((word) => word.toLowerCase().slice(0, judgedCharsMax)).filter((word) => word.length >= WORD_CHARS_MIN);
  return [...new Set(fit)].slice(0, contextWordsMax);
};

/** The lists take 50 ms and some megabytes, so they are loaded for the first new password. */
const loadEstimator = async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judgedCharsMax, l33tMaxSubstitutions: 8 });
};
let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Returns true if a password is among the first that a guesser tries: common ones in any variant, patterns, words of the service and of its
 * context.
 * Judges only its first characters, which bounds the time; takes a few milliseconds of the calling thread. With a second factor a lower
 * threshold applies, since no guess can be tried without the factor.
 */
export const isGuessable = async (password: string, context: readonly string[], isBesideFactor = false): Promise<boolean> => {
  estimator ??= loadEstimator();
  const least = isBesideFactor ? guessesBesideFactorMin : guessesMin;
  return (await estimator).check(password, [...PASSWORD_WORDS, ...formatContextWords(context)]).guesses < least;
};
