import type { TextRange } from './find-text.ts';
import { buildSuffixAutomaton, matchParts } from './parts-automaton.ts';

/** The cost of a known piece, of any length: as much as it takes to say which piece. */
const PIECE_COST = 3;

/** The minimum length of a run, the minimum number of new characters in it, and how much before each position of the secret is known. */
export type RunTerms = { readonly runMin: number; readonly newMin: number; readonly known?: Uint32Array };

/**
 * Finds the common runs of a text and a secret that reveal something new of it, in time linear in the length of both.
 * Characters outside of known pieces count one each.
 */
export const newRunFinder = (secret: string, { runMin, newMin, known }: RunTerms): ((text: string) => readonly TextRange[]) => {
  const states = buildSuffixAutomaton(secret);
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
