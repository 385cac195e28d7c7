import { decodeViews } from './decoded-text.ts';
import { findRanges, joined, newFinder, replacedAt, type TextRange } from './find-text.ts';
import { hideAcross, writtenAsJson } from './hide-across.ts';
import { placesLoosely, toLooseText } from './loose-text.ts';
import { findingQuoted, type Quoted, quoted } from './quoted-text.ts';
import { newRunSearch } from './search-runs.ts';
import { newSpellings, type Spelling } from './spellings.ts';

/** The replacement of a secret. */
export const HIDDEN_SECRET = '[credential]';

/** A text with secrets in more positions is masked whole: a large one of nothing else would exceed its memory. */
const PLACES_MAX = 50_000;

/** Finds one spelling in a text. */
type Find = (of: Quoted) => readonly TextRange[];

const finding = (spelling: string): Find => {
  if (/["\\]/.test(spelling)) return findingQuoted(spelling);
  const indexIn = newFinder(spelling);
  return ({ text }) => findRanges(text, spelling, indexIn);
};

/** A character that no secret contains and that is no letter keeps the length of a match. */
const blank = (length: number): string => '\0'.repeat(length);

/** Removes secrets from a service's response. */
export type Hider = {
  readonly inText: (text: string) => string;
  /** In names of members, texts and numbers, at any depth. */
  readonly inJson: (value: unknown) => unknown;
};

const asItIs = <Value>(value: Value): Value => value;
const NOTHING: Hider = { inText: asItIs, inJson: asItIs };

/** Replaces exceptions of the search, which could reveal secrets, by an error without details, and returns nothing. */
const orSilent = <Value>(make: () => Value): Value => {
  try {
    return make();
  } catch {
    throw new Error('Secrets could not be looked for.');
  }
};

const looseTexts = (spellings: readonly Spelling[]): readonly string[] => [...new Set(spellings.flatMap(({ loose }) => loose ?? []))];

/** Finds the secrets in a text, as whole encodings or as runs that reveal too much. */
const placesFinder = (secrets: readonly string[], sent: readonly string[]) => {
  const looks = secrets.map((secret) => ({
    charsMin: Math.floor(secret.length / 2),
    spellings: newSpellings(secret),
    runs: newRunSearch(secret, sent),
  }));
  // No way of writing a secret is shorter than it is, and no part is hidden that is less than half of it.
  const fitting = (chars: number): typeof looks => looks.filter(({ charsMin }) => charsMin <= chars);
  const spellingsIn = (text: string, chars = text.length): readonly Spelling[] => {
    const loose = toLooseText(text);
    return fitting(chars).flatMap(({ spellings }) => spellings(loose));
  };
  const known = new Map<string, Find>();
  const getFinder = (spelling: string): Find => {
    const find = known.get(spelling) ?? finding(spelling);
    known.set(spelling, find);
    return find;
  };
  /** `chars` is how long the text was before anything in it was decoded. */
  const placesIn = (text: string, chars: number): readonly TextRange[] => {
    const spellings = spellingsIn(text, chars);
    const of = quoted(text);
    const whole = joined([...new Set(spellings.map((spelling) => spelling.text))].flatMap((spelling) => getFinder(spelling)(of)));
    const rest = replacedAt(text, whole, blank);
    return [...whole, ...fitting(chars).flatMap(({ runs }) => runs(rest)), ...placesLoosely(rest, looseTexts(spellings))];
  };
  return { spellingsIn, placesIn };
};

const getHider = (secrets: readonly string[], sent: readonly string[]): Hider => {
  if (secrets.length === 0) return NOTHING;
  const { spellingsIn, placesIn } = placesFinder(secrets, sent);
  const shortest = Math.min(...secrets.map(({ length }) => length));
  const inText = (text: string): string => {
    if (text.length < Math.floor(shortest / 2)) return text;
    const places: (readonly TextRange[])[] = [];
    for (const { text: read, asCame } of decodeViews(text)) {
      const found = placesIn(read, text.length);
      if (found.length > PLACES_MAX) return HIDDEN_SECRET;
      places.push(asCame(found));
    }
    return replacedAt(text, joined(places.flat()), () => HIDDEN_SECRET);
  };
  const inMembers = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (typeof value === 'number') return inText(String(value)) === String(value) ? value : HIDDEN_SECRET;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inMembers);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [inText(name), inMembers(member)]));
  };
  const inJson = (value: unknown): unknown => {
    const hidden = inMembers(value);
    const spellings = writtenAsJson(hidden).flatMap((text) => spellingsIn(text));
    return hideAcross(hidden, { needles: looseTexts(spellings), instead: HIDDEN_SECRET });
  };
  return { inText, inJson };
};

/**
 * Creates a hider of these secrets in any encoding, and of runs that leave too little of one to guess. A run that was composed from
 * sent texts, by a caller who may have guessed it, is not masked. Throws, without any part of a secret, if it cannot.
 */
export const newHider = (secrets: readonly string[], sent: readonly string[] = []): Hider => {
  const { inText, inJson } = orSilent(() => getHider(secrets, sent));
  return { inText: (text) => orSilent(() => inText(text)), inJson: (value) => orSilent(() => inJson(value)) };
};
