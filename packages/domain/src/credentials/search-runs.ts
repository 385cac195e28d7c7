import { LIMITS } from '@svc/contract/tables/limits.ts';
import { viewsOf } from './decoded-text.ts';
import { newRunFinder } from './find-runs.ts';
import { newFinder, type Place } from './find-text.ts';
import { knownBefore } from './known-parts.ts';

/**
 * So many characters nobody guesses. A run that leaves as many of a long secret untold is none that has to be hidden; and hiding it would tell
 * somebody who knows it already, such as the claims of a token that is signed, which of their guesses at the next character was right.
 */
const UNGUESSED_CHARS = 16;
const BLOCKS_IN_RUN = 2;
/** So many characters are compared around blocks of a secret; beyond it, which no ordinary answer comes to, a way is taken that is linear. */
const COMPARED_MAX = 200_000;

/** How long the run of characters is that text and secret have in common, given one place of it in each. */
const runAround = (text: string, secret: string, inText: number, inSecret: number): number => {
  let back = 0;
  while (back < inText && back < inSecret && text[inText - back - 1] === secret[inSecret - back - 1]) back += 1;
  let on = 0;
  while (inSecret + on < secret.length && text[inText + on] === secret[inSecret + on]) on += 1;
  return back + on;
};

/** Whether a run may stand in a text: each holds one block of a half whole, and only those are looked for while that is cheap. */
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
 * Finds runs of a secret that tell too much of it: half of it or more, and all of a long one but what nobody guesses. `sent` are texts that were
 * sent before the secret was put with them: a run made of pieces of those tells whoever sent them nothing.
 */
export const newRunSearch = (secret: string, sent: readonly string[]): ((text: string) => readonly Place[]) => {
  const runMin = Math.max(LIMITS.credentials.secretCharsMin, Math.ceil(secret.length / 2), secret.length - UNGUESSED_CHARS);
  const mayHoldRun = newMayHoldRun(secret, runMin);
  let findRuns: ReturnType<typeof newRunFinder> | undefined;
  const newFindRuns = (): ReturnType<typeof newRunFinder> => {
    const texts = sent.flatMap((text) => viewsOf(text).map((view) => view.text));
    return newRunFinder(secret, { runMin, newMin: Math.min(runMin, UNGUESSED_CHARS), known: knownBefore(secret, texts) });
  };
  return (text) => {
    if (!mayHoldRun(text)) return [];
    findRuns ??= newFindRuns();
    return findRuns(text);
  };
};
