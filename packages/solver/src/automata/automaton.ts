/**
 * Reads a text one character at a time; each state decides if a text that ends there matches [a deterministic finite automaton, DFA, whose
 * states are created on demand]. States are numbers.
 * `bounds` are the code points at which the treatment of characters changes; `signature` is equal for characters that are treated alike.
 */
export type Automaton = {
  readonly start: number;
  readonly step: (state: number, codePoint: number) => number;
  readonly accepts: (state: number) => boolean;
  readonly bounds: readonly number[];
  readonly signature: (codePoint: number) => string;
};

const listCharacters = (text: string): number[] => [...text].map((character) => character.codePointAt(0) ?? 0);

const ofCharacters = (characters: ReadonlySet<number>): Pick<Automaton, 'bounds' | 'signature'> => ({
  bounds: [...characters].flatMap((code) => [code, code + 1]),
  signature: (code) => (characters.has(code) ? String(code) : ''),
});

const DEAD = -1;

/** Accepts texts that begin with a piece. */
export const beginsWith = (piece: string): Automaton => {
  const wanted = listCharacters(piece);
  return {
    start: 0,
    step: (state, code) => {
      if (state === DEAD || state === wanted.length) return state;
      return wanted[state] === code ? state + 1 : DEAD;
    },
    accepts: (state) => state === wanted.length,
    ...ofCharacters(new Set(wanted)),
  };
};

/** Returns how much of the piece has just been read [Knuth-Morris-Pratt]. */
const progress = (wanted: readonly number[]): ((state: number, code: number) => number) => {
  const borders = [0];
  const fall = (from: number, code: number): number => {
    let length = from;
    while (length > 0 && wanted[length] !== code) length = borders[length - 1] ?? 0;
    return wanted[length] === code ? length + 1 : 0;
  };
  for (let place = 1; place < wanted.length; place++) borders.push(fall(borders[place - 1] ?? 0, wanted[place] ?? 0));
  return (state, code) => fall(state === wanted.length ? (borders[state - 1] ?? 0) : state, code);
};

/** Accepts texts that end with a piece. */
export const endsWith = (piece: string): Automaton => {
  const wanted = listCharacters(piece);
  return { start: 0, step: progress(wanted), accepts: (state) => state === wanted.length, ...ofCharacters(new Set(wanted)) };
};

/** Accepts texts that contain a piece. */
export const includes = (piece: string): Automaton => {
  const wanted = listCharacters(piece);
  const next = progress(wanted);
  return {
    start: 0,
    step: (state, code) => (state === wanted.length ? state : next(state, code)),
    accepts: (state) => state === wanted.length,
    ...ofCharacters(new Set(wanted)),
  };
};

/** Accepts exactly the listed texts [a trie]. */
export const buildTextsAutomaton = (texts: readonly string[]): Automaton => {
  const nodes: { readonly next: Map<number, number>; ends: boolean }[] = [{ next: new Map(), ends: false }];
  for (const text of texts) {
    let at = 0;
    for (const code of listCharacters(text)) {
      let to = nodes[at]?.next.get(code);
      if (to === undefined) {
        to = nodes.push({ next: new Map(), ends: false }) - 1;
        nodes[at]?.next.set(code, to);
      }
      at = to;
    }
    const node = nodes[at];
    if (node !== undefined) node.ends = true;
  }
  return {
    start: 0,
    step: (state, code) => nodes[state]?.next.get(code) ?? DEAD,
    accepts: (state) => nodes[state]?.ends ?? false,
    ...ofCharacters(new Set(texts.flatMap(listCharacters))),
  };
};
