import { type BloomPlace, computeBloomPosition } from './bloom-positions.ts';
import type { SegmentSignature } from './new-signature.ts';
import { hashOfFilter, hashWords, noteWords } from './words.ts';

/** The exact-match filters of an event. */
export const WHOLE_FILTERS = ['type', 'actor_id', 'actor_type', 'severity', 'request_id', 'workspace_id', 'environment_id'] as const;
type Whole = (typeof WHOLE_FILTERS)[number];

/** The searchable parts of an event. */
export type SearchableEvent = {
  /** Values in the order of `WHOLE_FILTERS`; empty ones are omitted. */
  readonly whole: readonly string[];
  /** The text that `q` searches; null if it is too long to be indexed. */
  readonly text: string | null;
};

export type EventNoter = { readonly beginChunk: () => void; readonly note: (event: SearchableEvent) => void };

/** Notes all that events could be found by. Most are alike in much, which is noted once. */
export const newEventNoter = (signature: SegmentSignature): EventNoter => {
  const before: (string | undefined)[] = [];
  return {
    beginChunk: () => {
      before.length = 0;
      signature.beginChunk();
    },
    note: ({ whole, text }) => {
      for (const [at, name] of WHOLE_FILTERS.entries()) {
        const value = whole[at];
        if (value === before[at]) continue;
        before[at] = value;
        if (value !== undefined && value !== '') signature.note(hashOfFilter(name, value));
      }
      if (text === null || !noteWords(text, signature.note)) signature.fill();
    },
  };
};

/** The requested filter: of several values any one matches. */
export type SearchFilter = { readonly [Name in Whole]?: string | readonly string[] | undefined } & {
  /** Words that must all occur in the text. */
  readonly words?: readonly string[];
};

/** Longer lists are cheaper to look for in the events. */
const VALUES_MAX = 16;
/** Uses the longest of a text's words; the others are checked when an event is read. */
const WORDS_MAX = 6;

/** Returns what a chunk must contain to be read: at least one position of each list. Without a list every chunk is read. */
export const listRequiredPlaces = (asked: SearchFilter): readonly (readonly BloomPlace[])[] => {
  const whole = WHOLE_FILTERS.flatMap((name) => {
    const value = asked[name];
    const values = value === undefined ? [] : [value].flat();
    return values.length === 0 || values.length > VALUES_MAX ? [] : [values.map((each) => computeBloomPosition(hashOfFilter(name, each)))];
  });
  const hashes = [...new Set((asked.words ?? []).flatMap(hashWords))].slice(0, WORDS_MAX);
  return [...whole, ...hashes.map((hash) => [computeBloomPosition(hash)])];
};
