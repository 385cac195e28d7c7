export type GuessShares = { readonly strangers: number; readonly signedIn: number; readonly knownBrowser: number };

/**
 * How the wrong guesses at one account are shared out, which together are no more than `attemptsMax`: most of them among whoever is not signed
 * in, and three of ten among its own sessions. Neither takes of the other's, so that strangers keep nobody who is signed in from a step-up,
 * and whoever took a session has few guesses. A browser that is known takes of those of the sessions, and leaves them one. One of each is left
 * where there are hardly any.
 */
export const guessShares = (attemptsMax: number): GuessShares => {
  const signedIn = Math.max(1, Math.round(attemptsMax * 0.3));
  return { signedIn, strangers: Math.max(1, attemptsMax - signedIn), knownBrowser: Math.max(1, signedIn - 1) };
};
