import { LIMITS } from '@svc/contract/tables/limits.ts';
import { holdsLoosely, looseOf, replacingLoosely } from './loose-text.ts';
import { type Quoted, quoted, replacingQuoted } from './quoted-text.ts';
import { newSpellings, type Spelling } from './spellings.ts';

/** What stands where a secret stood. */
export const HIDDEN_SECRET = '[credential]';

const BLOCKS_IN_RUN = 2;
/** A text that holds a block of a secret more often, and never a run, is not looked at further. */
const PASSED_OVER_MAX = 1_000;

/** Where the run of characters that text and secret have in common begins and ends in the text, given one place of it in each. */
const runAround = (text: string, secret: string, inText: number, inSecret: number): readonly [number, number] => {
  let back = 0;
  while (back < inText && back < inSecret && text[inText - back - 1] === secret[inSecret - back - 1]) back += 1;
  let on = 0;
  while (inSecret + on < secret.length && text[inText + on] === secret[inSecret + on]) on += 1;
  return [inText - back, inText + on];
};

/** A text without the runs around one block of the secret. */
const hideRunsAround = (text: string, secret: string, at: number, block: number, runMin: number): string => {
  const part = secret.slice(at, at + block);
  const pieces: string[] = [];
  let told = 0;
  let passedOver = 0;
  let found = text.indexOf(part);
  while (found >= 0 && passedOver < PASSED_OVER_MAX) {
    const [from, to] = runAround(text, secret, found, at);
    const isRun = to - from >= runMin;
    if (isRun) pieces.push(text.slice(told, Math.max(told, from)), HIDDEN_SECRET);
    else passedOver += 1;
    if (isRun) told = to;
    found = text.indexOf(part, isRun ? to : found + 1);
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(told);
};

/** A text without runs of half the secret: each holds one block of a quarter whole, and only those are looked for. */
const hideRuns = (text: string, secret: string): string => {
  const runMin = Math.max(LIMITS.credentials.secretCharsMin, Math.ceil(secret.length / 2));
  const block = Math.floor((runMin + 1) / BLOCKS_IN_RUN);
  let left = text;
  for (let at = 0; at + block <= secret.length; at += block) left = hideRunsAround(left, secret, at, block, runMin);
  return left;
};

/** Finds one spelling in a text and puts something else there. */
type Replace = (of: Quoted) => Quoted;

const replacing = (spelling: string): Replace => {
  if (/["\\]/.test(spelling)) return replacingQuoted(spelling, HIDDEN_SECRET);
  return (of) => (of.text.includes(spelling) ? quoted(of.text.replaceAll(spelling, HIDDEN_SECRET)) : of);
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
    return replacingLoosely(secrets.reduce(hideRuns, whole), looseTexts(spellings), HIDDEN_SECRET);
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
