import { newFinder, type Place, placesOf } from './find-text.ts';

const KEPT = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** What is left of each character of ASCII: a letter in small, a digit, or nothing. */
const LEFT = new Uint8Array(128);
for (const char of KEPT) {
  LEFT[char.charCodeAt(0)] = char.charCodeAt(0);
  LEFT[char.toUpperCase().charCodeAt(0)] = char.charCodeAt(0);
}

/** Whether a character is one of those. */
export const isLoose = (code: number): boolean => (LEFT[code] ?? 0) !== 0;

const ascii = new TextDecoder();
/** Of a shorter text an expression makes the same sooner. */
const SHORT_CHARS = 1_000;

/** Letters and digits of a text alone, in small letters: the same however it was wrapped, spaced, quoted or cased on its way. */
export const looseOf = (text: string): string => {
  if (text.length < SHORT_CHARS) return text.replace(/[^A-Za-z0-9]+/g, '').toLowerCase();
  const left = new Uint8Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = LEFT[text.charCodeAt(at)] ?? 0;
    if (code !== 0) left[count++] = code;
  }
  return ascii.decode(left.subarray(0, count));
};

/** Where each character of the loose text stands in the text it was made of. */
const placesIn = (text: string, count: number): Uint32Array => {
  const places = new Uint32Array(count);
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) if (LEFT[text.charCodeAt(at)]) places[kept++] = at;
  return places;
};

/** Whether some needle, a loose text itself, stands in a text in whatever dress. */
export const holdsLoosely = (text: string, needles: readonly string[]): boolean => {
  const loose = looseOf(text);
  return needles.some((needle) => newFinder(needle)(loose, 0) >= 0);
};

/** Where a needle stands in a text, each with whatever stands between its letters. They may overlap. */
export const placesLoosely = (text: string, needles: readonly string[]): readonly Place[] => {
  if (needles.length === 0) return [];
  const loose = looseOf(text);
  const found = needles.flatMap((needle) => placesOf(loose, needle));
  if (found.length === 0) return [];
  const places = placesIn(text, loose.length);
  return found.map(([from, to]) => [places[from] ?? 0, (places[to - 1] ?? 0) + 1]);
};
