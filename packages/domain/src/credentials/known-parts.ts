import { isLoose, toLooseText } from './loose-text.ts';
import { buildSuffixAutomaton, matchParts } from './parts-automaton.ts';

/**
 * Returns by automaton state the length of the longest part of that state that one of these texts contains, or else the longest suffix of
 * it;
 * 0 if none does.
 */
const heldByState = (states: ReturnType<typeof buildSuffixAutomaton>, texts: readonly string[]): Uint32Array => {
  const held = new Uint32Array(states.length);
  for (const text of texts)
    matchParts(states, text, (length, state) => {
      if (length > (held[state] ?? 0)) held[state] = length;
    });
  const shortestFirst = states.map((_, index) => index).sort((one, other) => (states[one]?.length ?? 0) - (states[other]?.length ?? 0));
  // A text that contains a part contains each suffix of it.
  for (const index of shortestFirst.toReversed()) {
    const link = states[index]?.link ?? -1;
    if (link > 0 && held[index] !== 0) held[link] = states[link]?.length ?? 0;
  }
  // A link leads to a shorter part, already known by then: following links from each position would take as many steps as the text is long.
  for (const index of shortestFirst) {
    const link = states[index]?.link ?? -1;
    if (link > 0 && held[index] === 0) held[index] = held[link] ?? 0;
  }
  return held;
};

/** Returns the length of the longest part that ends at each position of a loose text and occurs in others. */
const endsHeld = (loose: string, texts: readonly string[]): Uint32Array => {
  const states = buildSuffixAutomaton(loose);
  const held = heldByState(states, texts);
  const ends = new Uint32Array(loose.length + 1);
  matchParts(states, loose, (_, state, at) => {
    ends[at + 1] = held[state] ?? 0;
  });
  return ends;
};

/**
 * Returns how much of a secret, before each position in it, occurs in one piece in some of these texts: by letters and digits alone,
 * ignoring
 * case, so that a secret that was sent with any spacing, case or separators counts as sent.
 */
export const knownBefore = (secret: string, texts: readonly string[]): Uint32Array => {
  const ends = endsHeld(toLooseText(secret), texts.map(toLooseText));
  const known = new Uint32Array(secret.length + 1);
  const begins: number[] = [];
  for (let at = 0; at < secret.length; at += 1) {
    if (isLoose(secret.charCodeAt(at))) begins.push(at);
    const held = ends[begins.length] ?? 0;
    known[at + 1] = held === 0 ? 0 : at + 1 - (begins[begins.length - held] ?? 0);
  }
  return known;
};
