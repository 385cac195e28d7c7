import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findInvisible } from '../definitions/visible-text.ts';

/** A text in which phrases are searched: lower case, single spaces, no emphasis, quotes or invisible characters. */
export type SearchableText = {
  readonly text: string;
  /** Returns the range of the original text that a range of this one comes from. */
  readonly toOriginal: (start: number, end: number) => { readonly start: number; readonly end: number };
};

const AS_SPACE = /[\s*`"'“”‘’«»]/u;

const plainForm = (character: string): string => (AS_SPACE.test(character) ? ' ' : character.normalize('NFKC').toLowerCase());

/** Texts of ASCII without control characters, of which most are: each character has one plain form. */
const PLAIN = /^[\t\n\r -~]*$/;
const SPACES = /[\s*`"']+/g;

/** Returns the offsets, in the original, of the characters that are left of it; those of the last is its length. */
const plainOffsets = (original: string): readonly number[] => {
  const offsets: number[] = [];
  let from = 0;
  for (const { 0: run, index } of original.matchAll(SPACES)) {
    for (let at = from; at <= index; at += 1) offsets.push(at);
    from = index + run.length;
  }
  for (let at = from; at <= original.length; at += 1) offsets.push(at);
  return offsets;
};

const newPlainText = (original: string): SearchableText => {
  let offsets: readonly number[] | undefined;
  const offset = (at: number): number => {
    offsets ??= plainOffsets(original);
    return offsets[at] ?? original.length;
  };
  return {
    text: original.replace(SPACES, ' ').toLowerCase(),
    toOriginal: (start, end) => ({ start: offset(start), end: offset(end) }),
  };
};

/** Prepares the first 65,536 characters of a text. Letters that compatibility forms stand for are replaced by plain ones. */
export const newSearchableText = (original: string): SearchableText => {
  const head = original.slice(0, LIMITS.mcp.searchedCharsMax);
  if (PLAIN.test(head)) return newPlainText(head);
  const hidden = findInvisible(head);
  const offsets: number[] = [];
  const pieces: string[] = [];
  let wasSpace = false;
  let run = 0;
  let at = 0;
  for (const character of head) {
    while ((hidden[run]?.end ?? Number.POSITIVE_INFINITY) <= at) run += 1;
    const isHidden = at >= (hidden[run]?.start ?? Number.POSITIVE_INFINITY);
    const plain = plainForm(character);
    const isSpace = plain === ' ';
    if (!isHidden && !(isSpace && wasSpace)) {
      pieces.push(plain);
      for (let unit = 0; unit < plain.length; unit += 1) offsets.push(at);
      wasSpace = isSpace;
    }
    at += character.length;
  }
  offsets.push(at);
  return {
    text: pieces.join(''),
    toOriginal: (start, end) => ({ start: offsets[start] ?? at, end: offsets[end] ?? at }),
  };
};
