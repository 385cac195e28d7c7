import type { Signature } from './new-signature.ts';
import { type Place, placeOf } from './places.ts';
import { hashesOf, hashOfFilter, noteWords } from './words.ts';

/** What an event is filtered by as a whole. */
export const WHOLE_FILTERS = ['type', 'actor_id', 'actor_type', 'severity', 'request_id', 'workspace_id', 'environment_id'] as const;
type Whole = (typeof WHOLE_FILTERS)[number];

/** What a search can ask an event for. */
export type SearchableEvent = {
  /** In the order of `WHOLE_FILTERS`; an empty one is not there. */
  readonly whole: readonly string[];
  /** What `q` looks at; null where that is too long to be noted. */
  readonly text: string | null;
};

export type EventNoter = { readonly beginChunk: () => void; readonly note: (event: SearchableEvent) => void };

/** Notes all that events could be found by. Most are alike in much, which is noted once. */
export const newEventNoter = (signature: Signature): EventNoter => {
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

/** What is asked for: with several values any of them fits. */
export type Asked = { readonly [Name in Whole]?: string | readonly string[] | undefined } & {
  /** Each of which has to stand in the text. */
  readonly words?: readonly string[];
};

/** Longer lists are cheaper to look for in the events. */
const VALUES_MAX = 16;
/** The longest of a text's words; whether it has the others too is seen when an event is looked at. */
const WORDS_MAX = 6;

/** What a chunk has to hold to be looked at: of each list one place at least. Without a list every chunk is. */
export const placesOf = (asked: Asked): readonly (readonly Place[])[] => {
  const whole = WHOLE_FILTERS.flatMap((name) => {
    const value = asked[name];
    const values = value === undefined ? [] : [value].flat();
    return values.length === 0 || values.length > VALUES_MAX ? [] : [values.map((each) => placeOf(hashOfFilter(name, each)))];
  });
  const hashes = [...new Set((asked.words ?? []).flatMap(hashesOf))].slice(0, WORDS_MAX);
  return [...whole, ...hashes.map((hash) => [placeOf(hash)])];
};
