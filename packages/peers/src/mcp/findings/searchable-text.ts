import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findInvisible } from '../definitions/visible-text.ts';

/** A text in which phrases are searched: lower case, single spaces, no emphasis, quotes or invisible characters. */
export type SearchableText = {
  readonly text: string;
  /** Returns the range of the original text that a range of this one comes from. */
  readonly toOriginal: (start: number, end: number) => { readonly start: number; readonly end: number };
};

const AS_SPACE = /[\s*`"'“”‘’«»]/u;

const { searchedCharsMax } = LIMITS.mcp;

/** Prepares the first 65,536 characters of a text. Letters that compatibility forms stand for are replaced by plain ones. */
export const newSearchableText = (original: string): SearchableText => {
  const head = original.slice(0, searchedCharsMax);
  const hidden = findInvisible(head);
  const offsets: number[] = [];
  let text = '';
  let run = 0;
  let at = 0;
  for (const character of head) {
    while ((hidden[run]?.end ?? Number.POSITIVE_INFINITY) <= at) run += 1;
    const isHidden = at >= (hidden[run]?.start ?? Number.POSITIVE_INFINITY);
    const plain = AS_SPACE.test(character) ? ' ' : character.normalize('NFKC').toLowerCase();
    if (!isHidden && !(plain === ' ' && text.endsWith(' '))) {
      text += plain;
      for (let unit = 0; unit < plain.length; unit += 1) offsets.push(at);
    }
    at += character.length;
  }
  offsets.push(at);
  return { text, toOriginal: (start, end) => ({ start: offsets[start] ?? at, end: offsets[end] ?? at }) };
};
