import type { Fuel } from '../fuel.ts';
import type { Automaton } from './automaton.ts';

const LAST_CODE = 0x10ffff;
const SURROGATES = [0xd800, 0xe000] as const;
/**
 * The alphabet of the search for texts [breadth-first search of a product automaton]. Readable characters come first, so that examples are
 * readable.
 */
const PLEASANT = [...'abcdefghijklmnopqrstuvwxyz0123456789-_./:@ ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((one) => one.codePointAt(0) ?? 0);

/**
 * Returns one character of each kind that the automata distinguish [equivalence classes, minterms]. No text holds U+0000 or an unpaired
 * surrogate.
 */
const getAlphabet = (automata: readonly Automaton[]): number[] => {
  const bounds = [
    ...new Set([1, ...PLEASANT, ...PLEASANT.map((code) => code + 1), SURROGATES[1], ...automata.flatMap(({ bounds }) => bounds)]),
  ]
    .filter((code) => code >= 1 && code <= LAST_CODE && !(code >= SURROGATES[0] && code < SURROGATES[1]))
    .toSorted((left, right) => left - right);
  const alphabet = new Map<string, number>();
  for (const code of [...PLEASANT, ...bounds]) {
    const signature = automata.map((automaton) => automaton.signature(code)).join('|');
    if (!alphabet.has(signature)) alphabet.set(signature, code);
  }
  return [...alphabet.values()];
};

type Visit = { readonly states: readonly number[]; readonly from: Visit | null; readonly code: number };

const textTo = (visit: Visit): string => {
  const codes: number[] = [];
  for (let at: Visit | null = visit; at !== null && at.from !== null; at = at.from) codes.push(at.code);
  return String.fromCodePoint(...codes.reverse());
};

/** Memoizes the steps of several automata. */
const withMemory = (automata: readonly Automaton[], fuel: Fuel): ((index: number, state: number, code: number) => number) => {
  const known = automata.map(() => new Map<number, Map<number, number>>());
  return (index, state, code) => {
    let ofState = known[index]?.get(state);
    if (ofState === undefined) {
      ofState = new Map();
      known[index]?.set(state, ofState);
    }
    let next = ofState.get(code);
    if (next === undefined) {
      fuel.left -= 20;
      next = automata[index]?.step(state, code) ?? state;
      ofState.set(code, next);
    }
    return next;
  };
};

export type Explored = {
  /** A shortest text for each combination of accepting automata. */
  readonly texts: ReadonlyMap<string, string>;
  /** True if there is no other combination. */
  readonly complete: boolean;
};

const STATES_MAX = 20_000;

/**
 * Finds all combinations in which automata accept one text that `within` all accept and `without` does not, each with a shortest text.
 * Every text passes through the states visited here, so a combination that is not found does not exist.
 */
export const exploreTexts = (
  {
    judges,
    within,
    without,
  }: { readonly judges: readonly Automaton[]; readonly within: readonly Automaton[]; readonly without: Automaton | null },
  fuel: Fuel,
): Explored => {
  const automata = [...judges, ...within, ...(without === null ? [] : [without])];
  const alphabet = getAlphabet(automata);
  const step = withMemory(automata, fuel);
  const isOut = (states: readonly number[]): boolean =>
    within.some((automaton, index) => !automaton.accepts(states[judges.length + index] ?? 0)) ||
    (without?.accepts(states[states.length - 1] ?? 0) ?? false);
  const first: Visit = { states: automata.map(({ start }) => start), from: null, code: 0 };
  const seen = new Set([first.states.join()]);
  const texts = new Map<string, string>();
  const all = judges.length < 20 ? 2 ** judges.length : Number.POSITIVE_INFINITY;
  const queue = [first];
  for (let visit = queue[0], place = 0; visit !== undefined; place += 1, visit = queue[place]) {
    const { states } = visit;
    if (!isOut(states)) {
      const found = judges.map((automaton, index) => (automaton.accepts(states[index] ?? 0) ? 1 : 0)).join('');
      if (!texts.has(found)) texts.set(found, textTo(visit));
      if (texts.size === all) return { texts, complete: true };
    }
    fuel.left -= alphabet.length * automata.length;
    if (fuel.left < 0 || seen.size > STATES_MAX) return { texts, complete: false };
    for (const code of alphabet) {
      const next = states.map((state, index) => step(index, state, code));
      const key = next.join();
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ states: next, from: visit, code });
    }
  }
  return { texts, complete: true };
};
