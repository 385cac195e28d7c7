import type { Place } from './find-text.ts';
import { automatonOf, matchParts } from './parts-automaton.ts';

/** What a piece that is known already counts for, however long it is: as much as it takes to say which piece. */
const PIECE_COST = 3;

/** How long a run is at least, and how many characters in it are new at least; how much before each place of the secret is known. */
export type RunTerms = { readonly runMin: number; readonly newMin: number; readonly known?: Uint32Array };

/**
 * Finds the runs that a text has in common with a secret and that tell something new of it, in time that grows with the length of both alone.
 * Characters that stand in no known piece count one each.
 */
export const newRunFinder = (secret: string, { runMin, newMin, known }: RunTerms): ((text: string) => readonly Place[]) => {
  const states = automatonOf(secret);
  return (text) => {
    const runs: [number, number][] = [];
    const cost = new Uint32Array(text.length + 1);
    const costAt = (place: number): number => cost[place] ?? 0;
    matchParts(states, text, (length, state, at) => {
      const piece = known === undefined ? 0 : Math.min(length, known[states[state]?.end ?? 0] ?? 0);
      const to = at + 1;
      cost[to] = piece > PIECE_COST ? Math.min(costAt(at) + 1, costAt(to - piece) + PIECE_COST) : costAt(at) + 1;
      if (length < runMin || costAt(to) - costAt(to - length) < newMin) return;
      const before = runs.at(-1);
      if (before && to - length < before[1]) before[1] = to;
      else runs.push([to - length, to]);
    });
    return runs;
  };
};
