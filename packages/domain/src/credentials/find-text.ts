/** Where something begins and ends in a text. */
export type Place = readonly [from: number, to: number];

/** Shorter ones are looked for soon enough however often they almost stand in a text. */
const LONG_CHARS = 256;
const WINDOW_CHARS = 64;

/** How long a beginning of the text also ends at each of its characters (Knuth, Morris and Pratt, 1977). */
const bordersOf = (part: string): Uint32Array => {
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

/** As `indexOf`, whose time the author of a long part and a text that almost holds it can make grow with the product of their lengths. */
export type IndexIn = (text: string, from: number) => number;

/** Looks for one part in many texts: in most not even its first characters stand, and that is seen soonest by the library. */
export const newFinder = (part: string): IndexIn => {
  if (part.length < LONG_CHARS) return (text, from) => text.indexOf(part, from);
  const window = part.slice(0, WINDOW_CHARS);
  let borders: Uint32Array | undefined;
  return (text, from) => {
    const begins = text.indexOf(window, from);
    if (begins < 0) return -1;
    borders ??= bordersOf(part);
    return indexBy(borders, text, part, begins);
  };
};

/** Told of each place at which a part begins; answers before which place no other is wanted. */
type Tell = (at: number) => number;

/** Tells of all places of a part in a text, of those that overlap too, in one pass whatever is answered: it never begins anew. */
export const newWalk = (part: string): ((text: string, tell: Tell) => void) => {
  const window = part.slice(0, WINDOW_CHARS);
  let borders: Uint32Array | undefined;
  return (text, tell) => {
    const begins = text.indexOf(window);
    if (begins < 0) return;
    borders ??= bordersOf(part);
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

/** Where a part stands in a text, one behind the other. */
export const placesOf = (text: string, part: string, indexIn: IndexIn = newFinder(part)): Place[] => {
  const places: Place[] = [];
  for (let at = indexIn(text, 0); at >= 0; at = indexIn(text, at + part.length)) places.push([at, at + part.length]);
  return places;
};

/** Places in the order in which they begin, those as one that overlap. */
export const joined = (places: readonly Place[]): readonly Place[] => {
  const all: Place[] = [];
  for (const place of places.toSorted(([one], [other]) => one - other)) {
    const before = all.at(-1);
    if (before === undefined || place[0] >= before[1]) all.push(place);
    else all[all.length - 1] = [before[0], Math.max(before[1], place[1])];
  }
  return all;
};

/** A text with something else in each of these places, of which each begins behind the one before. */
export const replacedAt = (text: string, places: readonly Place[], insteadOf: (length: number) => string): string => {
  if (places.length === 0) return text;
  const pieces: string[] = [];
  let told = 0;
  for (const [from, to] of places) {
    pieces.push(text.slice(told, from), insteadOf(to - from));
    told = to;
  }
  return pieces.join('') + text.slice(told);
};
