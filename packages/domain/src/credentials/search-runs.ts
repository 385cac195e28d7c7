import { LIMITS } from '@svc/contract/tables/limits.ts';
import { decodeViews } from './decoded-text.ts';
import { newRunFinder } from './find-runs.ts';
import { newFinder, type TextRange } from './find-text.ts';
import { knownBefore } from './known-parts.ts';

/**
 * The number of characters that cannot be guessed. A run that leaves as many of a long secret unknown need not be masked; and masking it
 * would
 * show a caller who knows it already, such as the claims of a signed token, which guess at the next character was right.
 */
const UNGUESSED_CHARS = 16;
const BLOCKS_IN_RUN = 2;
/**
 * Maximum number of characters compared around blocks of a secret; beyond it, which no ordinary response reaches, a linear algorithm is
 * used.
 */
const COMPARED_MAX = 200_000;

/** Returns the length of the common run of text and secret around one position in each. */
const runAround = (text: string, secret: string, inText: number, inSecret: number): number => {
  let back = 0;
  while (back < inText && back < inSecret && text[inText - back - 1] === secret[inSecret - back - 1]) back += 1;
  let on = 0;
  while (inSecret + on < secret.length && text[inText + on] === secret[inSecret + on]) on += 1;
  return back + on;
};

/** Returns true if a run may occur in a text: each contains one whole block of a half, and only those are searched while that is cheap. */
const newMayHoldRun = (secret: string, runMin: number): ((text: string) => boolean) => {
  const block = Math.floor((runMin + 1) / BLOCKS_IN_RUN);
  const finders = Array.from({ length: Math.floor(secret.length / block) }, (_, index) =>
    newFinder(secret.slice(index * block, (index + 1) * block)),
  );
  let compared = 0;
  return (text) => {
    if (compared > COMPARED_MAX) return true;
    return finders.some((indexIn, index) => {
      for (let found = indexIn(text, 0); found >= 0; found = indexIn(text, found + 1)) {
        const length = runAround(text, secret, found, index * block);
        compared += length;
        if (length >= runMin || compared > COMPARED_MAX) return true;
      }
      return false;
    });
  };
};

/**
 * Finds runs that reveal too much of a secret: half of it or more, and for a long one all but an unguessable rest. `sent` are texts that
 * were
 * sent before the secret was added: a run composed of pieces of those reveals nothing to their sender.
 */
export const newRunSearch = (secret: string, sent: readonly string[]): ((text: string) => readonly TextRange[]) => {
  const runMin = Math.max(LIMITS.credentials.secretCharsMin, Math.ceil(secret.length / 2), secret.length - UNGUESSED_CHARS);
  const mayHoldRun = newMayHoldRun(secret, runMin);
  let findRuns: ReturnType<typeof newRunFinder> | undefined;
  const newFindRuns = (): ReturnType<typeof newRunFinder> => {
    const texts = sent.flatMap((text) => decodeViews(text).map((view) => view.text));
    return newRunFinder(secret, { runMin, newMin: Math.min(runMin, UNGUESSED_CHARS), known: knownBefore(secret, texts) });
  };
  return (text) => {
    if (!mayHoldRun(text)) return [];
    findRuns ??= newFindRuns();
    return findRuns(text);
  };
};
