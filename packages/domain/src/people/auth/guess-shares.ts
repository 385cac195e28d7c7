export type GuessShares = { readonly strangers: number; readonly signedIn: number; readonly knownBrowser: number };

/**
 * Shares out the wrong guesses at one account, at most `attemptsMax` in all: most of them to unauthenticated clients, and three of ten to
 * its
 * own sessions. Neither uses the other's share, so that an attacker cannot block a signed-in user's step-up, and a stolen session has few
 * guesses. A known browser uses the share of the sessions, and leaves them one. One of each is left if there are hardly any.
 */
export const guessShares = (attemptsMax: number): GuessShares => {
  const signedIn = Math.max(1, Math.round(attemptsMax * 0.3));
  return { signedIn, strangers: Math.max(1, attemptsMax - signedIn), knownBrowser: Math.max(1, signedIn - 1) };
};
