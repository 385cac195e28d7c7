/** The range of a match in a text. */
export type TextRange = readonly [from: number, to: number];

/** Shorter parts are found fast enough, however often they almost match. */
const LONG_CHARS = 256;
const WINDOW_CHARS = 64;

/** Returns the border length at each character of the text (Knuth, Morris and Pratt, 1977). */
const getBorders = (part: string): Uint32Array => {
  const borders = new Uint32Array(part.length);
  for (let at = 1, length = 0; at < part.length; at += 1) {
    const char = part.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== char) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === char) length += 1;
    borders[at] = length;
  }
  return borders;
};

const indexBy = (borders: Uint32Array, text: string, part: string, from: number): number => {
  for (let at = from, length = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== char) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === char) length += 1;
    if (length === part.length) return at + 1 - length;
  }
  return -1;
};

/** Like `indexOf`, which takes time proportional to the product of the lengths for an adversarial part and text. */
export type IndexSearch = (text: string, from: number) => number;

/**
 * Creates a search for one part in many texts: most do not even contain its first characters, which the built-in search detects fastest.
 */
export const newFinder = (part: string): IndexSearch => {
  if (part.length < LONG_CHARS) return (text, from) => text.indexOf(part, from);
  const window = part.slice(0, WINDOW_CHARS);
  let borders: Uint32Array | undefined;
  return (text, from) => {
    const begins = text.indexOf(window, from);
    if (begins < 0) return -1;
    borders ??= getBorders(part);
    return indexBy(borders, text, part, begins);
  };
};

/** Receives each position at which a part begins; returns the position before which no other is wanted. */
type Tell = (at: number) => number;

/** Reports all positions of a part in a text, overlapping ones too, in one pass for any return values: it never restarts. */
export const newWalk = (part: string): ((text: string, tell: Tell) => void) => {
  const window = part.slice(0, WINDOW_CHARS);
  let borders: Uint32Array | undefined;
  return (text, tell) => {
    const begins = text.indexOf(window);
    if (begins < 0) return;
    borders ??= getBorders(part);
    let wanted = begins;
    for (let at = begins, length = 0; at < text.length; at += 1) {
      const char = text.charCodeAt(at);
      while (length > 0 && part.charCodeAt(length) !== char) length = borders[length - 1] ?? 0;
      if (part.charCodeAt(length) === char) length += 1;
      if (length < part.length) continue;
      const from = at + 1 - length;
      if (from >= wanted) wanted = tell(from);
      length = borders[length - 1] ?? 0;
    }
  };
};

/** Returns the non-overlapping positions of a part in a text. */
export const findRanges = (text: string, part: string, indexIn: IndexSearch = newFinder(part)): TextRange[] => {
  const places: TextRange[] = [];
  for (let at = indexIn(text, 0); at >= 0; at = indexIn(text, at + part.length)) places.push([at, at + part.length]);
  return places;
};

/** Places in the order in which they begin, those as one that overlap. */
export const joined = (places: readonly TextRange[]): readonly TextRange[] => {
  const all: TextRange[] = [];
  for (const place of places.toSorted(([one], [other]) => one - other)) {
    const before = all.at(-1);
    if (before === undefined || place[0] >= before[1]) all.push(place);
    else all[all.length - 1] = [before[0], Math.max(before[1], place[1])];
  }
  return all;
};

/** Returns a text with each of these ranges replaced; they must be in ascending order. */
export const replacedAt = (text: string, places: readonly TextRange[], insteadOf: (length: number) => string): string => {
  if (places.length === 0) return text;
  const pieces: string[] = [];
  let told = 0;
  for (const [from, to] of places) {
    pieces.push(text.slice(told, from), insteadOf(to - from));
    told = to;
  }
  return pieces.join('') + text.slice(told);
};
