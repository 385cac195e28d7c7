/** A state represents all parts of a text with the same end positions, the first of them after `end` characters. */
export type AutomatonState = { readonly next: Map<number, number>; link: number; readonly length: number; readonly end: number };

/** Builds the suffix automaton of a text (Blumer et al., 1985): at most twice as many states as characters, in one pass. */
export const buildSuffixAutomaton = (whole: string): readonly AutomatonState[] => {
  const states: AutomatonState[] = [{ next: new Map(), link: -1, length: 0, end: 0 }];
  const at = (index: number): AutomatonState => states[index] as AutomatonState;
  const follow = (from: number, char: number, wanted: number | undefined, target: number): number => {
    let state = from;
    for (; state >= 0 && at(state).next.get(char) === wanted; state = at(state).link) at(state).next.set(char, target);
    return state;
  };
  let last = 0;
  for (let i = 0; i < whole.length; i += 1) {
    const char = whole.charCodeAt(i);
    const added = states.push({ next: new Map(), link: 0, length: at(last).length + 1, end: i + 1 }) - 1;
    const known = follow(last, char, undefined, added);
    last = added;
    if (known < 0) continue;
    const target = at(known).next.get(char) as number;
    if (at(target).length === at(known).length + 1) {
      at(added).link = target;
      continue;
    }
    const { next, link, end } = at(target);
    const copy = states.push({ next: new Map(next), link, length: at(known).length + 1, end }) - 1;
    follow(known, char, target, copy);
    at(target).link = copy;
    at(added).link = copy;
  }
  return states;
};

/** Receives for each character of a text the length of the part that ends there and also occurs in the automaton's text, and its state. */
type Tell = (length: number, state: number, at: number) => void;

/** Goes through a text once, in time that grows with its length alone. */
export const matchParts = (states: readonly AutomatonState[], text: string, tell: Tell): void => {
  let state = 0;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    let next = states[state]?.next.get(char);
    while (next === undefined && state > 0) {
      state = states[state]?.link ?? 0;
      length = states[state]?.length ?? 0;
      next = states[state]?.next.get(char);
    }
    if (next !== undefined) {
      state = next;
      length += 1;
    }
    tell(length, state, at);
  }
};
