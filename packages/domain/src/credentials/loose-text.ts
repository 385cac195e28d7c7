import { findRanges, newFinder, type TextRange } from './find-text.ts';

const KEPT = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The loose form of each ASCII character: a lower-case letter, a digit, or nothing. */
const LEFT = new Uint8Array(128);
for (const char of KEPT) {
  LEFT[char.charCodeAt(0)] = char.charCodeAt(0);
  LEFT[char.toUpperCase().charCodeAt(0)] = char.charCodeAt(0);
}

/** Returns true if a character is one of those. */
export const isLoose = (code: number): boolean => (LEFT[code] ?? 0) !== 0;

const ascii = new TextDecoder();
/** Below this length a regular expression is faster. */
const SHORT_CHARS = 1_000;

/** Letters and digits of a text alone, in small letters: the same however it was wrapped, spaced, quoted or cased on its way. */
export const toLooseText = (text: string): string => {
  if (text.length < SHORT_CHARS) return text.replace(/[^A-Za-z0-9]+/g, '').toLowerCase();
  const left = new Uint8Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = LEFT[text.charCodeAt(at)] ?? 0;
    if (code !== 0) left[count++] = code;
  }
  return ascii.decode(left.subarray(0, count));
};

/** Returns the position of each character of the loose text in the original. */
const findPlaces = (text: string, count: number): Uint32Array => {
  const places = new Uint32Array(count);
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) if (LEFT[text.charCodeAt(at)]) places[kept++] = at;
  return places;
};

/** Returns true if a needle, itself a loose text, occurs in a text with any separators and case. */
export const holdsLoosely = (text: string, needles: readonly string[]): boolean => {
  const loose = toLooseText(text);
  return needles.some((needle) => newFinder(needle)(loose, 0) >= 0);
};

/** Returns the positions of a needle in a text, each with the characters between its letters. They may overlap. */
export const placesLoosely = (text: string, needles: readonly string[]): readonly TextRange[] => {
  if (needles.length === 0) return [];
  const loose = toLooseText(text);
  const found = needles.flatMap((needle) => findRanges(loose, needle));
  if (found.length === 0) return [];
  const places = findPlaces(text, loose.length);
  return found.map(([from, to]) => [places[from] ?? 0, (places[to - 1] ?? 0) + 1]);
};
