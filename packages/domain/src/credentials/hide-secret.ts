import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newRunFinder } from './find-runs.ts';
import { newFinder, type Place, placesOf, replacedAt } from './find-text.ts';
import { holdsLoosely, looseOf, replacingLoosely } from './loose-text.ts';
import { type Quoted, quoted, replacingQuoted } from './quoted-text.ts';
import { newSpellings, type Spelling } from './spellings.ts';

/** What stands where a secret stood. */
export const HIDDEN_SECRET = '[credential]';

const BLOCKS_IN_RUN = 2;
/** So many characters are compared around blocks of a secret; beyond it, which no ordinary answer comes to, a way is taken that is linear. */
const COMPARED_MAX = 200_000;

/** Where the run of characters that text and secret have in common begins and ends in the text, given one place of it in each. */
const runAround = (text: string, secret: string, inText: number, inSecret: number): Place => {
  let back = 0;
  while (back < inText && back < inSecret && text[inText - back - 1] === secret[inSecret - back - 1]) back += 1;
  let on = 0;
  while (inSecret + on < secret.length && text[inText + on] === secret[inSecret + on]) on += 1;
  return [inText - back, inText + on];
};

/** Takes runs of half a secret out of texts: each holds one block of a quarter whole, and only those are looked for while that is cheap. */
const newRunHider = (secret: string): ((text: string) => string) => {
  const runMin = Math.max(LIMITS.credentials.secretCharsMin, Math.ceil(secret.length / 2));
  const block = Math.floor((runMin + 1) / BLOCKS_IN_RUN);
  let compared = 0;
  /** Undefined where too much would be compared. */
  const runsAround = (text: string, at: number): Place[] | undefined => {
    const part = secret.slice(at, at + block);
    const indexIn = newFinder(part);
    const runs: Place[] = [];
    for (let found = indexIn(text, 0); found >= 0; ) {
      const run = runAround(text, secret, found, at);
      compared += run[1] - run[0];
      if (compared > COMPARED_MAX) return undefined;
      const isRun = run[1] - run[0] >= runMin;
      if (isRun) runs.push(run);
      found = indexIn(text, isRun ? run[1] : found + 1);
    }
    return runs;
  };
  let findRuns: ReturnType<typeof newRunFinder> | undefined;
  return (text) => {
    let left = text;
    for (let at = 0; at + block <= secret.length; at += block) {
      const runs = compared > COMPARED_MAX ? undefined : runsAround(left, at);
      if (runs !== undefined) {
        left = replacedAt(left, runs, HIDDEN_SECRET);
        continue;
      }
      findRuns ??= newRunFinder(secret, runMin);
      return replacedAt(left, findRuns(left), HIDDEN_SECRET);
    }
    return left;
  };
};

/** Finds one spelling in a text and puts something else there. */
type Replace = (of: Quoted) => Quoted;

const replacing = (spelling: string): Replace => {
  if (/["\\]/.test(spelling)) return replacingQuoted(spelling, HIDDEN_SECRET);
  const indexIn = newFinder(spelling);
  return (of) => {
    const places = placesOf(of.text, spelling, indexIn);
    return places.length === 0 ? of : quoted(replacedAt(of.text, places, HIDDEN_SECRET));
  };
};

/** Takes secrets out of what a service answers. */
export type Hider = {
  readonly inText: (text: string) => string;
  /** In names of members, texts and numbers, at any depth. */
  readonly inJson: (value: unknown) => unknown;
};

const asItIs = <Value>(value: Value): Value => value;
const NOTHING: Hider = { inText: asItIs, inJson: asItIs };

/** What is thrown while secrets are looked for could tell them: in its place stands an error that says nothing of them, and nothing is told. */
const orSilent = <Value>(make: () => Value): Value => {
  try {
    return make();
  } catch {
    throw new Error('Secrets could not be looked for.');
  }
};

/** So deep it is looked for where several values give a secret away together. */
const LEVELS_LOOKED_AT_MAX = 8;

/** JSON without lists or objects of which no value is a secret and all are one together, such as its characters or bytes one by one. */
const hideAcross = (value: unknown, needles: readonly string[], levels: number): unknown => {
  if (needles.length === 0 || typeof value !== 'object' || value === null || !holdsLoosely(JSON.stringify(value), needles)) return value;
  if (levels === 0) return HIDDEN_SECRET;
  const within = (member: unknown): unknown => hideAcross(member, needles, levels - 1);
  const hidden = Array.isArray(value)
    ? value.map(within)
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, within(member)]));
  return holdsLoosely(JSON.stringify(hidden), needles) ? HIDDEN_SECRET : hidden;
};

const looseTexts = (spellings: readonly Spelling[]): readonly string[] => [...new Set(spellings.flatMap(({ loose }) => loose ?? []))];

const hiderOf = (secrets: readonly string[]): Hider => {
  if (secrets.length === 0) return NOTHING;
  const finders = secrets.map(newSpellings);
  const spellingsIn = (text: string): readonly Spelling[] => {
    const loose = looseOf(text);
    return finders.flatMap((find) => find(loose));
  };
  const runHiders = secrets.map(newRunHider);
  const replaces = new Map<string, Replace>();
  const replaceOf = (spelling: string): Replace => {
    const replace = replaces.get(spelling) ?? replacing(spelling);
    replaces.set(spelling, replace);
    return replace;
  };
  // No way of writing a secret is shorter than it is.
  const shortest = Math.min(...secrets.map(({ length }) => length));
  const inText = (text: string): string => {
    if (text.length < Math.floor(shortest / 2)) return text;
    const spellings = spellingsIn(text);
    // The longest first, so that no part of one is left when a shorter one is taken out of it.
    const texts = [...new Set(spellings.map((spelling) => spelling.text))].sort((one, other) => other.length - one.length);
    const { text: whole } = texts.reduce((left, spelling) => replaceOf(spelling)(left), quoted(text));
    return replacingLoosely(
      runHiders.reduce((left, hideRuns) => hideRuns(left), whole),
      looseTexts(spellings),
      HIDDEN_SECRET,
    );
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
    return hideAcross(hidden, looseTexts(spellingsIn(JSON.stringify(hidden))), LEVELS_LOOKED_AT_MAX);
  };
  return { inText, inJson };
};

/** Hides these secrets however they are spelled, and runs of half of one. Throws, without a word of them, where it cannot. */
export const newHider = (secrets: readonly string[]): Hider => {
  const { inText, inJson } = orSilent(() => hiderOf(secrets));
  return { inText: (text) => orSilent(() => inText(text)), inJson: (value) => orSilent(() => inJson(value)) };
};
