import type { Place } from './find-text.ts';

/** A state stands for all parts of the secret that end at the same places in it. */
type State = { readonly next: Map<number, number>; link: number; readonly length: number };

/** The suffix automaton of a secret (Blumer et al., 1985): twice as many states as it has characters, made in one pass over it. */
const automatonOf = (secret: string): readonly State[] => {
  const states: State[] = [{ next: new Map(), link: -1, length: 0 }];
  const at = (index: number): State => states[index] as State;
  const follow = (from: number, char: number, wanted: number | undefined, target: number): number => {
    let state = from;
    for (; state >= 0 && at(state).next.get(char) === wanted; state = at(state).link) at(state).next.set(char, target);
    return state;
  };
  let last = 0;
  for (let i = 0; i < secret.length; i += 1) {
    const char = secret.charCodeAt(i);
    const added = states.push({ next: new Map(), link: 0, length: at(last).length + 1 }) - 1;
    const known = follow(last, char, undefined, added);
    last = added;
    if (known < 0) continue;
    const target = at(known).next.get(char) as number;
    if (at(target).length === at(known).length + 1) {
      at(added).link = target;
      continue;
    }
    const copy = states.push({ next: new Map(at(target).next), link: at(target).link, length: at(known).length + 1 }) - 1;
    follow(known, char, target, copy);
    at(target).link = copy;
    at(added).link = copy;
  }
  return states;
};

/** Finds the runs of at least so many characters that a text has in common with a secret, in time that grows with the length of both alone. */
export const newRunFinder = (secret: string, runMin: number): ((text: string) => readonly Place[]) => {
  const states = automatonOf(secret);
  return (text) => {
    const runs: [number, number][] = [];
    let state = 0;
    let length = 0;
    for (let i = 0; i < text.length; i += 1) {
      const char = text.charCodeAt(i);
      while (state > 0 && !states[state]?.next.has(char)) {
        state = states[state]?.link ?? 0;
        length = states[state]?.length ?? 0;
      }
      const next = states[state]?.next.get(char);
      if (next === undefined) continue;
      state = next;
      length += 1;
      if (length < runMin) continue;
      const from = i + 1 - length;
      const before = runs.at(-1);
      if (before && from < before[1]) before[1] = i + 1;
      else runs.push([from, i + 1]);
    }
    return runs;
  };
};
